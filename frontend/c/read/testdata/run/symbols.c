/* Symbols other than names: labels by asm, and aliases, in whatever order they are declared. */
#include <assert.h>
int early(int);
static int use_early(void) { return early(1); }
int impl(int x) { return x + 5; }
int early(int x) __attribute__((alias("impl")));
int early(int x);
extern int data2;
static int get(void) { return data2; }
int data = 4;
extern int data2 __attribute__((alias("data"), weak));
static int hidden(void) { return 8; }
extern int seen(void) __asm__("hidden") __attribute__((nothrow));
int twice(int) __asm__("twice" "_impl");
static int call_twice(int x) { return twice(x); }
int twice(int x) { return 2 * x; }
int other(int) __asm__("twice_impl");
int g(int x) { return x + 1; }
int f(int x) asm("g");
int v = 3;
extern int w __asm__("v");
void fails(void) asm("reach_error");
long sum(long a, long b) __asm__("labels_sum"), difference(long a, long b) __asm__("labels_difference");
long sum(long a, long b) { return a + b; }
long difference(long a, long b) { return a - b; }
void reach_error(void) {}
int main(void) {
  assert(use_early() == 6 && seen() == 8 && seen() == hidden() && early == impl && call_twice(3) == 6 && f(3) == 4 && sum(1, 2) == 3 && difference(1, 2) == -1);
  data2++; assert(data == 5 && get() == 5 && &data == &data2);
  extern int third asm("data"); third++; assert(data2 == 6);
  w = 9; assert(v == 9); v = 10; assert(w == 10);
  int (*p)(int) = other; assert(p == twice && p(5) == 10);
  return 0;
}
