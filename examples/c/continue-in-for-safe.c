// verdict: safe
// A continue goes to the third part of a for, which may be a comma expression.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int i, j, odd = 0;
  for (i = 0, j = 10; i < 10; i++, j--) {
    if (i % 2 == 0)
      continue;
    odd++;
  }
  check(i == 10 && odd == 5);
  check(j == 0);
  return 0;
}
