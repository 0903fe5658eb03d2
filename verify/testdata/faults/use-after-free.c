// property: memory
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  int *p = malloc(sizeof(int)), r = 0;
  *p = 0;
  if (nondet() == 7) {
#ifdef FAULT
    free(p);
    return *p;
#endif
    r = *p;
  }
  free(p);
  return r;
}
