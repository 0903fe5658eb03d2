/* Objects whose initialisers give elements to the flexible array member of their struct: as gcc does. */
#include <assert.h>
typedef unsigned char Bytes[];
struct s { int n; char d[]; } x = { 3, { 1, 2, 3 } }, z = { .d = { 1, 2, 3 }, .d = { 4, 5 }, .n = 5 }, empty = { 1, {} };
static struct s y = { 9, "abcdef" };
struct p { int n; char c; char d[]; } p = { 3, 1, { 1 } }, q = { 4, 5, "hello" };
struct i { int n; int d[]; } i = { 2, { 10, 20 } };
struct g { int n; struct { short a; char b; } d[]; } g = { .n = 1, .d[2].b = 5, .d[0] = { 1, 2 } };
struct m { int n; int d[][2]; } m = { 1, { 1, 2, 3 } };
struct b { int n; Bytes d; } b = { 3, { [1 ... 2] = 7, 200 } };
struct v { int len; char *names[]; } v = { 2, { "ab", "cde" } };
struct w { short a, b; short d[]; } w1 = { 1, 2, { 3, 4, 5 } }, w2 = { 6, 7, { 8 } };
extern struct s late;
static void inc(struct w *w) { w->d[0]++; }
static int sum(char *from, int n) { int t = 0; for (int k = 0; k < n; k++) t += from[k]; return t; }
static char *letter(int k) { static struct s local = { 1, { [3] = 7 } }; return &local.d[k]; }
int main(void) {
  struct i *to = &i;
  assert(sizeof x == 4 && sizeof p == 8 && sizeof late == 4);
  assert(sum(x.d, x.n) == 6 && y.d[5] == 'f' && y.d[6] == 0 && z.d[0] == 4 && z.d[1] == 5 && z.n == 5 && empty.n == 1);
  assert(to->d[1] == 20); to->d[1] = 5; assert(i.d[1] == 5 && i.d[0] == 10 && i.n == 2);
  assert(g.d[2].b == 5 && g.d[2].a == 0 && g.d[1].b == 0 && g.d[0].a == 1 && g.n == 1);
  assert(m.d[1][0] == 3 && m.d[1][1] == 0 && m.d[0][1] == 2);
  assert(p.d[0] == 1 && p.d[1] == 0 && q.d[4] == 'o' && q.d[5] == 0 && *letter(3) == 7 && *letter(1) == 0);
  assert(b.d[0] == 0 && b.d[1] == 7 && b.d[2] == 7 && b.d[3] == 200); b.d[3]++; assert(b.d[3] == 201 && b.n == 3);
  assert(v.names[1][2] == 'e'); v.names[0] = "x"; assert(v.names[0][0] == 'x' && v.len == 2);
  inc(x.n == 3 ? &w2 : &w1); assert(w1.d[0] == 3 && w2.d[0] == 9 && w2.b == 7 && w1.d[2] == 5);
  char *e = x.d + 3; e[-1] = 50; assert(x.d[2] == 50 && x.n == 3); assert(late.d[1] == 6);
  return 0;
}
struct s late = { 2, { 5, 6 } };
