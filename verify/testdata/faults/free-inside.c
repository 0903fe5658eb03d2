// property: memory
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  char *p = malloc(8), *q = p;
  if (nondet() == 7) q++;
#ifdef FAULT
  free(q);
#else
  free(p);
#endif
  return 0;
}
