// property: memory
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  char *p = malloc(3);
  if (nondet() == 7) {
    free(p);
#ifndef FAULT
    p = 0;
#endif
  }
  free(p);
  return 0;
}
