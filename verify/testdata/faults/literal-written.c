// property: memory
// gcc: address
int nondet(void);
int main(void) {
  char own[] = "abc";
  char *p = nondet() == 7 ? "abc" : own;
#ifndef FAULT
  p = own;
#endif
  p[0] = 'x';
  return 0;
}
