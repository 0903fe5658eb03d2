// verdict: safe
// Strings are copied and compared byte by byte, up to their zero.
extern void reach_error(void);

extern __SIZE_TYPE__ strlen(const char *);
extern int strcmp(const char *, const char *);
extern char *strcpy(char *, const char *);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  char a[8], b[8];
  strcpy(a, "horn");
  check(strlen(a) == 4 && a[4] == 0);
  memcpy(b, a, 5);
  check(strcmp(a, b) == 0);
  b[3] = 'x';
  check(strcmp(a, b) < 0);
  memset(b, 'z', 7);
  b[7] = 0;
  check(strlen(b) == 7);
  return 0;
}
