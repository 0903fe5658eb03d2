// Partitions N arbitrary numbers around the last of them: less than N are less.
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
  int pivot = a[N - 1];
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
  __VERIFIER_assert(low < N);
  return 0;
}
