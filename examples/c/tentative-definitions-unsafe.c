// verdict: unsafe
// All declarations of a global are one object.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int g;
int g = 3;
int g;
extern int later[];
int zero;

static int read_later(void) { return later[2]; }

int later[4] = {1, 2, 3};

int main(void) {
  extern int g;
  check(g == 3);
  check(zero == 0);
  check(read_later() == 3);
  check(later[3] == 3);
  return 0;
}
