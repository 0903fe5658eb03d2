// Compares any two strings of less than N characters: that comes to an end within them.
#include <assert.h>

#define N 8

extern char __VERIFIER_nondet_char(void);

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

char a[N], b[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_char();
    b[i] = __VERIFIER_nondet_char();
  }
  a[N - 1] = 0;
  b[N - 1] = 0;
  int i = 0;
#ifdef BUG
  while (a[i] == b[i]) {
#else
  while (a[i] == b[i] && a[i] != 0) {
#endif
    i++;
    __VERIFIER_assert(i < N);
  }
  return 0;
}
