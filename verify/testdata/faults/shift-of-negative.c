// property: shift
// gcc: undefined
int nondet(void);
int main(void) {
  int x = nondet();
  if (x > 100
#ifndef FAULT
      || x < 0
#endif
  ) return 0;
  return x << 2 == 3;
}
// nondet -3
