// verdict: safe
// A switch has its default in the middle, a range, and a label in a nested block; a case is converted to the tag's type.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

static int classify(int x) {
  int r = 0;
  switch (x) {
  case 1:
    r += 1;
  default:
    r += 10;
    break;
  case 2: {
    r += 100;
  case 3:
    r += 1000;
    break;
  }
  case 5 ... 9:
    r = 7;
  }
  return r;
}

int main(void) {
  check(classify(1) == 11);
  check(classify(2) == 1100);
  check(classify(3) == 1000);
  check(classify(4) == 10);
  char c = (char)200;
  int taken = 0;
  switch (c) {
  case 200:
    taken = 1;
    break;
  default:
    taken = 2;
  }
  check(taken == 2);
  int x = __VERIFIER_nondet_int();
  int r = classify(x);
  check(r == 7 || r == 10 || r == 11 || r == 1000 || r == 1100);
  if (r == 7)
    check(x >= 5 && x <= 9);
  return 0;
}
