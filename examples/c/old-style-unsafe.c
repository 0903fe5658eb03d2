// verdict: unsafe
// Definitions in the style of K&R, an undeclared function, arguments of printf with effects.
extern void reach_error(void);
extern int printf(const char *, ...);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int narrow(c, n)
char c;
int n;
{
  return c + n;
}

int main() {
  int n = 0;
  printf("%d %d\n", n++, 5);
  check(n == 1);
  check(narrow(300, 0) == 300);
  check(undeclared(2) == 4);
  return 0;
}

int undeclared(int x) { return 2 * x; }
