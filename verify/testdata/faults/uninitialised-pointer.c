// property: memory
int nondet(void);
int main(void) {
  int x, *p;
#ifndef FAULT
  p = &x;
#endif
  *p = nondet();
  return 0;
}
