// verdict: safe
// goto leads into a loop past an initialiser, out of two loops, and back.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = 0, rounds = 0;
  goto inside;
  while (n < 5) {
    int step = 1;
  inside:
    step = 2;
    n += step;
    rounds++;
  }
  check(n == 6 && rounds == 3);
  int found = -1;
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      if (i * j == 42) {
        found = i * 10 + j;
        goto out;
      }
out:
  check(found == 67);
  n = 0;
again:
  n++;
  if (n < 7)
    goto again;
  check(n == 7);
  return 0;
}
