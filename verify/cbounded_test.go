package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// Sums and choices over integers are one formula where loops and calls are written out, as far as constants or runs bound them. Where neither
// does, these strategies leave the program to others.
func TestBoundedProgramsOverIntegers(t *testing.T) {
	const fold = `static int greatest(const int *a, int n) { if (n == 1) return a[0]; int x = greatest(a, n / 2), y = greatest(a + n / 2, n - n / 2); return x > y ? x : y; } `
	for _, test := range []struct {
		name, strategy, functions, body string
		want                            engine.Verdict
		// rounds is how many formulas are asked about.
		rounds int
	}{
		{"an average", "unwound", "", `int s[4], lo = 4095, hi = 0, sum = 0; for (int i = 0; i < 4; i++) { s[i] = nd(); if (s[i] < 0 || s[i] > 4095) return 0; if (s[i] < lo) lo = s[i]; if (s[i] > hi) hi = s[i]; }
for (int i = 0; i < 4; i++) sum += s[i]; if ((sum + 2) / 4 < lo || (sum + 2) / 4 > hi) reach_error();`, engine.Sat, 1},
		{"an average that is too great", "unwound", "", `int s[4], hi = 0, sum = 0; for (int i = 0; i < 4; i++) { s[i] = nd(); if (s[i] < 0 || s[i] > 4095) return 0; if (s[i] > hi) hi = s[i]; }
for (int i = 0; i < 4; i++) sum += s[i]; if ((sum + 5) / 4 > hi) reach_error();`, engine.Unsat, 1},
		{"recursion", "bounded", fold, `int a[5], sum = 0; for (int i = 0; i < 5; i++) { a[i] = nd(); assume(a[i] > -9999 && a[i] < 9999); sum += a[i]; } if (sum > 5 * greatest(a, 5)) reach_error();`, engine.Sat, 1},
		{"a loop without a bound", "bounded", "", `unsigned n = nd(), s = 0; for (unsigned i = 0; i < n; i++) s += i; if (s == 77 && n > 13) reach_error();`, engine.Unknown, 0},
		{"a loop that most runs leave early", "bounded", "", `int s = 0, i = 0; while (nd() == 12345678) { if (s < 1000) s++; i = i < 2000 ? i + 1 : i; } if (s > i) reach_error();`, engine.Unknown, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "int nd(void); void assume(int); void reach_error(void); " + test.functions + "int main(void) { " + test.body + " return 0; }"
			s := &solver{decides: []string{test.strategy}, by: auto}
			r := decideC(t.Context(), t, text, asked(t, "int=c", "bits=auto", "explore=0s"), s.decide)
			require.Equal(t, test.want, r.Verdict, r.Reason)
			require.Equal(t, test.rounds, s.asked[test.strategy])
		})
	}
}

// Loops and calls are written out as far as runs go, with assertions behind the copies: where these hold too, the program is proved, and
// what fails is a run of the program.
func TestBoundedProgramsAreWrittenOut(t *testing.T) {
	s := &solver{decides: []string{"bounded vectors", "unwound vectors"}, by: auto}
	const sum = `static unsigned sum(unsigned n) { if (n == 0) return 0; return n + sum(n - 1); } `
	const parity = `static int odd(unsigned n); static int even(unsigned n) { return n == 0 || odd(n - 1); }
static int odd(unsigned n) { return n != 0 && even(n - 1); } `
	const list = `struct n { int v; struct n *next; }; `
	for _, test := range []struct {
		name, functions, body string
		want                  engine.Verdict
	}{
		{"recursion", sum, `unsigned n = nd(); assume(n <= 5); if (sum(n) != n * (n + 1) / 2) reach_error();`, engine.Sat},
		{"a deep call", sum, `unsigned n = nd(); assume(n <= 5); if (sum(n) == 15) reach_error();`, engine.Unsat},
		{"mutual recursion", parity, `unsigned n = nd(); assume(n <= 6); if (even(n) == (n & 1)) reach_error();`, engine.Sat},
		{"a loop that a condition ends", "", `unsigned x = nd(), y = x, k = 0; while (x && k < 6) { x &= x - 1; k++; } if (k > 6 || (x & ~y)) reach_error();`, engine.Sat},
		{"a bug behind iterations", "", `unsigned k = 0; while (nd()) { k++; if (k == 5) reach_error(); }`, engine.Unsat},
		{"a list", list, `struct n *h = 0; int k = 0; while (nd() && k < 4) { struct n *x = malloc(sizeof *x); x->v = k; x->next = h; h = x; k++; }
int c = 0; for (struct n *p = h; p; p = p->next) c++; if (c != k) reach_error();`, engine.Sat},
		{"nested loops", "", `unsigned m = nd(), s = 0; assume(m <= 3); for (unsigned i = 0; i < m; i++) for (unsigned j = 0; j <= i; j++) s++; if (s != m * (m + 1) / 2) reach_error();`, engine.Sat},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "unsigned nd(void); void assume(int); void *malloc(unsigned long); void reach_error(void); " + test.functions +
				"int main(void) { " + test.body + " return 0; }"
			r := decideC(t.Context(), t, text, asked(t, "int=c", "bits=auto"), s.decide)
			require.Equal(t, test.want, r.Verdict, r.Reason)
		})
	}
}
