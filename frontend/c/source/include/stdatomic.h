#ifndef HORNBEAM_STDATOMIC_H
#define HORNBEAM_STDATOMIC_H
#include <stddef.h>
#include <stdint.h>
typedef enum {
	memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst
} memory_order;
typedef _Bool atomic_bool;
typedef char atomic_char;
typedef signed char atomic_schar;
typedef unsigned char atomic_uchar;
typedef short atomic_short;
typedef unsigned short atomic_ushort;
typedef int atomic_int;
typedef unsigned int atomic_uint;
typedef long atomic_long;
typedef unsigned long atomic_ulong;
typedef long long atomic_llong;
typedef unsigned long long atomic_ullong;
typedef uintptr_t atomic_uintptr_t;
typedef intptr_t atomic_intptr_t;
typedef size_t atomic_size_t;
typedef struct { _Bool __value; } atomic_flag;
/* With one thread an atomic operation is the plain one. */
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT {0}
#define atomic_init(object, value) ((void)(*(object) = (value)))
#define atomic_store(object, value) ((void)(*(object) = (value)))
#define atomic_store_explicit(object, value, order) ((void)(*(object) = (value)))
#define atomic_load(object) (*(object))
#define atomic_load_explicit(object, order) (*(object))
#define __atomic_swap(object, value) ({ __typeof__(*(object)) __old = *(object); *(object) = (value); __old; })
#define __atomic_change(object, op, value) ({ __typeof__(*(object)) __old = *(object); *(object) = __old op (value); __old; })
#define atomic_exchange(object, value) __atomic_swap(object, value)
#define atomic_exchange_explicit(object, value, order) __atomic_swap(object, value)
#define atomic_fetch_add(object, value) __atomic_change(object, +, value)
#define atomic_fetch_add_explicit(object, value, order) __atomic_change(object, +, value)
#define atomic_fetch_sub(object, value) __atomic_change(object, -, value)
#define atomic_fetch_sub_explicit(object, value, order) __atomic_change(object, -, value)
#define atomic_fetch_or(object, value) __atomic_change(object, |, value)
#define atomic_fetch_and(object, value) __atomic_change(object, &, value)
#define atomic_fetch_xor(object, value) __atomic_change(object, ^, value)
#define atomic_compare_exchange_strong(object, expected, desired) ({ \
	_Bool __same = *(object) == *(expected); \
	if (__same) *(object) = (desired); else *(expected) = *(object); \
	__same; })
#define atomic_compare_exchange_weak(object, expected, desired) atomic_compare_exchange_strong(object, expected, desired)
#define atomic_flag_test_and_set(object) __atomic_swap(&(object)->__value, 1)
#define atomic_flag_clear(object) ((void)((object)->__value = 0))
#define atomic_thread_fence(order) ((void)0)
#endif
