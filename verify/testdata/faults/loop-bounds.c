// property: memory
// gcc: address
int a[20];
int main(void) {
  int s = 0;
#ifdef FAULT
  for (int i = 0; i <= 20; i++) s += a[i];
#else
  for (int i = 0; i < 20; i++) s += a[i];
#endif
  return s;
}
