/* Spellings that gcc reads: digraphs, attributes in many places, assertions without a message. */
#include <assert.h>
%:define N 3
%:define CAT(x, y) x%:%:y
_Static_assert(sizeof(int) == 4);
int a<:N:> = <% 1, 2, 3 %>;
struct S { int a; _Static_assert(1, "in a struct"); int b; };
enum E { A __attribute__((deprecated)), B = 4 } __attribute__((packed));
typedef enum { C = -1, D = 300 } __attribute__((__packed__)) F;
typedef int __attribute__((aligned(32))) big;
static int falls(int x __attribute__((unused)), int y) {
  switch (x) { case 1: y++; __attribute__((fallthrough)); case 2: y++; }
  goto out; out: __attribute__((unused)) return y;
}
int main(void) <%
  int CAT(p, q) = 4; _Static_assert(1); assert(a<:2:> + pq == 7 && sizeof(u8"ab") == 3 && sizeof("<:") == 3 && '%' != '}');
  enum E e = 3; assert(sizeof(enum E) == 1 && sizeof e == 1 && (enum E)256 == 0 && sizeof(F) == 2 && (F)65535 == C && sizeof(B) == 4);
  assert(_Alignof(big) == 32 && __alignof__(big) == 32 && _Alignof(int) == 4 && falls(1, 0) == 2 && falls(2, 0) == 1 && sizeof(struct S) == 8);
  return 0;
%>
