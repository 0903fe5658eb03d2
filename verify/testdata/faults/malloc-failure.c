// property: memory
#include <stdlib.h>
// malloc may fail
int main(void) {
  int *p = malloc(4);
#ifndef FAULT
  if (!p) return 0;
#endif
  *p = 1;
  free(p);
  return 0;
}
