// property: uninitialised
int nondet(void);
static int half(int by) { return 100 / by; }
int main(void) {
  int d[2];
  d[0] = 4;
#ifndef FAULT
  d[1] = 5;
#endif
  half(d[nondet() == 7]);
  return 0;
}
