// Odd corners of C, each checked: what gcc makes of this file ends without an error.
#include <string.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdarg.h>
void reach_error(void);
#define CK(e) do { if (!(e)) { line = __LINE__; reach_error(); } } while (0)
int line;
static int sum2(int n, int a[n][n]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j]; return s + sizeof a[0]; }
struct flex { int n; char data[]; };
struct bf { unsigned a:3; _Bool b:1; signed c:5; unsigned long long d:40; } ;
static struct bf rot(struct bf x) { x.a++; x.c = -x.c; x.d <<= 1; return x; }
static int duff(int n) { int r = 0; switch (n % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while ((n -= 4) > 0); } return r; }
struct P { int x, y; }; static struct P mk(int x) { return (struct P){x, x + 1}; }
static struct P *stat = &(struct P){5, 6};
enum E { A = -1, B, C = 10, D };
typedef int (*op)(int, int); static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; }
static op ops[] = { add, mul, &add };
static char grid[3][4] = { "abc", "def", {'g', 'h'} };
static const char *names[] = { [2] = "two", [0] = "zero" };
static int side; static int eff(void) { return ++side; }
union U { struct { short lo, hi; }; int v; } ;
static int vol(void) { volatile int x = 3; x += x; return x; }
static unsigned fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static long double ld = 1.5L;
static float fa[3] = {1, 2.5, [2] = 3};
static int many(int a, ...) { return a; }
static long next(va_list l) { va_arg(l, int); return va_arg(l, long); }
static long variable(const char *what, ...) {
  va_list l, k; va_start(l, what); va_copy(k, l); long x = next(k); va_end(k);
  int c = va_arg(l, int); CK(va_arg(l, long) == x); *va_arg(l, int *) = c; struct P s = va_arg(l, struct P); CK(va_arg(l, double) == 1.5); va_end(l); return x + s.y + 1;
}
static int nothing(int a, ...) { va_list l; va_start(l, a); va_end(l); return a; }
int arr[2][3][4];
static int *gp = &arr[1][2][3];
struct N { struct N *next; int v; }; static struct N n1, n2 = { &n1, 2 }; static struct N n1 = { &n2, 1 };
static int total; static int bump(void) { total = 10; return 1; }
int main(void) {
  total += bump(); CK(total == 11);
  int pa[2] = {4, 9}; int *pq = pa; CK((*pq)++ == 4); CK(pa[0]++ == 5 && ++pa[0] == 7); CK(*pq++ == 7 && *pq-- == 9 && pq == pa); CK(total-- == 11 && --total == 9);
  int n = 3; int m[n][n]; for (int i = 0; i < 9; i++) m[i / 3][i % 3] = i; CK(sum2(n, m) == 36 + 12);
  struct flex *f = malloc(sizeof *f + 4); f->n = 1; strcpy(f->data, "xyz"); CK(f->data[2] == 'z' && sizeof *f == 4 && offsetof(struct flex, data) == 4);
  struct bf b = {7, 1, -16, 1ull << 39}; b = rot(b); CK(b.a == 0); CK(b.b == 1); CK(b.c == -16);
 CK(b.d == 0);
  CK(duff(1) == 1 && duff(7) == 7 && duff(8) == 8);
  CK(mk(3).y == 4 && stat->y == 6); struct P p, q, r; p = q = r = mk(7); CK(p.x == 7 && q.y == 8); p = n ? q : r; CK((n > 5 ? p : mk(1)).x == 1);
  CK(D == 11 && sizeof(enum E) == 4 && (enum E)-1 < 0);
  CK(ops[1](3, 4) == 12 && (*ops[2])(3, 4) == 7 && (**ops)(1, 1) == 2);
  CK(grid[1][2] == 'f' && grid[2][3] == 0 && grid[0][3] == 0 && sizeof grid == 12); CK(names[1] == 0 && names[2][1] == 'w' && 2["abc"] == 'c' && "abc"[3] == 0);
  int a[3]; a[0] = a[1] = a[2] = eff(); CK(a[2] == 1 && side == 1); int k = 0; a[k++] += 5; CK(k == 1 && a[0] == 6); k = sizeof(eff()); CK(side == 1 && k == 4);
  
  union U u = { .lo = 1, .hi = 2 }; CK(u.v == 0x20001); CK(vol() == 6 && fact(10) == 3628800 && ack(2, 3) == 9);
  CK(ld + ld == 3 && fa[1] == 2.5f && (int)fa[2] == 3); CK(many(1, 2.5, "x", p) == 1);
  CK(gp - &arr[0][0][0] == 23 && (char *)(arr + 1) - (char *)arr == 48); int (*row)[4] = arr[1]; row[1][2] = 9; CK(arr[1][1][2] == 9);
  CK(n1.next->next == &n1 && n2.next->v == 1);
  char *s = alloca(4); s[0] = 1; void *vp = s; vp += 1; CK((char *)vp - s == 1);
  int x = ({ int y = 1; ({ y += 2; y; }) + y; }); CK(x == 6);
  for (int i = 0, j = 5; i < j; i++, j--) x += j - i; CK(x == 6 + 5 + 3 + 1);
  unsigned char uc = 250; uc += 10; CK(uc == 4); signed char sc = 127; sc++; CK(sc == -128); short sh = -1; unsigned ui = sh; CK(ui == 4294967295u); CK((unsigned short)sh == 65535);
  long long ll = -1; CK((unsigned)ll == 4294967295u && (ll >> 63) == -1 && (unsigned long long)ll >> 63 == 1); CK(-7 / 2 * 2 + -7 % 2 == -7);
  CK(1 ? (unsigned)1 > -1 ? 0 : 1 : 0); CK(sizeof(char) + 0u - 3 > 0); _Bool t = 0.5; CK(t == 1); t = (_Bool)&t; CK(t); t--; CK(t == 0); t--; CK(t == 1);
  const char str[] = "a\0b"; CK(sizeof str == 4 && str[2] == 'b'); CK(L'x' == 120 && '\x41' == 'A' && '\n' == 10 && sizeof "abc" == 4 && sizeof 'a' == 4);
  goto in; { int z = 5; in: z = 7; CK(z == 7); }
  int w = 0; while (1) { if (++w > 5) break; if (w & 1) continue; x += w; } CK(w == 6); do { w--; } while (w); CK(!w);
  struct { int a; struct { int b[2]; } c; } anon = { 1, { { 2, 3 } } }, *ap = &anon; CK(ap->c.b[1] == 3); memset(ap, 0, sizeof *ap); CK(anon.a == 0);
  double d = 1e308 * 10; CK(d > 1e308 && d - d != d - d); CK((float)0.1 != 0.1 && 5 / 2.0 == 2.5 && 1.0f / 3 * 3 == 1.0f); CK(-0.0 == 0.0);
  int *ip = &(int){42}; (*ip)++; CK(*ip == 43); int *ap2 = (int[]){1, 2, 3}; CK(ap2[2] == 3);
  switch (3ull) { case 3: k = 1; break; default: k = 2; } CK(k == 1); switch (k) { } CK(((k, 5)) == 5);
  CK((n > 2 && n < 4) + !n + !!n == 2); CK(~0u == -1 && (5 & 6 | 1 ^ 8) == 13);
  size_t z = 0; z--; CK(z == (size_t)-1); ptrdiff_t pd = (ptrdiff_t)(&a[2] - &a[0]); CK(pd == 2);
  CK(variable("cips", uc, 40L, &n, mk(5), 1.5f) == 47 && n == 4); int fn = 3; CK(nothing(1, fn++) == 1 && fn == 4);
  int at = 5, ex = 4; CK(!__atomic_compare_exchange_n(&at, &ex, 9, 0, 5, 5) && ex == 5 && __atomic_compare_exchange_n(&at, &ex, 9, 0, 5, 5) && at == 9);
  CK(__sync_fetch_and_add(&at, 2) == 9 && __sync_add_and_fetch(&at, 2) == 13 && __atomic_fetch_sub(&at, 1, 0) == 13 && __atomic_xor_fetch(&at, 5, 0) == 9);
  CK(__sync_val_compare_and_swap(&at, 9, __sync_fetch_and_and(&ex, 1)) == 9 && at == 5 && !__sync_bool_compare_and_swap(&at, 1, 2) && at == 5 && ex == 1);
  CK(__atomic_exchange_n(&at, 8, 0) == 5 && __sync_lock_test_and_set(&at, 7) == 8 && __atomic_load_n(&at, 0) == 7); __sync_lock_release(&at); CK(at == 0);
  __atomic_store_n(&at, 3, 0); __sync_synchronize(); __atomic_exchange(&at, &ex, &fn, 0); CK(at == 1 && fn == 3 && __sync_fetch_and_nand(&at, 3) == 1 && at == -2);
  short as = 32767; CK(__sync_add_and_fetch(&as, 1) == -32768); char fl = 0; CK(!__atomic_test_and_set(&fl, 0) && __atomic_test_and_set(&fl, 0)); __atomic_clear(&fl, 0); CK(fl == 0);
  return 0;
}
