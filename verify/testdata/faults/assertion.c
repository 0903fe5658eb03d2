// property: assertions
void __VERIFIER_assert(int);
int nondet(void);
int main(void) {
  int x = nondet();
#ifndef FAULT
  if (x == 7) return 0;
#endif
  __VERIFIER_assert(x != 7);
  return 0;
}
