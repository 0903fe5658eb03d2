// Copies any string of less than N characters, which is the same then.
#include <assert.h>

#define N 8

extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

char from[N], to[N];

int main(void) {
  for (int i = 0; i < N; i++)
    from[i] = __VERIFIER_nondet_char();
  from[N - 1] = 0;
  int i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
#ifdef BUG
  to[i - (i == N - 1)] = 0;
#else
  to[i] = 0;
#endif
  for (int k = 0; k <= i; k++)
    __VERIFIER_assert(to[k] == from[k]);
  return 0;
}
