// Partitions N arbitrary numbers around a pivot: those before the border are less, the others are not.
#include <assert.h>

#define N 8

extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

int a[N];

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = __VERIFIER_nondet_int();
  int pivot = __VERIFIER_nondet_int();
  int low = 0;
  for (int i = 0; i < N; i++)
#ifdef BUG
    if (a[i] <= pivot) {
#else
    if (a[i] < pivot) {
#endif
      int held = a[i];
      a[i] = a[low];
      a[low] = held;
      low++;
    }
  int k = __VERIFIER_nondet_int();
  if (0 <= k && k < low)
    __VERIFIER_assert(a[k] < pivot);
  if (low <= k && k < N)
    __VERIFIER_assert(a[k] >= pivot);
  return 0;
}
