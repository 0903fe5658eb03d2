// property: memory
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  int x, *p = nondet() == 7 ? &x : malloc(4);
#ifndef FAULT
  if (p == &x) return 0;
#endif
  free(p);
  return 0;
}
