// verdict: unsafe
// Memory from calloc is zero, and realloc keeps what was there.
extern void reach_error(void);

extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
extern void free(void *);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int *a = calloc(4, sizeof(int));
  check(a[0] == 0 && a[3] == 0);
  a[3] = 17;
  a = realloc(a, 8 * sizeof(int));
  a[7] = 1;
  check(a[3] == 0);
  free(a);
  return 0;
}
