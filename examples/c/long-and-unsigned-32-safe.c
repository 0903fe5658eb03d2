// verdict: safe
// model: ILP32
// Where long has 32 bits, -1L and 1u are compared as unsigned numbers.
extern void reach_error(void);

int main(void) {
  if (-1L < 1u)
    reach_error();
  return 0;
}
