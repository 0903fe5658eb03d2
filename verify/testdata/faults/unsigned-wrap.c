// property: unsigned-overflow
int nondet(void);
int main(void) {
  unsigned x = nondet(), y = nondet();
#ifndef FAULT
  if (x < y) return 0;
#endif
  return x - y == 7;
}
