// verdict: unsafe
// What a function without a body is given it may change.
extern void reach_error(void);

extern void change(int *p);
extern void look(const int *p);

int main(void) {
  int x = 1, y[3] = {2, 2, 2};
  look(&x);
  change(y);
  if (x == 1 && y[2] == 7)
    reach_error();
  return 0;
}
