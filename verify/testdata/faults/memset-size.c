// property: memory
// gcc: address
#include <string.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(10 * sizeof(int));
#ifdef FAULT
  memset(p, 0, 11 * sizeof(int));
#else
  memset(p, 0, 10 * sizeof(int));
#endif
  free(p);
  return 0;
}
