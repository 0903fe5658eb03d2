// verdict: safe
// A table of functions, a null function, and recursion through a pointer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int first(int a, int b) { return a; }

static int (*const table[])(int, int) = {add, subtract, first, 0};

static int countdown(int (*next)(int, void *), int n) { return n == 0 ? 0 : 1 + next(n - 1, next); }
static int step(int n, void *self) { return countdown(self, n); }

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3)
    return 0;
  if (table[i] == 0) {
    check(i == 3);
    return 0;
  }
  int r = table[i](7, 4);
  check(r == (i == 0 ? 11 : i == 1 ? 3 : 7));
  check(countdown(step, 5) == 5);
  return 0;
}
