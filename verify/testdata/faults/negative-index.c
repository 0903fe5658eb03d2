// property: memory
// gcc: address
int nondet(void);
int main(void) {
  int a[4] = {0}, i = nondet();
  if (i >= 4
#ifndef FAULT
      || i < 0
#endif
  ) return 0;
  return a[i];
}
// nondet -1
