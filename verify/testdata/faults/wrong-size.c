// property: memory
// gcc: address
#include <stdlib.h>
int nondet(void);
struct pair { int a, b; };
int main(void) {
#ifdef FAULT
  struct pair *p = malloc(sizeof p->a);
#else
  struct pair *p = malloc(sizeof *p);
#endif
  p->b = nondet();
  free(p);
  return 0;
}
