// property: leaks
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  char *p = malloc(4);
  if (nondet() == 7) {
#ifndef FAULT
    free(p);
#endif
    return 0;
  }
  free(p);
  return 0;
}
