#include <assert.h>
#include <string.h>
#include <stdlib.h>
#include <stddef.h>
#include <stdint.h>
struct S { unsigned a : 3; int b : 5; unsigned long long c : 40; char d; } s;
struct __attribute__((packed)) Pk { char c; int i; short s : 9; unsigned t : 20; } pk;
union U { int i; unsigned char b[4]; float f; };
struct An { int x; union { struct { short lo, hi; }; int w; }; } an;
int cnt; int side(int v) { cnt++; return v; }
int kr(c, s, f) char c; short s; float f; { return c + s + (int)f; }
int impl();
typedef int (*op)(int, int);
int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
op table[] = { add, sub, &add };
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Big { int a[10]; char n[5]; };
struct Big mk(int v) { struct Big b = { { v, v + 1 }, "hi" }; b.a[9] = v * 2; return b; }
int sum(int n, int m[][n]) { int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < n; j++) s += m[i][j]; return s; }
int collatz(unsigned n) { int c = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; c++; } return c; }
int duff(int n) { int c = 0; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while ((n -= 4) > 0); } return c; }
int vl(int n) { int a[n], b[n][n + 1]; n = 1000; a[0] = sizeof a / sizeof *a; return a[0] * 100 + sizeof b / sizeof b[0][0] + sizeof(b[0]); }
static int stat(void) { static int k = 5; return k++; }
int shadow = 1;
enum { X = 3, Y, Z = -1 };
int strs(void) { char a[] = "hello"; const char *b = "wor" "ld"; char c[8] = "abc"; return strlen(a) + sizeof a + strlen(b) + sizeof c + c[3] + c[7]; }
int main(void) {
  s.a = 15; assert(s.a == 7); s.b = 17; assert(s.b == -15); assert((s.a = 9) == 1); s.c = -1; assert(s.c == 0xffffffffffULL);
  assert(s.c + 1ULL == 0x10000000000ULL && (s.c & 0xff) == 0xff && s.c >> 36 == 15);
  s.b++; s.a--; assert(s.b == -14 && s.a == 0); s.a--; assert(s.a == 7);
  assert(sizeof(struct Pk) == 9 && offsetof(struct Pk, i) == 1);
  pk.t = 0xfffff; pk.s = -1; assert(pk.t == 0xfffff && pk.s == -1); pk.s = 255; assert(pk.t == 0xfffff && pk.s == 255 && pk.i == 0);
  union U u; u.i = 0x01020304; assert(u.b[0] == 4 && u.b[3] == 1); u.f = 1.0f; assert(u.i == 0x3f800000);
  an.w = 0x00020001; assert(an.lo == 1 && an.hi == 2); an.hi = -1; assert(an.w == (int)0xffff0001);
  assert(kr(300, 70000, 2.9) == 44 + 4464 + 2);
  assert(impl(3) == 9);
  assert(table[1](5, 3) == 2 && (*table[2])(5, 3) == 8 && (**table[0])(1, 1) == 2);
  assert(fib(10) == 55);
  struct Big b = mk(4), c = b; c.a[0] = 9; assert(b.a[0] == 4 && b.a[9] == 8 && mk(3).a[1] == 4 && b.n[1] == 'i' && c.n[4] == 0);
  int m[2][3] = { { 1, 2, 3 }, 4, 5, 6 }; assert(sum(3, m) == 21 && *(m[1] + 2) == 6 && (*(m + 1))[0] == 4 && 1[m[0]] == 2);
  assert(collatz(27) == 111); assert(duff(7) == 7 && duff(8) == 8 && duff(1) == 1);
  assert(vl(3) == 300 + 12 + 16);
  assert(stat() == 5 && stat() == 6);
  { int shadow = shadow = 4; assert(shadow == 4); { extern int shadow; assert(shadow == 1); } }
  assert(X + Y + Z == 6 && sizeof(X) == 4);
  assert(strs() == 5 + 6 + 5 + 8);
  unsigned char uc = 255; uc++; assert(uc == 0); uc -= 1; assert(uc == 255); uc += 300; assert(uc == 43); uc = 200; assert((signed char)uc == -56); assert((char)200 < 0);
  assert(uc << 24 == (int)0xc8000000); assert(-1 >> 1 == -1); assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
  assert(-1 > 1u && -1 < (unsigned short)1); assert((-1L < 1u) == (sizeof(long) == 8));
  assert((0 && side(1)) == 0 && (1 || side(1)) && cnt == 0); assert((side(2), side(3)) == 3 && cnt == 2); assert(side(0) ? 0 : side(7)); assert((side(5) ?: side(6)) == 5);
  int i = 0; for (i = 0; i < 10; i++) { if (i % 2) continue; if (i > 6) break; } assert(i == 8);
  _Bool f = 5; assert(f == 1); f++; assert(f == 1); f--; assert(f == 0); f = 0.5; assert(f); f = "x"; assert(f);
  int *p = malloc(4 * sizeof *p), *q = p; for (i = 0; i < 4; i++) *q++ = i * i; assert(q - p == 4 && p[3] == 9 && q[-1] == 9 && q > p && *--q == 9); free(p);
  goto in; while (i-- > 100) { in: i = 50; cnt = 77; } assert(cnt == 77);
  char buf[20]; memset(buf, 'z', sizeof buf); memcpy(buf, "abc", 4); assert(!strcmp(buf, "abc") && buf[4] == 'z');
  assert(({ int t = 3; t * t; }) == 9); assert((int){ 5 } + ((struct An){ .w = 65536 }).hi == 6);
  double d = 7 / 2; assert(d == 3.0); d = 7 / 2.0; assert((int)d == 3 && (int)-d == -3); assert((float)0.1 != 0.1); 
  switch ((unsigned char)(i = 200)) { case 200: cnt = 1; break; default: cnt = 2; } assert(cnt == 1); switch ((char)200) { case 200: cnt = 3; break; case (char)200: cnt = 4; } assert(cnt == 4);
  long long ll = 1LL << 40; assert(ll >> 38 == 4 && (int)ll == 0); assert(2147483648 > 0); assert(-2147483648 < 0); assert(~0u == 4294967295u && 0x80000000 > 0);
  int z = 5; z += z++ * 0 + 3.7; assert(z == 8 || z == 9); short sh = 32767; sh++; assert(sh == -32768); unsigned un = 0; un--; assert(un == 4294967295u);
  uint8_t a8 = 250, b8 = 10; assert(a8 + b8 == 260 && (uint8_t)(a8 + b8) == 4); assert(sizeof(a8 + b8) == 4 && sizeof('a') == 4 && sizeof(1 ? a8 : b8) == 4 && sizeof(+a8) == 4 && sizeof((char)1) == 1);
  assert(_Generic(1.0f, double: 1, float: 2, default: 3) == 2 && _Generic('a', char: 1, int: 2) == 2);
  assert(__builtin_types_compatible_p(int, int) && !__builtin_types_compatible_p(int, long) && __builtin_constant_p(3) && __builtin_expect(4, 1) == 4);
  return 0;
}
int impl(int x) { return x * x; }
