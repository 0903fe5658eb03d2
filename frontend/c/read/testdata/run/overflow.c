/* gcc's arithmetic with infinite precision: what is stored, and whether it is another number. */
#include <assert.h>
enum { folded = __builtin_mul_overflow_p(65536, 65536, (int)0), fits = __builtin_add_overflow_p(1, -1, 0u) };
_Static_assert(folded == 1 && fits == 0, "both are constants");
#define IS(op, a, b, T, fails, value) \
  do { T r = 5; assert(__builtin_##op##_overflow(a, b, &r) == fails && r == (T)(value) && __builtin_##op##_overflow_p(a, b, (T)0) == fails); } while (0)
static int calls;
static int next(void) { return ++calls; }
int main(void) {
  signed char sc = -128; unsigned char uc = 255; short s = 181; int i = -2147483647 - 1, j = 200; unsigned u = 4294967295u;
  long long ll = -9223372036854775807ll - 1; unsigned long long ull = 18446744073709551615ull;
  IS(add, uc, uc, unsigned char, 1, 254); IS(add, uc, uc, short, 0, 510); IS(sub, sc, uc, signed char, 1, 129); IS(sub, sc, uc, unsigned, 1, -383);
  IS(mul, s, s, short, 0, 32761); IS(mul, s, s + 1, short, 1, 32942); IS(mul, sc, sc, char, 1, 0); IS(mul, sc, sc, unsigned short, 0, 16384);
  IS(add, i, i, int, 1, 0); IS(add, i, u, int, 0, 2147483647); IS(sub, 0, i, int, 1, i); IS(sub, 0, i, unsigned, 0, 2147483648u);
  IS(mul, i, -1, int, 1, i); IS(mul, i, u, long long, 0, -9223372034707292160ll); IS(mul, u, u, unsigned long long, 0, 18446744065119617025ull);
  IS(mul, u, u, long long, 1, 18446744065119617025ull); IS(add, j, u, unsigned, 1, 199); IS(sub, 1u, 2u, int, 0, -1); IS(sub, 1u, 2u, unsigned, 1, -1);
  IS(add, ll, ll, long long, 1, 0); IS(add, ll, ull, long long, 0, 9223372036854775807ll); IS(add, ll, ull, unsigned long long, 0, 9223372036854775807ull);
  IS(sub, ll, 1, long long, 1, 9223372036854775807ll); IS(sub, 0, ll, unsigned long long, 0, 9223372036854775808ull); IS(sub, 0ull, ull, long long, 1, 1);
  IS(sub, 5ull, 6ull, int, 0, -1); IS(sub, ll, ull, signed char, 1, 1); IS(add, ull, -1, unsigned long long, 0, 18446744073709551614ull);
  IS(mul, ll, -1, long long, 1, ll); IS(mul, ll, -1, unsigned long long, 0, 9223372036854775808ull); IS(mul, ll, 1ull, long long, 0, ll);
  IS(mul, ull, ull, unsigned long long, 1, 1); IS(mul, ull, -1, signed char, 1, 1); IS(mul, 4294967296ll, 2147483648ull, long long, 1, ll);
  IS(mul, -4294967296ll, 2147483648ull, long long, 0, ll); IS(mul, 0ull, ll, unsigned char, 0, 0); IS(mul, 3000000000ll, -3000000000ll, int, 1, 494665728);
  struct { int f : 3; unsigned g : 5; unsigned long long h : 40; } b = { 0 };
  assert(!__builtin_add_overflow_p(3, calls, b.f) && __builtin_add_overflow_p(3, 1, b.f) && __builtin_sub_overflow_p(-4, 1, b.f));
  assert(!__builtin_add_overflow_p(30, 1, b.g) && __builtin_add_overflow_p(31, 1, b.g) && __builtin_mul_overflow_p(1ll << 20, j + (1 << 20), b.h));
  int r; unsigned ur; long l; unsigned long long ur2;
  assert(__builtin_sadd_overflow(2147483647, 1, &r) && r == i && !__builtin_usub_overflow(3, 2, &ur) && ur == 1 && __builtin_usub_overflow(2, 3, &ur) && ur == u);
  assert(!__builtin_smull_overflow(-46340, 46340, &l) && l == -2147395600 && __builtin_umulll_overflow(ull, 2, &ur2) && ur2 == ull - 1);
  /* Each operand is evaluated once, and the result may be stored in one. */
  assert(__builtin_add_overflow(j, 100, &uc) && uc == 44); assert(!__builtin_mul_overflow(j, j, &j) && j == 40000);
  int a[3] = { 0 }; assert(!__builtin_add_overflow(next(), 10, &a[calls]) && a[1] == 11 && calls == 1);
  assert(!__builtin_sub_overflow_p(1, 2, next()) && calls == 2);
  return 0;
}
