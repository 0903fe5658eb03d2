/* What C23 and gcc's extensions spell in ways that the parser does not know: as gcc -std=gnu11 has it. */
#include <assert.h>
typedef __CHAR16_TYPE__ c16;
typedef __CHAR32_TYPE__ c32;
#define TWICE(x) x "c"
c16 a[] = u"hi\u00e9\U0001F600"; c32 b[] = U"x\U0001F600"; const c16 *p = u"ab" u"c";
enum __attribute__((packed)) E { A, B }; enum __attribute__((__packed__)) { C = 300 } f; typedef enum __attribute__((packed, unused)) H { D } h;
typedef enum __attribute__((unused)) K { F } k; __attribute__((packed)) enum G { I } g; enum { J } __attribute__((packed)) j;
struct s { enum __attribute__((packed)) E2 { M } x; char y; }; struct t { __attribute__((packed)) enum E3 { N } x; char y; enum __attribute__((packed)) { O } z; };
static int generic(const int *q) { int i = 0; (void)q; return _Generic(i, const int: 1, volatile int: 2, default: 3) + _Generic(1.0f, float: 10, default: 20); }
int main(void) {
  assert(sizeof a == 12 && sizeof b == 12 && a[0] == 'h' && a[2] == 0xe9 && a[3] == 0xd83d && a[4] == 0xde00 && !a[5] && b[1] == 0x1f600);
  assert(p[2] == 'c' && !p[3] && TWICE(u"ab")[2] == 'c' && sizeof(TWICE(U"a")) == 12 && L"a"[0] == 'a' && sizeof(L"ab") == 12);
  assert(u'\u00e9' == 0xe9 && U'\U0001F600' == 0x1F600 && sizeof(u'x') == 2 && sizeof(U'x') == 4 && u'\xffff' > 0 && *u"\xffff" == 65535);
  assert(sizeof(enum E) == 1 && sizeof f == 2 && sizeof(h) == 1 && sizeof(k) == 4 && sizeof g == 4 && sizeof j == 1 && sizeof(struct s) == 2 && sizeof(struct t) == 6);
  assert(__builtin_types_compatible_p(const int, int) && __builtin_types_compatible_p(volatile unsigned long, unsigned long));
  assert(!__builtin_types_compatible_p(const char, signed char) && __builtin_types_compatible_p(int, volatile int) && __builtin_types_compatible_p(const struct s, struct s));
  assert(!__builtin_types_compatible_p(const int *, char *) && !__builtin_types_compatible_p(const enum E, const struct s) && generic(0) == 13);
  __typeof__(const struct s) c = { M, 'c' }; __typeof__(const int *) cp = 0; assert(c.y == 'c' && !cp);
  int x = 0; { __label__ L; goto L; x = 30; L: x++; } { __label__ L; { __label__ L; goto L; x = 50; L: x += 2; } goto L; x = 100; L: x += 4; }
  int y = ({ __label__ L; if (x) goto L; x = 9; L: x; x; }) + ({ __label__ L, M; goto M; L: x++; goto N; M: goto L; N: x; x; });
  assert(x == 8 && y == 15); goto L; x = 3; L: assert(x == 8);
  return 0;
}
