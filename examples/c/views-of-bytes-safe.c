// verdict: safe
// An int is four bytes, the least first; the members of a union share theirs.
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

union view {
  int whole;
  float number;
  unsigned char bytes[4];
};

int main(void) {
  int x = 0x01020304;
  unsigned char *b = (unsigned char *)&x;
  check(b[0] == 4 && b[3] == 1);
  b[1] = 0xff;
  check(x == 0x0102ff04);
  union view v;
  v.number = 1.0f;
  check(v.whole == 0x3f800000);
  check(v.bytes[3] == 0x3f);
  v.bytes[3] = 0xbf;
  check(v.number == -1.0f);
  return 0;
}
