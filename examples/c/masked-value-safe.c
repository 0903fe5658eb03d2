// verdict: safe
// A masked value is small, and a trace that thinks otherwise is no run; of two masks one matters.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x & 15;
  int z = (x ^ 3) & 1;
  if (y >= 16)
    reach_error();
  return 0;
}
