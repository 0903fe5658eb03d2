// Compares any two strings of less than N characters: those that are said to be equal are.
#include <assert.h>

#define N 8

extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);

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
  while (i < N - 3 && a[i] != 0 && a[i] == b[i])
#else
  while (a[i] != 0 && a[i] == b[i])
#endif
    i++;
  if (a[i] == b[i])
    for (int k = 0; k < N; k++) {
      __VERIFIER_assert(a[k] == b[k]);
      if (a[k] == 0)
        break;
    }
  return 0;
}
