// verdict: unsafe
// The element behind those that a loop writes to holds what it held before, which may be anything.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  int *a = malloc((n + 1) * sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = 7;
  for (int i = 0; i <= n; i++)
    if (a[i] == 7654321)
      reach_error();
  return 0;
}
