// verdict: safe
// An undefined function returns any value of its type, another one at each call.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern int *source(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  _Bool flag = __VERIFIER_nondet_bool();
  check(flag == 0 || flag == 1);
  int c = __VERIFIER_nondet_char();
  check(c >= -128 && c <= 127);
  int *p = source();
  if (p != 0) {
    *p = a;
    check(*p == a);
  }
  if (c < 0)
    check(c != 5);
  return 0;
}
