// Copies any string of less than N characters: the copy has an end within its N characters.
#include <assert.h>

#define N 8

extern char __VERIFIER_nondet_char(void);

void reach_error(void) { assert(0); }

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

char from[N], to[N];

int main(void) {
  for (int i = 0; i < N; i++)
    from[i] = __VERIFIER_nondet_char();
#ifdef BUG
  from[N - 1] = from[0];
#else
  from[N - 1] = 0;
#endif
  int i = 0;
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
    __VERIFIER_assert(i < N);
  }
  to[i] = 0;
  return 0;
}
