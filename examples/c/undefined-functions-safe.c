// verdict: safe
// A function without a body changes what its arguments reach, but neither what a pointer to a const type leads to nor other
// objects.
extern void reach_error(void);

extern void change(int *p);
extern void look(const int *p);
extern void forget(void);

int global = 1;

int main(void) {
  int x = 1, y = 2, z = 3;
  change(&x);
  look(&y);
  forget();
  if (y != 2 || z != 3 || global != 1)
    reach_error();
  x = 5;
  look(&x);
  if (x != 5)
    reach_error();
  return 0;
}
