// Constructors run before main: those with a priority first, the smallest of all at first, the others as they are defined.
#include <assert.h>
static int order[5], n;

static void late(void) __attribute__((constructor));
__attribute__((constructor)) static void before(void) { order[n++] = 4; }
static void late(void) { order[n++] = 5; }
static void __attribute__((used, constructor(300), noinline)) third(void) { order[n++] = 3; }
static int first(void) __attribute__((__constructor__(101)));
__attribute__((constructor(200))) static void second(void) { int local[2] = {2, 2}; order[n++] = local[n & 1]; }
static int first(void) { order[n++] = 1; return 1; }
__attribute__((deprecated("no destructor"), unused, noinline)) static int never(void) { return n = 9; }

int main(void) {
  assert(n == 5);
  for (int i = 0; i < n; i++)
    assert(order[i] == i + 1);
}
