// verdict: unsafe
// An uninitialised object has one value until it is written; entered again, a block's object may have another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x;
  int a = x;
  int b = x;
  check(a == 0);
  return 0;
}
