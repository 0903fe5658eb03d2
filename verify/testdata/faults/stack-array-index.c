// property: memory
// gcc: address
int nondet(void);
int main(void) {
  int a[10] = {0}, i = nondet();
  if (i < 0 || i > 10) return 0;
#ifndef FAULT
  if (i == 10) i = 9;
#endif
  a[i] = 1;
  int *p = a;
  return p[i] - 1;
}
// nondet 10
