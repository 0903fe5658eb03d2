// property: memory
// gcc: alignment
int nondet(void);
int main(void) {
  long long memory[4] = {0};
  char *p = (char *)memory;
  int n = nondet();
  if (n < 0 || n > 12)
    return 0;
#ifdef FAULT
  p += n;
#else
  p += n / 4 * 4;
#endif
  *(int *)p = 1;
  return 0;
}
