// verdict: safe
// A statement expression has the value of its last statement, and can be left by a jump.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int clamp(int x) {
  int y = ({
    int t = x;
    if (t < 0)
      return -1;
    if (t > 100)
      goto large;
    t * 2;
  });
  return y;
large:
  return 1000;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = clamp(x);
  if (x < 0)
    check(r == -1);
  else if (x > 100)
    check(r == 1000);
  else
    check(r == 2 * x);
  return 0;
}
