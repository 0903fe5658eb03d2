// verdict: unsafe
// A shifted unsigned char is an int, whose sign bit may be set; a shift to the right keeps the sign.
extern void reach_error(void);

extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  int word = c << 24;
  if (c < 128)
    check(word >= 0);
  check(word >= 0);
  int negative = -9;
  check(negative >> 1 == -5);
  check((negative >> 31) == -1);
  return 0;
}
