// verdict: safe
// Division truncates towards zero, a remainder has the sign of the dividend, and the least number by -1 wraps around.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a = -7, b = 2;
  check(a / b == -3 && a % b == -1);
  check(-a / -b == -3 && -a % -b == 1);
  check(a / -b == 3 && a % -b == -1);
  int least = -2147483647 - 1;
  check(least / -1 == least && least % -1 == 0);
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > -1000 && x < 1000 && y > 0 && y < 1000) {
    int r = x % y;
    check(r < y && r > -y);
    check(x >= 0 || r <= 0);
  }
  return 0;
}
