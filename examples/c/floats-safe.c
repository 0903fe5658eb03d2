// verdict: safe
// Numbers are rounded to the type that they have.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  float third = 1.0f / 3;
  double precise = 1.0 / 3;
  check(third != precise);
  check((float)precise == third);
  check((int)-2.9 == -2);
  check(0.1 + 0.2 > 0.3);
  check((float)16777217 == 16777216.0f);
  return 0;
}
