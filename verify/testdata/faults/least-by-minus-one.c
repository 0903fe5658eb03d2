// property: division
// gcc: undefined
int nondet(void);
int main(void) {
  int x = nondet();
  if (x == 0) return 0;
#ifndef FAULT
  if (x == -1) return 0;
#endif
  return (-2147483647 - 1) / x == 3;
}
// nondet -1
