/* Vectors and complex numbers are copied and have parts; what computes with them is not reached here. */
#include <assert.h>
#include <stddef.h>
typedef int v4si __attribute__((vector_size(16)));
typedef float v2sf __attribute__((__vector_size__(sizeof(float) * 2), __may_alias__));
typedef long long m128 __attribute__((__vector_size__(16), __may_alias__));
static v4si add(v4si a, v4si b) { return a + b; }
static m128 cast(v4si a) { return (m128)a; }
static v4si pass(v4si a) { a[1] = 7; return a; }
v4si g = { 1, 2, 3 };
struct S { char c; v4si v; };
static _Complex double z = 1.5; double _Complex w; float _Complex q; _Complex int ci; _Float16 h; 
static _Complex double sum(_Complex double a, _Complex double b) { return a * b + 2.0i - ~a; }
static double _Complex make(double a, double b) { double _Complex c; __real__ c = a; __imag__ c = b; return c; }
static int half(void) { h = 1.5; return h * 2; }
int main(void) {
  int n = 4;
  if (n == 5) { g = add(g, g); g = -g * 2; m128 m = cast(g); v4si c = g < g; n = c[0] + m[0]; z = sum(z, w); n = (z == w) + !z; z += 1; z = n ? z : 2; half(); }
  assert(sizeof(v4si) == 16 && sizeof(v2sf) == 8 && sizeof(struct S) == 32 && offsetof(struct S, v) == 16);
  v4si a = g, b = pass(a); assert(a[0] == 1 && a[1] == 2 && b[1] == 7 && b[2] == 3 && b[3] == 0 && pass(g)[1] == 7);
  struct S s = { 1, { 4, 5, 6, 7 } }, t = s; t.v[n - 1] = 9; assert(s.v[3] == 7 && t.v[3] == 9 && ((v4si){ 8, 9 })[1] == 9);
  assert(sizeof z == 16 && sizeof q == 8 && sizeof ci == 8 && sizeof h == 2);
  w = make(3, 4); assert(__real__ w == 3 && __imag__ w == 4 && __real__ z == 1.5 && __imag__ z == 0); __imag__ w = 6; z = w; assert(__imag__ z == 6 && __real__ 5 == 5 && __imag__ n == 0);
  return 0;
}
