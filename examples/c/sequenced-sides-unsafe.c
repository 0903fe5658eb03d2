// verdict: unsafe
// The comma operator orders what it separates, and a full expression ends before the next begins.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int i = 3, j;
  j = (i++, i * 2);
  check(i == 4 && j == 8);
  j = i++ + 10;
  check(j == 14);
  check(i == 4);
  return 0;
}
