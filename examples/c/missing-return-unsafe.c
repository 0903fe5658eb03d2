// verdict: unsafe
// The value of a function that ends without a return is any value.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int sometimes(int x) {
  if (x > 0)
    return 1;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = sometimes(x);
  if (r != 1)
    reach_error();
  return 0;
}
