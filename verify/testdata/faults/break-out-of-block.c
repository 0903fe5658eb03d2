// property: memory
// gcc: address
int nondet(void);
int main(void) {
  int y = 0, *p = &y;
  for (int i = 0; i < 3; i++) {
    int x = i;
    p = &x;
    if (nondet() == 7) break;
#ifdef FAULT
    continue;
#endif
    p = &y;
  }
#ifndef FAULT
  p = &y;
#endif
  return *p;
}
