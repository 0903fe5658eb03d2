// verdict: safe
// errno is an object that functions of the library set, though never to 0; what they return is in their range.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
  errno = ERANGE;
  if (errno != ERANGE)
    reach_error();
  int c = getchar();
  if (c != EOF && (c < 0 || c > 255) || errno == 0)
    reach_error();
  int r = rand();
  if (r < 0 || r > RAND_MAX)
    reach_error();
  return 0;
}
