#ifndef HORNBEAM_SEAHORN_SEAHORN_H
#define HORNBEAM_SEAHORN_SEAHORN_H
#include <stdbool.h>
#include <stdint.h>
#define SEA_NONDET_FN_ATTR
void __VERIFIER_assume(int);
void __VERIFIER_assert(bool);
void __VERIFIER_assert_not(bool);
void __VERIFIER_assert_if(bool, bool);
void __VERIFIER_error(void) __attribute__((noreturn));
void __SEA_assume(bool);
void __seahorn_fail(void) __attribute__((noreturn));
#define assume __SEA_assume
#ifdef __SEA_CHECK
#undef sassert
#endif
#define sassert(condition) (void)((condition) || (__VERIFIER_error(), 0))
void sea_tracking_on(void);
void sea_tracking_off(void);
void sea_reset_modified(char *);
bool sea_is_modified(char *);
bool sea_is_alloc(char *);
bool sea_is_dereferenceable(const void *, __INTPTR_TYPE__);
#define sea_is_deref sea_is_dereferenceable
void sea_assert_if(bool, bool);
void sea_free(char *);
void sea_set_shadowmem(char, char *, __SIZE_TYPE__);
__SIZE_TYPE__ sea_get_shadowmem(char, char *);
#define TRACK_READ_MEM 0
#define TRACK_WRITE_MEM 1
#define TRACK_ALLOC_MEM 2
#define TRACK_CUSTOM0_MEM 3
#define TRACK_CUSTOM1_MEM 4
void sea_dsa_alias(const void *, ...);
void memhavoc(void *, __SIZE_TYPE__);
#endif
