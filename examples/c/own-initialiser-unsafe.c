// verdict: unsafe
// A name is in scope in its own initialiser: there it has no value yet.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int z = 5;
  int outer = z;
  {
    int z = z;
    check(z == 5);
  }
  check(z == outer);
  return 0;
}
