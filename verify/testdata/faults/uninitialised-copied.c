// property: uninitialised
#include <string.h>
int nondet(void);
struct s { int n; char c; };
int main(void) {
  struct s a, b;
  a.n = 3;
#ifndef FAULT
  a.c = 'x';
#endif
  memcpy(&b, &a, sizeof a);
  if (b.n == 3 && b.c == 'x' && nondet())
    return 1;
  return 0;
}
