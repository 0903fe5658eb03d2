// verdict: unsafe
// In a comparison with an unsigned int, -1 is the greatest value; with an unsigned short it is not.
extern void reach_error(void);

int main(void) {
  unsigned short narrow = 1;
  if (-1 < 1u)
    reach_error();
  if (!(-1 < narrow))
    reach_error();
  if (-1 > (narrow + 0u))
    reach_error();
  return 0;
}
