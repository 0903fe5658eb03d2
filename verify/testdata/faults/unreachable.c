// property: unreachable
// gcc: undefined
int nondet(void);
int main(void) {
  int x = nondet();
#ifndef FAULT
  x &= 1;
#endif
  switch (x & 3) {
  case 0: return 0;
  case 1: return 0;
  default: __builtin_unreachable();
  }
}
// nondet 2
