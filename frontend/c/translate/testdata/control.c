// Loops, jumps and cases.
extern int nd(void);
extern void abort(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
int main(void) {
  int n = nd(), k = 0;
  __VERIFIER_assume(n >= 0);
  for (int i = 0; i < n; i++) {
    if (i == 5)
      continue;
    if (i == 7)
      break;
    k += 2;
  }
  do {
    k--;
    if (k == 3)
      goto out;
  } while (k > 0);
  while (1) {
    switch (k) {
    case 1:
      k = 4;
    case 2 ... 9:
      k++;
      break;
    default:
      abort();
    }
    if (k > 20)
      break;
  }
out:
  __VERIFIER_assert(k >= 0);
  return k;
}
