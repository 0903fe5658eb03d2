// verdict: unsafe
// Pointers swap locals through two levels; a member and its struct are one piece of memory.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

struct pair {
  int first, second;
};

static void swap(int **x, int **y) {
  int *t = *x;
  *x = *y;
  *y = t;
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int *p = &a, *q = &b;
  swap(&p, &q);
  check(*p == b && *q == a);
  *p = 3;
  check(b == 3);
  struct pair s = {1, 2}, *whole = &s;
  int *member = &s.second;
  *member = 9;
  check(whole->second == 9);
  whole->second = a;
  check(*member == 9);
  return 0;
}
