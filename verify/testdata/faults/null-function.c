// property: memory
// gcc: address
int nondet(void);
int one(void) { return 0; }
int (*f)(void);
int main(void) {
  if (nondet() != 7) f = one;
#ifndef FAULT
  if (!f) return 0;
#endif
  return f();
}
