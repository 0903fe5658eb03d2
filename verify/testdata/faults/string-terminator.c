// property: memory
// gcc: address
#include <string.h>
#include <stdlib.h>
int nondet(void);
int main(void) {
#ifdef FAULT
  char *p = malloc(5);
#else
  char *p = malloc(6);
#endif
  if (nondet() == 7) strcpy(p, "hello");
  free(p);
  return 0;
}
