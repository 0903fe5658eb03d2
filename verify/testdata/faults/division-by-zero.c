// property: division
// gcc: undefined
int nondet(void);
int main(void) {
  int x = nondet();
#ifndef FAULT
  if (x == 0) return 0;
#endif
  return 100 % x == 1000;
}
// nondet 0
