// verdict: safe
// Structs are copied when they are assigned, passed and returned, arrays in them too.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

struct inner {
  int values[3];
  char tag;
};
struct outer {
  struct inner in;
  int n;
};

static struct outer twice(struct outer o) {
  for (int i = 0; i < 3; i++)
    o.in.values[i] *= 2;
  o.n++;
  return o;
}

int main(void) {
  struct outer a = {{{1, 2, 3}, 'x'}, 0}, b;
  b = a;
  b.in.values[0] = 50;
  check(a.in.values[0] == 1);
  struct outer c = twice(a);
  check(c.in.values[2] == 6 && c.n == 1 && c.in.tag == 'x');
  check(twice(b).in.values[0] == 100);
  check(a.in.values[2] == 3);
  return 0;
}
