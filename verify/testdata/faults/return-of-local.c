// property: memory
int nondet(void);
static int kept;
int *get(void) {
  int local = nondet();
#ifdef FAULT
  int *p = &local;
#else
  int *p = &kept;
  *p = local;
#endif
  return p;
}
int main(void) {
  int *p = get();
  return *p == 8;
}
