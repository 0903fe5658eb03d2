// property: valid-memtrack
// gcc: leak
#include <stdlib.h>
int nondet(void);
int *kept;
int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
#ifdef FAULT
  if (nondet() == 7)
    p = q;
#endif
  *p = 1;
  free(q);
  if (p != q)
    free(p);
  return 0;
}
