/* Pointers to arrays whose length is computed. */
#include <assert.h>
static int at(int n, int a[][n], int i, int j) { n = 100; return a[i][j]; }
int main(void) {
  int buf[12], m = 3; for (int i = 0; i < 12; i++) buf[i] = i * i;
  assert(((int (*)[m++])buf)[1][2] == 25 && m == 4);
  { int (*r)[m] = (int (*)[m++])buf; assert(m == 5 && r[2][1] == 81 && &r[2] - &r[0] == 2 && (char *)(r + 1) - (char *)r == 4 * sizeof(int)); }
  for (int i = 1; i < 5; i++) assert(((int (*)[i])buf)[2][0] == 4 * i * i);
  assert(at(2, (void *)buf, 3, 1) == 49 && at(5, (void *)buf, 1, 1) == 36);
  return 0;
}
