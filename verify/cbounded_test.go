package verify_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
)

// Loops and calls are written out as far as runs go, with assertions behind the copies: where these hold too, the program is proved, and
// what fails is a run of the program.
func TestBoundedProgramsAreWrittenOut(t *testing.T) {
	only := func(ctx context.Context, strategy string, req portfolio.Request) portfolio.Witness {
		if strategy != "bounded vectors" && strategy != "unwound vectors" {
			return portfolio.Witness{Reason: "another strategy"}
		}
		return portfolio.Decide(ctx, req)
	}
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
			r := decideC(t.Context(), t, text, asked(t, "int=c", "bits=auto"), only)
			require.Equal(t, test.want, r.Verdict, r.Reason)
		})
	}
}
