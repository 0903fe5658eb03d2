// property: memory
// gcc: address
int nondet(void);
int main(void) {
  int x = 1, *p = nondet() == 7 ? 0 : &x;
#ifndef FAULT
  if (!p) return 0;
#endif
  return *p - 1;
}
