// verdict: safe
// No unsigned number is below 0, so that counting down ends nowhere: behind 0 is the greatest number.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned rounds = 0, u;
  for (u = 3; u >= 0; u--) {
    if (u > 3)
      break;
    rounds++;
  }
  check(rounds == 4);
  unsigned zero = 0;
  check(zero - 1 > 0);
  check(u == 4294967295u);
  return 0;
}
