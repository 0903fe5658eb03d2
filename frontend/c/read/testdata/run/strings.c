// String literals that follow each other are joined after their escape sequences were read.
#include <assert.h>

int main(void) {
  char a[] = "a\xe4" "c", b[] = "\x1" "f" "\\x1", c[] = "\7" "1" "\17" "1", d[] = "\\\x0" "0\\\\x41";
  __WCHAR_TYPE__ w[] = L"\xff" L"f" "\x9" "9";
  const char *p = "x\xAf"
                  "A" /* between */ "\x41" "";
  assert(sizeof a == 4 && (unsigned char)a[1] == 0xe4 && a[2] == 'c');
  assert(sizeof b == 6 && b[0] == 1 && b[1] == 'f' && b[2] == '\\' && b[3] == 'x' && b[4] == '1');
  assert(sizeof c == 5 && c[0] == 7 && c[1] == '1' && c[2] == 15 && c[3] == '1');
  assert(sizeof d == 9 && d[0] == '\\' && d[1] == 0 && d[2] == '0' && d[4] == '\\' && d[5] == 'x' && d[6] == '4');
  assert(sizeof w == 5 * sizeof *w && w[0] == 255 && w[1] == 'f' && w[2] == 9 && w[3] == '9');
  assert((unsigned char)p[1] == 0xaf && p[2] == 'A' && p[3] == 'A' && !p[4]);
}
