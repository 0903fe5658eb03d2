#ifdef HORNBEAM_ALONE
/* What gcc calls by itself. */
void *memset(void *p, int c, __hornbeam_size n) { return __hornbeam_c_memset(p, c, n); }
void *memcpy(void *to, const void *from, __hornbeam_size n) { return __hornbeam_c_memmove(to, from, n); }
void *memmove(void *to, const void *from, __hornbeam_size n) { return __hornbeam_c_memmove(to, from, n); }
int memcmp(const void *a, const void *b, __hornbeam_size n) { return __hornbeam_c_memcmp(a, b, n); }
#ifdef __i386__
static unsigned long long __hornbeam_divide(unsigned long long a, unsigned long long b, unsigned long long *rest) {
  unsigned long long q = 0, r = 0;
  for (int i = 63; i >= 0; i--) {
    int high = r >> 63;
    r = r << 1 | (a >> i & 1);
    if (high || r >= b) {
      r -= b;
      q |= 1ULL << i;
    }
  }
  *rest = r;
  return q;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { unsigned long long r; return __hornbeam_divide(a, b, &r); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) { unsigned long long r; __hornbeam_divide(a, b, &r); return r; }
long long __divdi3(long long a, long long b) {
  unsigned long long r, q = __hornbeam_divide(a < 0 ? -a : a, b < 0 ? -b : b, &r);
  return a < 0 ^ b < 0 ? -q : q;
}
long long __moddi3(long long a, long long b) {
  unsigned long long r;
  __hornbeam_divide(a < 0 ? -a : a, b < 0 ? -b : b, &r);
  return a < 0 ? -r : r;
}
#endif
#endif
