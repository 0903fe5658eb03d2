// Conversions, division by what may be 0, shifts by what may be too far, and conditions that stay conditions.
extern int nd(void);
extern void reach_error(void);
_Bool flag;
int main(void) {
  unsigned char c = nd();
  int x = nd();
  unsigned u = nd();
  long long l = -1 < u;
  c += 300;
  flag = x;
  l += x / c - x % 7;
  l ^= x << c | u >> 3;
  int same = (x < 3) == (u > 4u);
  if (same != 0 && flag && !(l > 2))
    reach_error();
  return x == (c == 1);
}
