// verdict: safe
// What a loop writes to all elements of an array on the heap is there when another one reads it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = 7;
  for (int i = 0; i < n; i++)
    if (a[i] != 7)
      reach_error();
  return 0;
}
