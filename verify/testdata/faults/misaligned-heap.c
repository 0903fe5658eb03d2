// property: memory
// gcc: alignment
#include <stdlib.h>
struct item { char kind; int size; };
int main(void) {
  char *p = malloc(3 * sizeof(struct item));
#ifdef FAULT
  struct item *q = (struct item *)(p + 5);
#else
  struct item *q = (struct item *)(p + sizeof(struct item));
#endif
  p[0] = 1;
  q->size = 3;
  free(p);
  return 0;
}
