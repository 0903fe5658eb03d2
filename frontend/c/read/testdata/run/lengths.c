/* What is evaluated of types whose size is computed: as gcc does. */
#include <assert.h>
static int calls;
static int side(void) { return calls++; }
static int first(int n, int a[n++]) { return n; }
static int second(int n, int a[][n++]) { return n * 100 + sizeof(a[0]) / sizeof(int); }
static int both(int n, int a[side() + 2][n++]) { return n; }
static int old(n, a) int n; int a[][2]; { return n; }
static int called(int (*f)(int n, int a[][n++]), int n) { return f(n, 0); }
int main(void) {
  int n = 3;
  assert(sizeof(int (*)[n++]) == sizeof(void *) && n == 3); assert(sizeof(char[n++]) == 3 && n == 4); assert(sizeof(char[n++][2]) == 8 && n == 5);
  assert(_Alignof(int[n++]) == sizeof(int) && n == 5); assert(__builtin_types_compatible_p(int[n++], int) == 0 && n == 5);
  typeof(int (*)[n++]) q; assert(n == 6 && sizeof *q == 5 * sizeof(int));
  int (*p)[n] = (int (*)[n++])0; assert(n == 7 && sizeof *p == 6 * sizeof(int));
  int i = 0, b[n][2]; assert(sizeof(b[i++]) == 2 * sizeof(int) && i == 0); assert(sizeof(i++, b) == sizeof(void *) && i == 0); assert(sizeof(*(i++, p)) == 6 * sizeof(int) && i == 1);
  int c[2][n]; typeof(c[i++]) d; assert(i == 2 && sizeof d == 7 * sizeof(int)); assert(sizeof(&c[i++]) == sizeof(void *) && i == 2); assert(sizeof(typeof(d[i++])) == sizeof(int) && i == 2);
  assert(sizeof(char[(i++, 3)][2]) == 6 && i == 3); int m = 2; assert(sizeof(char[sizeof(char[m++])]) == 2 && m == 3);
  typedef char T[m++]; T t; m = 50; T u; assert(sizeof t == 3 && sizeof u == 3 && sizeof(T) == 3);
  for (char k[m = 2], j = 0; j < 2; j++) m += sizeof k;
  assert(m == 6); while (sizeof(char[m--]) > 3) ;
  assert(m == 2); extern int unused(int (*)[m++]); int (*f)(int n, int x[n][m++]) = 0; assert(m == 2 && !f);
  assert(_Generic((int (*)[m++])0, int (*)[]: 1, default: 2) == 1 && m == 2); assert(sizeof(*(char (*)[m++])0) == 2 && m == 3);
  for (n = 1; n < 4; n++) { char e[n]; assert(sizeof e == n && sizeof(char[n]) == n); }
  assert(first(3, 0) == 4 && second(4, 0) == 504 && both(2, 0) == 3 && calls == 1 && called(second, 2) == 302 && old(3, 0) == 3);
  return 0;
}
