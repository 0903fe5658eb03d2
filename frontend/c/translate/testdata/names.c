// Objects that pointers stand for by name, structs by their scalars, arrays by their elements, and what needs no variable.
extern void reach_error(void);
struct point { int x, y; unsigned f : 3; };
static const int limit = 10;
static int never_read;
int table[100], small[3] = {1, 2};
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static void move(struct point *p, int by) { p->x += by; p->f = by; }
int main(void) {
  int u = 1, v = 2, local[50];
  struct point p = {1, 2}, q;
  swap(&u, &v);
  swap(&table[3], &u);
  move(&p, limit);
  q = p;
  never_read = u;
  small[2] = small[1];
  local[0] = 1;
  if (sum(table, limit) + sum(local + 3, 5) + sum(&table[u], 2) + q.x == small[2])
    reach_error();
  return 0;
}
