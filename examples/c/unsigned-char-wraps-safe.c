// verdict: safe
// An unsigned char wraps from 255 to 0; it never is 256.
extern void reach_error(void);

int main(void) {
  unsigned char c = 255;
  c++;
  if (c == 256)
    reach_error();
  return 0;
}
