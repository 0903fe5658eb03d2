/* What the definitions of C's library are based on. The program's calls of NAME lead to the symbol __hornbeam_of_NAME, whatever types
   it declares. */
typedef __SIZE_TYPE__ __hornbeam_size;
#define __HORNBEAM(result, name, parameters) \
  result __hornbeam_c_##name parameters __asm__("__hornbeam_of_" #name); \
  result __hornbeam_c_##name parameters
#define __HORNBEAM_LOOP(i, n) for (__hornbeam_size i = 0; i < (n); i++)

static char __hornbeam_arena[1 << 26] __attribute__((aligned(16)));
static __hornbeam_size __hornbeam_used;
static unsigned long __hornbeam_allocations;
static long __hornbeam_live;
#ifdef HORNBEAM_HOSTED
/* The objects are those of C's library, which gcc's sanitizers know. */
extern void *__hornbeam_new(__hornbeam_size) __asm__("malloc");
extern void __hornbeam_delete(void *) __asm__("free");
extern __hornbeam_size __hornbeam_size_of(void *) __asm__("malloc_usable_size");
const char *__asan_default_options(void) { return "exitcode=107:detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1"; }
const char *__ubsan_default_options(void) { return "exitcode=107"; }
static void *__hornbeam_take(__hornbeam_size n) {
  char *p = __hornbeam_new(n);
  if (!p)
    __hornbeam_exit(3);
  __hornbeam_live++;
  __hornbeam_fill(__hornbeam_allocations++, p);
  return p;
}
static __hornbeam_size __hornbeam_old(void *p) { return __hornbeam_size_of(p); }
static void __hornbeam_drop(void *p) {
  __hornbeam_live -= p != 0;
  __hornbeam_delete(p);
}
#else
static void *__hornbeam_take(__hornbeam_size n) {
  char *p = __hornbeam_arena + __hornbeam_used + 16;
  if (n > sizeof(__hornbeam_arena) - __hornbeam_used - 64)
    __hornbeam_exit(3);
  *(__hornbeam_size *)(p - 16) = n;
  __hornbeam_used += 32 + (n + 15) / 16 * 16;
  __hornbeam_fill(__hornbeam_allocations++, p);
  return p;
}
static __hornbeam_size __hornbeam_old(void *p) { return *(__hornbeam_size *)((char *)p - 16); }
static void __hornbeam_drop(void *p) {}
#endif
static void *__hornbeam_try(__hornbeam_size n) { return __hornbeam_fails() ? 0 : __hornbeam_take(n); }
/* The end of the program, where what is allocated is lost. */
static void __hornbeam_end(void) {
#ifdef HORNBEAM_LEAKS
  if (__hornbeam_live > 0)
    __hornbeam_reached();
#endif
  __hornbeam_exit(0);
}

__HORNBEAM(void *, memset, (void *p, int c, __hornbeam_size n)) {
  __HORNBEAM_LOOP(i, n) ((char *)p)[i] = (char)c;
  return p;
}
__HORNBEAM(void *, memmove, (void *to, const void *from, __hornbeam_size n)) {
  char *a = to;
  const char *b = from;
  if ((__hornbeam_size)a < (__hornbeam_size)b)
    __HORNBEAM_LOOP(i, n) a[i] = b[i];
  else
    while (n-- > 0)
      a[n] = b[n];
  return to;
}
__HORNBEAM(void *, memcpy, (void *to, const void *from, __hornbeam_size n)) { return __hornbeam_c_memmove(to, from, n); }
__HORNBEAM(void *, mempcpy, (void *to, const void *from, __hornbeam_size n)) { return (char *)__hornbeam_c_memmove(to, from, n) + n; }
__HORNBEAM(void, bcopy, (const void *from, void *to, __hornbeam_size n)) { __hornbeam_c_memmove(to, from, n); }
__HORNBEAM(void, bzero, (void *p, __hornbeam_size n)) { __hornbeam_c_memset(p, 0, n); }
__HORNBEAM(void *, malloc, (__hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, alloca, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, valloc, (__hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, pvalloc, (__hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, kmalloc, (__hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, __kmalloc, (__hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, memalign, (__hornbeam_size align, __hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, aligned_alloc, (__hornbeam_size align, __hornbeam_size n)) { return __hornbeam_try(n); }
__HORNBEAM(void *, kzalloc, (__hornbeam_size n)) {
  void *p = __hornbeam_try(n);
  return p ? __hornbeam_c_memset(p, 0, n) : 0;
}
__HORNBEAM(void *, calloc, (__hornbeam_size m, __hornbeam_size n)) { return __hornbeam_c_kzalloc(m * n); }
__HORNBEAM(void *, realloc, (void *p, __hornbeam_size n)) {
  void *q = __hornbeam_try(n);
  if (!q)
    return 0;
  __hornbeam_size old = p ? __hornbeam_old(p) : 0;
  __hornbeam_c_memmove(q, p, old < n ? old : n);
  __hornbeam_drop(p);
  return q;
}
__HORNBEAM(void *, reallocarray, (void *p, __hornbeam_size m, __hornbeam_size n)) { return __hornbeam_c_realloc(p, m * n); }
__HORNBEAM(void, free, (void *p)) { __hornbeam_drop(p); }
__HORNBEAM(void, cfree, (void *p)) { __hornbeam_drop(p); }
__HORNBEAM(void, kfree, (void *p)) { __hornbeam_drop(p); }
__HORNBEAM(void, sea_free, (void *p)) {}

#define __HORNBEAM_FLOATS(name, test) \
  __HORNBEAM(int, __##name, (double x)) { return test; } \
  __HORNBEAM(int, __##name##f, (float x)) { return test; } \
  __HORNBEAM(int, __##name##l, (long double x)) { return test; }
__HORNBEAM_FLOATS(iszero, x == 0)
__HORNBEAM_FLOATS(isnormal, __builtin_isnormal(x))
__HORNBEAM_FLOATS(issubnormal, x != 0 && !__builtin_isnormal(x) && __builtin_isfinite(x))
__HORNBEAM_FLOATS(isnan, __builtin_isnan(x))
__HORNBEAM_FLOATS(isinf, __builtin_isinf_sign(x))
__HORNBEAM_FLOATS(finite, __builtin_isfinite(x))
__HORNBEAM_FLOATS(signbit, __builtin_signbit(x) != 0)
__HORNBEAM_FLOATS(fpclassify, __builtin_fpclassify(0, 1, 4, 3, 2, x))
static unsigned long long __hornbeam_reverse(unsigned long long x, int bits) {
  unsigned long long r = 0;
  while (bits-- > 0) {
    r = r << 1 | (x & 1);
    x >>= 1;
  }
  return r;
}
__HORNBEAM(unsigned char, __builtin_bitreverse8, (unsigned char x)) { return __hornbeam_reverse(x, 8); }
__HORNBEAM(unsigned short, __builtin_bitreverse16, (unsigned short x)) { return __hornbeam_reverse(x, 16); }
__HORNBEAM(unsigned, __builtin_bitreverse32, (unsigned x)) { return __hornbeam_reverse(x, 32); }
__HORNBEAM(unsigned long long, __builtin_bitreverse64, (unsigned long long x)) { return __hornbeam_reverse(x, 64); }

