/* Unions that are passed like any of their members. */
#include <assert.h>
union any { int *i; const char *c; } __attribute__((transparent_union));
typedef union { int *ip; void *vp; } any_t __attribute__((__transparent_union__));
static int read_int(union any x) { return *x.i; }
static int is_null(any_t x) { return !x.vp; }
int main(void) {
  int n = 4;
  assert(read_int(&n) == 4 && is_null(0) && !is_null((void *)&n) && !is_null(&n) && read_int((union any){ &n }) == 4);
  return 0;
}
