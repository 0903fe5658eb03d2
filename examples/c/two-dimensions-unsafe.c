// verdict: unsafe
// A two-dimensional array is rows one after the other.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int m[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = 10 * i + j;
  check(*(m[1] + 2) == 12);
  check((*(m + 2))[3] == 23);
  int *flat = &m[0][0];
  check(flat[4 * 2 + 1] == 12);
  check(sizeof m[0] == 4 * sizeof(int));
  return 0;
}
