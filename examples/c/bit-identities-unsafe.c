// verdict: unsafe
// Identities of bit operations, and parity by a loop.
extern void reach_error(void);

extern unsigned __VERIFIER_nondet_uint(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  check((x & 1) == x % 2);
  check((x & ~7u) == x - x % 8);
  check((x | 8) >= 8);
  check((x ^ y ^ y) == x);
  check((x & y) + (x | y) == x + y);
  unsigned parity = 0;
  for (unsigned v = x & 255; v; v &= v - 1)
    parity ^= 1;
  unsigned expected = 0;
  for (int i = 0; i < 8; i++)
    expected += x >> i & 1;
  check(parity == expected);
  return 0;
}
