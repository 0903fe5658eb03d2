// property: uninitialised
int nondet(void);
int main(void) {
  int x, y;
  int n = nondet();
  if (n > 3)
    x = 1;
#ifndef FAULT
  if (n <= 3)
    x = 2;
#endif
  y = x + 1;
  if (y == 2)
    return 1;
  return 0;
}
