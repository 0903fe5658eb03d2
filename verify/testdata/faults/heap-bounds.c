// property: memory
// gcc: address
#include <stdlib.h>
int nondet(void);
int main(void) {
  int n = nondet();
  if (n < 1 || n > 100) return 0;
  char *p = malloc(n);
  for (int i = 0; i < n; i++) p[i] = 0;
#ifdef FAULT
  p[n] = 0;
#endif
  free(p);
  return 0;
}
