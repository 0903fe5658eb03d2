// property: uninitialised
#include <stdio.h>
int nondet(void);
struct pair { int x, y; };
static struct pair make(int n) {
  struct pair p;
  p.x = n;
#ifdef FAULT
  if (n != 7)
#endif
  p.y = 2 * (n & 15);
  return p;
}
int main(void) {
  struct pair p = make(nondet());
  printf("%d\n", p.y);
  return 0;
}
