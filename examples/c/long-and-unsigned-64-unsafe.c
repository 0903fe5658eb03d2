// verdict: unsafe
// model: LP64
// Where long has 64 bits, -1L and 1u are compared as longs.
extern void reach_error(void);

int main(void) {
  if (-1L < 1u)
    reach_error();
  return 0;
}
