// verdict: unsafe
// A continue in a do-while goes to the test.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int i = 0, kept = 0;
  do {
    i++;
    if (i % 3 == 0)
      continue;
    kept++;
  } while (i < 9);
  check(i == 9);
  check(kept == 7);
  return 0;
}
