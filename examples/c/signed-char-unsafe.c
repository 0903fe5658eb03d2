// verdict: unsafe
// A char is signed: (char)200 is -56, as an offset and as a bound.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int values[64];
  for (int i = 0; i < 64; i++)
    values[i] = i;
  char c = (char)200;
  int *middle = values + 60;
  check(middle[c] == 4);
  int rounds = 0;
  for (int i = 0; i < c; i++)
    rounds++;
  check(rounds == 200);
  return 0;
}
