// verdict: safe
// An array has the length that its declaration found; sizeof computes it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 20)
    return 0;
  int a[n];
  int old = n;
  n = 0;
  check(sizeof a == old * sizeof(int));
  for (int i = 0; i < old; i++)
    a[i] = i * i;
  check(a[old - 1] == (old - 1) * (old - 1));
  return 0;
}
