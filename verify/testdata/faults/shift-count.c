// property: shift
// gcc: undefined
int nondet(void);
int main(void) {
  unsigned n = nondet();
#ifdef FAULT
  if (n > 32) return 0;
#else
  if (n > 31) return 0;
#endif
  return 1u << n == 3;
}
// nondet 32
