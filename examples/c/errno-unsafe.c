// verdict: unsafe
// A function of the library may set errno.
#include <errno.h>
#include <stdio.h>

extern void reach_error(void);

int main(void) {
  errno = 0;
  int c = getchar();
  if (c == EOF && errno == EIO)
    reach_error();
  return 0;
}
