// verdict: safe
// A name is in scope in its own initialiser; sibling blocks have objects of their own; a static one lives on.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int depth(int n) {
  static int calls = 0;
  calls++;
  if (n > 0)
    depth(n - 1);
  return calls;
}

int main(void) {
  int z = 5;
  {
    int y = z;
    int z = 7;
    check(y == 5 && z == 7);
  }
  {
    int z = 1;
    z++;
    check(z == 2);
  }
  check(z == 5);
  check(depth(3) == 4);
  check(depth(0) == 5);
  return 0;
}
