// verdict: unsafe
// Bit-fields wrap at their widths, and a signed one of one bit is 0 or -1.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

struct flags {
  char before;
  unsigned a : 3;
  int b : 1;
  unsigned c : 12;
};

int main(void) {
  struct flags f = {0};
  f.before = 77;
  f.a = 7;
  f.a++;
  check(f.a == 0);
  int stored = (f.a = 9);
  check(stored == 1 && f.a == 1);
  f.b = 1;
  check(f.b == -1);
  f.c = 4095;
  check(f.c == 4095 && f.a == 1 && f.before == 77);
  check(sizeof f == 8);
  return 0;
}
