// property: memory
// gcc: address
#include <string.h>
int nondet(void);
int main(void) {
  char a[8], b[16] = {0};
  unsigned n = nondet();
#ifdef FAULT
  if (n > sizeof b) return 0;
#else
  if (n > sizeof a) return 0;
#endif
  memcpy(a, b, n);
  return 0;
}
// nondet 9
