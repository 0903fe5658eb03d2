// Effects happen from left to right, and only where C evaluates them.
extern int nd(void);
extern void reach_error(void);
extern _Bool truth(void);
int g;
int f(int x) { g = x; return g + 1; }
int main(void) {
  int i = nd(), a[20];
  int y = g + f(i);
  a[i] = i++ + g;
  if (i > 3 && f(y) > 2 || nd())
    y = i > 2 ? i : -i;
  _Bool b = truth();
  y = b ? y : 2;
  y = i ? f(1) : (g++, g);
  if (!(i < y) == 0)
    reach_error();
  return y + a[3];
}
