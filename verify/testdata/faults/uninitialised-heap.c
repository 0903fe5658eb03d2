// property: uninitialised
#include <stdlib.h>
int nondet(void);
struct s { int a, b; };
int main(void) {
  struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  p->a = nondet();
#ifndef FAULT
  p->b = 1;
#endif
  *q = *p;
  return q->b ? 1 : 0;
}
