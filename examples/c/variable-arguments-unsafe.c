// verdict: unsafe
// Functions take as many arguments as they are given: each is found behind the one before it.
#include <stdarg.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int sum(int n, ...) {
  va_list list;
  int s = 0;
  va_start(list, n);
  if (n > 0)
    s = va_arg(list, int);
  if (n > 1)
    s += va_arg(list, int);
  va_end(list);
  return s;
}

static int *chosen(int second, ...) {
  va_list list, copy;
  va_start(list, second);
  va_copy(copy, list);
  int *p = va_arg(copy, int *);
  if (second)
    p = va_arg(copy, int *);
  va_end(copy);
  va_end(list);
  return p;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned char c = 200;
  int x = 0, y = 0;
  *chosen(n > 0, &x, &y) = 7;
  if (x + y != 7 || n > 0 && x == 7)
    reach_error();
  if (n > 1000 || n < 0)
    return 0;
  if (sum(0) != 0 || sum(2, c, n) == 207)
    reach_error();
  return 0;
}
