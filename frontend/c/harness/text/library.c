/* Memory and strings. The program's calls of NAME lead to the symbol __hornbeam_of_NAME, whatever types it declares. */
typedef __SIZE_TYPE__ __hornbeam_size;
#define __HORNBEAM(result, name, parameters) \
  result __hornbeam_c_##name parameters __asm__("__hornbeam_of_" #name); \
  result __hornbeam_c_##name parameters
#define __HORNBEAM_LOOP(i, n) for (__hornbeam_size i = 0; i < (n); i++)

static char __hornbeam_arena[1 << 26] __attribute__((aligned(16)));
static __hornbeam_size __hornbeam_used;
static unsigned long __hornbeam_allocations;
static void *__hornbeam_take(__hornbeam_size n) {
  char *p = __hornbeam_arena + __hornbeam_used + 16;
  if (n > sizeof(__hornbeam_arena) - __hornbeam_used - 64)
    __hornbeam_exit(3);
  *(__hornbeam_size *)(p - 16) = n;
  __hornbeam_used += 32 + (n + 15) / 16 * 16;
  __hornbeam_fill(__hornbeam_allocations++, p);
  return p;
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
__HORNBEAM(int, memcmp, (const void *x, const void *y, __hornbeam_size n)) {
  const unsigned char *a = x, *b = y;
  __HORNBEAM_LOOP(i, n) if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
__HORNBEAM(int, bcmp, (const void *x, const void *y, __hornbeam_size n)) { return __hornbeam_c_memcmp(x, y, n); }
__HORNBEAM(void *, memchr, (const void *p, int c, __hornbeam_size n)) {
  __HORNBEAM_LOOP(i, n) if (((const unsigned char *)p)[i] == (unsigned char)c) return (char *)p + i;
  return 0;
}

__HORNBEAM(__hornbeam_size, strnlen, (const char *s, __hornbeam_size n)) {
  __HORNBEAM_LOOP(i, n) if (!s[i]) return i;
  return n;
}
__HORNBEAM(__hornbeam_size, strlen, (const char *s)) { return __hornbeam_c_strnlen(s, -1); }
__HORNBEAM(int, strncmp, (const char *a, const char *b, __hornbeam_size n)) {
  __HORNBEAM_LOOP(i, n) {
    if (a[i] != b[i])
      return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    if (!a[i])
      return 0;
  }
  return 0;
}
__HORNBEAM(int, strcmp, (const char *a, const char *b)) { return __hornbeam_c_strncmp(a, b, -1); }
__HORNBEAM(int, strcoll, (const char *a, const char *b)) { return __hornbeam_c_strncmp(a, b, -1); }
__HORNBEAM(char *, stpcpy, (char *to, const char *from)) {
  __hornbeam_size n = __hornbeam_c_strlen(from);
  __hornbeam_c_memmove(to, from, n + 1);
  return to + n;
}
__HORNBEAM(char *, strcpy, (char *to, const char *from)) { __hornbeam_c_stpcpy(to, from); return to; }
__HORNBEAM(char *, stpncpy, (char *to, const char *from, __hornbeam_size n)) {
  __hornbeam_size length = __hornbeam_c_strnlen(from, n);
  __hornbeam_c_memmove(to, from, length);
  __hornbeam_c_memset(to + length, 0, n - length);
  return to + length;
}
__HORNBEAM(char *, strncpy, (char *to, const char *from, __hornbeam_size n)) { __hornbeam_c_stpncpy(to, from, n); return to; }
__HORNBEAM(char *, strncat, (char *to, const char *from, __hornbeam_size n)) {
  char *end = to + __hornbeam_c_strlen(to);
  __hornbeam_size length = __hornbeam_c_strnlen(from, n);
  __hornbeam_c_memmove(end, from, length);
  end[length] = 0;
  return to;
}
__HORNBEAM(char *, strcat, (char *to, const char *from)) { return __hornbeam_c_strncat(to, from, -1); }
__HORNBEAM(char *, strchrnul, (const char *s, int c)) {
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}
__HORNBEAM(char *, strchr, (const char *s, int c)) {
  s = __hornbeam_c_strchrnul(s, c);
  return *s == (char)c ? (char *)s : 0;
}
__HORNBEAM(char *, index, (const char *s, int c)) { return __hornbeam_c_strchr(s, c); }
__HORNBEAM(char *, strrchr, (const char *s, int c)) {
  for (__hornbeam_size i = __hornbeam_c_strlen(s) + 1; i-- > 0;)
    if (s[i] == (char)c)
      return (char *)s + i;
  return 0;
}
__HORNBEAM(char *, rindex, (const char *s, int c)) { return __hornbeam_c_strrchr(s, c); }
__HORNBEAM(char *, strstr, (const char *s, const char *t)) {
  __hornbeam_size n = __hornbeam_c_strlen(t);
  for (;; s++) {
    if (!__hornbeam_c_strncmp(s, t, n))
      return (char *)s;
    if (!*s)
      return 0;
  }
}
__HORNBEAM(__hornbeam_size, strspn, (const char *s, const char *set)) {
  __hornbeam_size n = 0;
  while (s[n] && __hornbeam_c_strchr(set, s[n]))
    n++;
  return n;
}
__HORNBEAM(__hornbeam_size, strcspn, (const char *s, const char *set)) {
  __hornbeam_size n = 0;
  while (s[n] && !__hornbeam_c_strchr(set, s[n]))
    n++;
  return n;
}
__HORNBEAM(char *, strpbrk, (const char *s, const char *set)) {
  s += __hornbeam_c_strcspn(s, set);
  return *s ? (char *)s : 0;
}
__HORNBEAM(long, atol, (const char *s)) {
  unsigned long n = 0;
  int minus = 0;
  while (*s == ' ' || *s >= '\t' && *s <= '\r')
    s++;
  if (*s == '-' || *s == '+')
    minus = *s++ == '-';
  while (*s >= '0' && *s <= '9')
    n = n * 10 + (*s++ - '0');
  return minus ? -n : n;
}
__HORNBEAM(int, atoi, (const char *s)) { return __hornbeam_c_atol(s); }

__HORNBEAM(void *, malloc, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, alloca, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, valloc, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, pvalloc, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, kmalloc, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, __kmalloc, (__hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, memalign, (__hornbeam_size align, __hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, aligned_alloc, (__hornbeam_size align, __hornbeam_size n)) { return __hornbeam_take(n); }
__HORNBEAM(void *, calloc, (__hornbeam_size m, __hornbeam_size n)) { return __hornbeam_c_memset(__hornbeam_take(m * n), 0, m * n); }
__HORNBEAM(void *, kzalloc, (__hornbeam_size n)) { return __hornbeam_c_memset(__hornbeam_take(n), 0, n); }
__HORNBEAM(void *, realloc, (void *p, __hornbeam_size n)) {
  void *q = __hornbeam_take(n);
  __hornbeam_size old = p ? *(__hornbeam_size *)((char *)p - 16) : 0;
  return __hornbeam_c_memmove(q, p, old < n ? old : n);
}
__HORNBEAM(void *, reallocarray, (void *p, __hornbeam_size m, __hornbeam_size n)) { return __hornbeam_c_realloc(p, m * n); }
__HORNBEAM(char *, strndup, (const char *s, __hornbeam_size n)) {
  __hornbeam_size length = __hornbeam_c_strnlen(s, n);
  char *p = __hornbeam_take(length + 1);
  __hornbeam_c_memmove(p, s, length);
  p[length] = 0;
  return p;
}
__HORNBEAM(char *, strdup, (const char *s)) { return __hornbeam_c_strndup(s, -1); }
__HORNBEAM(void, free, (void *p)) {}
__HORNBEAM(void, cfree, (void *p)) {}
__HORNBEAM(void, kfree, (void *p)) {}
__HORNBEAM(void, sea_free, (void *p)) {}

__HORNBEAM(int, abs, (int x)) { return x < 0 ? -x : x; }
__HORNBEAM(long, labs, (long x)) { return x < 0 ? -x : x; }
__HORNBEAM(long long, llabs, (long long x)) { return x < 0 ? -x : x; }
__HORNBEAM(int, isdigit, (int c)) { return c >= '0' && c <= '9'; }
__HORNBEAM(int, isupper, (int c)) { return c >= 'A' && c <= 'Z'; }
__HORNBEAM(int, islower, (int c)) { return c >= 'a' && c <= 'z'; }
__HORNBEAM(int, isalpha, (int c)) { return __hornbeam_c_isupper(c) || __hornbeam_c_islower(c); }
__HORNBEAM(int, isalnum, (int c)) { return __hornbeam_c_isalpha(c) || __hornbeam_c_isdigit(c); }
__HORNBEAM(int, isspace, (int c)) { return c == ' ' || c >= '\t' && c <= '\r'; }
__HORNBEAM(int, toupper, (int c)) { return __hornbeam_c_islower(c) ? c - 32 : c; }
__HORNBEAM(int, tolower, (int c)) { return __hornbeam_c_isupper(c) ? c + 32 : c; }

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
