// verdict: safe
// An unsigned number is never below 0: 0 - 1 is the greatest one.
extern void reach_error(void);

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 20)
    return 0;
  unsigned rounds = 0;
  for (unsigned u = n; u <= n; u--)
    rounds++;
  if (rounds != n + 1)
    reach_error();
  if (n > 0 && n - 1 >= n)
    reach_error();
  return 0;
}
