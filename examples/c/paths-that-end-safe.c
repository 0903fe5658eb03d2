// verdict: safe
// abort, exit and assumptions end a path before its error.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

extern void abort(void);
extern void exit(int);
static void assume_abort_if_not(int condition) {
  if (!condition)
    abort();
}
static void finish(int code) { exit(code); }

void __VERIFIER_assert(int condition) {
  if (!condition) {
  ERROR:
    reach_error();
    abort();
  }
}

static void unused(void) { reach_error(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  assume_abort_if_not(x > 10);
  __VERIFIER_assert(x > 5);
  if (x > 1000) {
    finish(0);
    reach_error();
  }
  __VERIFIER_assert(x <= 1000);
  return 0;
}
