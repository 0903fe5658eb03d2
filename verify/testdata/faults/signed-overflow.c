// property: overflow
// gcc: undefined
int nondet(void);
int main(void) {
  int x = nondet();
#ifndef FAULT
  if (x > 1000) return 0;
#endif
  if (x < 0) return 0;
  return x + 1 == 0;
}
// nondet 2147483647
