// Assumptions and assertions that programs define for themselves are translated where they are called; other functions of
// the kind are called. Bitwise operations on truth values are operations on truths.
extern int nd(void);
extern unsigned char byte(void);
extern void abort(void);
extern void reach_error(void);
void assume(int cond) { if (!cond) { abort(); } }
void check(int cond) { if (!(cond)) { ERROR: {reach_error(); abort();} } return; }
void hang(unsigned char c) { if (c == 3) while (1); }
void loop(int c) { if (!c) { LOOP: goto LOOP; } }
int count;
void counts(int c) { if (!c) { count++; abort(); } }
void twice(int c) { if (c + c == 4) abort(); }
void changes(int c) { c = 1; if (!c) abort(); }
int main(void) {
  int x = nd();
  int y = nd();
  assume(x > 0 && y > x);
  hang(y);
  loop(byte());
  counts(x);
  twice(x);
  changes(x);
  assume((x == 3) | (y == 3 & nd()) | (x == 2 ^ 1));
  check((x < 5) & (y < 5));
  check(x++);
  return x;
}
