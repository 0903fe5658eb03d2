// verdict: unsafe
// Initialisers are partial, designated, overridden, with braces left out; what is not named is zero.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

struct point {
  int x, y;
  struct {
    char name[4];
    int z;
  } in;
};

int main(void) {
  int a[6] = {1, 2, [4] = 5, 6, [1] = 20};
  check(a[0] == 1 && a[1] == 20 && a[2] == 0 && a[3] == 0 && a[4] == 5 && a[5] == 6);
  struct point p = {.y = 2, .x = 1, .in = {"ab", 9}, .y = 3};
  check(p.x == 1 && p.y == 3 && p.in.z == 9);
  check(p.in.name[1] == 'b' && p.in.name[2] == 0);
  struct point q[2] = {1, 2, {{'c'}, 4}, {5}};
  check(q[0].in.z == 4 && q[1].x == 5 && q[1].in.name[0] == 0);
  char b[2] = "ab";
  check(b[1] == 'b');
  int r[] = {[0 ... 2] = 4, 5};
  check(sizeof r / sizeof r[0] == 3);
  return 0;
}
