// verdict: unsafe
// Two arrays are passed to one function; inside it the parameter is a pointer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static unsigned long parameter_size(int a[5]) { return sizeof a; }

static int sum(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

static void fill(int a[], int n, int v) {
  for (int i = 0; i < n; i++)
    a[i] = v;
}

int main(void) {
  int a[5], b[3];
  int v = __VERIFIER_nondet_int();
  if (v < 0 || v > 1000)
    return 0;
  fill(a, 5, v);
  fill(b, 3, 1);
  check(sum(b, 3) == 3);
  check(sum(a, 5) == 4 * v);
  check(parameter_size(a) == sizeof(int *));
  return 0;
}
