// property: overflow
// gcc: undefined
int nondet(void);
int main(void) {
  short x = nondet(), y = nondet();
#ifdef FAULT
  return (unsigned short)x * (unsigned short)y == 3;
#else
  return x * y == 3;
#endif
}
// nondet 65535
