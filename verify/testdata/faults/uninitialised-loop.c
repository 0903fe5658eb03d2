// property: uninitialised
int nondet(void);
int main(void) {
  int best;
  int n = nondet(), found = 0;
  for (int i = 0; i < n; i++)
    if (nondet()) {
      best = i;
      found = 1;
    }
#ifdef FAULT
  found = 1;
#endif
  if (found && best > 10)
    return 1;
  return 0;
}
