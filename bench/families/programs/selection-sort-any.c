// Selection sort of N arbitrary numbers, which are in order then.
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
  for (int i = 0; i + 1 < N; i++) {
    int least = i;
#ifdef BUG
    for (int j = i + 1; j + 1 < N; j++)
#else
    for (int j = i + 1; j < N; j++)
#endif
      if (a[j] < a[least])
        least = j;
    int held = a[i];
    a[i] = a[least];
    a[least] = held;
  }
  for (int i = 0; i + 1 < N; i++)
    __VERIFIER_assert(a[i] <= a[i + 1]);
  return 0;
}
