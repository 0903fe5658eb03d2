// property: memory
// gcc: address
int nondet(void);
int a[8];
int main(void) {
  unsigned i = nondet() & 15;
#ifndef FAULT
  i &= 7;
#endif
  return a[i];
}
// nondet 8
