// property: uninitialised
int nondet(void);
int main(void) {
  int a[4] = {0}, i;
  for (int n = nondet(); n > 0; n--)
    i = n & 3;
#ifndef FAULT
  i = 0;
#endif
  a[i] = 1;
  return 0;
}
