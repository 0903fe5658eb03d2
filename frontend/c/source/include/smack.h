#ifndef HORNBEAM_SMACK_H
#define HORNBEAM_SMACK_H
#include <limits.h>
#include <stdbool.h>
void __VERIFIER_assume(int);
#ifndef CUSTOM_VERIFIER_ASSERT
void __VERIFIER_assert(int);
#endif
void __VERIFIER_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define assume(condition) __VERIFIER_assume(!!(condition))
void __SMACK_code(const char *, ...);
void __SMACK_mod(const char *, ...);
void __SMACK_decl(const char *, ...);
void __SMACK_top_decl(const char *, ...);
typedef struct smack_value { void *dummy; } *smack_value_t;
smack_value_t __SMACK_value();
smack_value_t __SMACK_values(void *, unsigned);
smack_value_t __SMACK_return_value(void);
void *__VERIFIER_nondet(void);
#define __SMACK_INIT(x) __attribute__((constructor)) void __SMACK_init_func_##x(void)
_Bool __VERIFIER_nondet_bool(void); _Bool __SMACK_nondet_bool(void);
char __VERIFIER_nondet_char(void); char __SMACK_nondet_char(void);
signed char __VERIFIER_nondet_signed_char(void); signed char __SMACK_nondet_signed_char(void);
signed char __VERIFIER_nondet_schar(void); signed char __SMACK_nondet_schar(void);
unsigned char __VERIFIER_nondet_unsigned_char(void); unsigned char __SMACK_nondet_unsigned_char(void);
unsigned char __VERIFIER_nondet_uchar(void); unsigned char __SMACK_nondet_uchar(void);
short __VERIFIER_nondet_short(void); short __SMACK_nondet_short(void);
short __VERIFIER_nondet_signed_short(void); short __SMACK_nondet_signed_short(void);
short __VERIFIER_nondet_signed_short_int(void); short __SMACK_nondet_signed_short_int(void);
short __VERIFIER_nondet_short_int(void); short __SMACK_nondet_short_int(void);
unsigned short __VERIFIER_nondet_ushort(void); unsigned short __SMACK_nondet_ushort(void);
unsigned short __VERIFIER_nondet_unsigned_short(void); unsigned short __SMACK_nondet_unsigned_short(void);
unsigned short __VERIFIER_nondet_unsigned_short_int(void); unsigned short __SMACK_nondet_unsigned_short_int(void);
int __VERIFIER_nondet_int(void); int __SMACK_nondet_int(void);
int __VERIFIER_nondet_signed_int(void); int __SMACK_nondet_signed_int(void);
unsigned int __VERIFIER_nondet_uint(void); unsigned int __SMACK_nondet_uint(void);
unsigned int __VERIFIER_nondet_unsigned(void); unsigned int __SMACK_nondet_unsigned(void);
unsigned int __VERIFIER_nondet_unsigned_int(void); unsigned int __SMACK_nondet_unsigned_int(void);
unsigned int __VERIFIER_nondet_u32(void); unsigned int __SMACK_nondet_u32(void);
unsigned short __VERIFIER_nondet_u16(void); unsigned short __SMACK_nondet_u16(void);
unsigned char __VERIFIER_nondet_u8(void); unsigned char __SMACK_nondet_u8(void);
long __VERIFIER_nondet_long(void); long __SMACK_nondet_long(void);
long __VERIFIER_nondet_long_int(void); long __SMACK_nondet_long_int(void);
long __VERIFIER_nondet_signed_long(void); long __SMACK_nondet_signed_long(void);
long __VERIFIER_nondet_signed_long_int(void); long __SMACK_nondet_signed_long_int(void);
unsigned long __VERIFIER_nondet_ulong(void); unsigned long __SMACK_nondet_ulong(void);
unsigned long __VERIFIER_nondet_unsigned_long(void); unsigned long __SMACK_nondet_unsigned_long(void);
unsigned long __VERIFIER_nondet_unsigned_long_int(void); unsigned long __SMACK_nondet_unsigned_long_int(void);
long long __VERIFIER_nondet_long_long(void); long long __SMACK_nondet_long_long(void);
long long __VERIFIER_nondet_longlong(void); long long __SMACK_nondet_longlong(void);
long long __VERIFIER_nondet_long_long_int(void); long long __SMACK_nondet_long_long_int(void);
long long __VERIFIER_nondet_signed_long_long(void); long long __SMACK_nondet_signed_long_long(void);
long long __VERIFIER_nondet_signed_long_long_int(void); long long __SMACK_nondet_signed_long_long_int(void);
unsigned long long __VERIFIER_nondet_ulonglong(void); unsigned long long __SMACK_nondet_ulonglong(void);
unsigned long long __VERIFIER_nondet_unsigned_long_long(void); unsigned long long __SMACK_nondet_unsigned_long_long(void);
unsigned long long __VERIFIER_nondet_unsigned_long_long_int(void); unsigned long long __SMACK_nondet_unsigned_long_long_int(void);
__SIZE_TYPE__ __VERIFIER_nondet_size_t(void); __SIZE_TYPE__ __SMACK_nondet_size_t(void);
float __VERIFIER_nondet_float(void); float __SMACK_nondet_float(void);
double __VERIFIER_nondet_double(void); double __SMACK_nondet_double(void);
long double __VERIFIER_nondet_long_double(void); long double __SMACK_nondet_long_double(void);
void * __VERIFIER_nondet_pointer(void); void * __SMACK_nondet_pointer(void);
char * __VERIFIER_nondet_charp(void); char * __SMACK_nondet_charp(void);
char * __VERIFIER_nondet_pchar(void); char * __SMACK_nondet_pchar(void);
long long __VERIFIER_nondet_loff_t(void); long long __SMACK_nondet_loff_t(void);
unsigned long __VERIFIER_nondet_sector_t(void); unsigned long __SMACK_nondet_sector_t(void);
unsigned long __VERIFIER_nondet_pthread_t(void); unsigned long __SMACK_nondet_pthread_t(void);
#endif
