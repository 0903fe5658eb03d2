// property: memory
// no harness: what scanf writes is not repeated where that is the fault
#include <stdio.h>
int nondet(void);
int main(void) {
  int a[3], n = nondet();
  if (n < 0 || n > 3)
    return 0;
#ifndef FAULT
  if (n == 3)
    return 0;
#endif
  if (scanf("%d", &a[n]) != 1)
    return 1;
  return 0;
}
