// property: memory
// gcc: address
int nondet(void);
int main(void) {
  int y = 0, *p = &y;
  {
    int x = nondet();
    if (x == 7) {
      p = &x;
#ifndef FAULT
      p = &y;
#endif
    }
  }
  return *p;
}
