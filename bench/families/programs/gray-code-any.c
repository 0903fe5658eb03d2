// The first 2 N words of the reflected Gray code of N digits in any base from 2 to 4 (Knuth, 7.2.1.1, algorithm H): digits are digits.
#include <assert.h>

#define N 8

extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

int digit[N], direction[N], focus[N + 1];

int main(void) {
  int m = __VERIFIER_nondet_int();
  if (m < 2 || m > 4)
    return 0;
  for (int i = 0; i < N; i++) {
    digit[i] = 0;
    direction[i] = 1;
    focus[i] = i;
  }
  focus[N] = N;
  for (int word = 1; word < 2 * N; word++) {
    int j = focus[0];
    focus[0] = 0;
    if (j == N)
      break;
    digit[j] += direction[j];
#ifdef BUG
    if (digit[j] == 0 || digit[j] == m) {
#else
    if (digit[j] == 0 || digit[j] == m - 1) {
#endif
      direction[j] = -direction[j];
      focus[j] = focus[j + 1];
      focus[j + 1] = j + 1;
    }
    __VERIFIER_assert(0 <= digit[j] && digit[j] < m);
  }
  return 0;
}
