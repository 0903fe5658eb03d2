// verdict: unsafe
// op= computes in the promoted type and stores in the narrow one; ++ on a _Bool leaves 1.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned char c = 10;
  c += 300;
  check(c == 54);
  c = 200;
  c = c * 2 / 2;
  check(c == 200);
  c *= 2;
  check(c == 400);
  _Bool flag = 1;
  flag++;
  check(flag == 1);
  flag += 5;
  check(flag == 1);
  return 0;
}
