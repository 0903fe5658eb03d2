// verdict: safe
// && , || and ?: evaluate only what they need.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int calls_f, calls_g;
static int f(void) { calls_f++; return 1; }
static int g(void) { calls_g++; return 0; }

int main(void) {
  int a = __VERIFIER_nondet_int(), b = 0, d = 0;
  int r = a && (b = 1);
  check(b == (a != 0));
  check(r == b);
  if (a || d++)
    check(d == 0);
  else
    check(d == 1);
  r = a ? f() : g();
  check(calls_f + calls_g == 1);
  check(r == calls_f);
  return 0;
}
