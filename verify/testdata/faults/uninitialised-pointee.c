// property: uninitialised
int nondet(void);
static void get(int *p, int n) {
#ifdef FAULT
  if (n == 7)
    return;
#endif
  *p = n;
}
int main(void) {
  int x;
  get(&x, nondet());
  while (x > 100)
    x--;
  return 0;
}
