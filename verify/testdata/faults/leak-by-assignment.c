// property: leaks
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  int *p = malloc(4);
#ifdef FAULT
  p = malloc(8);
#endif
  p[0] = nondet();
  free(p);
  return 0;
}
