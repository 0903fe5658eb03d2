// Insertion sort of N arbitrary numbers by exchanges, which are in order then.
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
  for (int i = 1; i < N; i++)
#ifdef BUG
    for (int j = i; j > 1; j--)
#else
    for (int j = i; j > 0; j--)
#endif
      if (a[j - 1] > a[j]) {
        int held = a[j];
        a[j] = a[j - 1];
        a[j - 1] = held;
      }
  for (int i = 0; i + 1 < N; i++)
    __VERIFIER_assert(a[i] <= a[i + 1]);
  return 0;
}
