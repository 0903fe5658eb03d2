// Insertion sort, by exchanges, of N known numbers, in order but for the least, which is the last: every number comes to its place.
#include <assert.h>

#define N 8

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

int a[N];

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i + 1 < N ? i + 1 : 0;
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
  for (int i = 0; i < N; i++)
    __VERIFIER_assert(a[i] == i);
  return 0;
}
