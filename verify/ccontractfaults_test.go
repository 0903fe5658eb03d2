package verify_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// A condition of a contract ends no run: where nothing is asked about assertions, what comes behind one that does not hold is looked at all
// the same, and what others rely on is checked whatever is asked.
func TestContractsWhereAssertionsAreNotAsked(t *testing.T) {
	const begin = "int a[4]; int nondet(void); "
	const main = " int main(void) { int x = nondet(); f(x); return 0; }"
	for _, test := range []struct {
		name, text, options string
		verdict             engine.Verdict
	}{
		{"a precondition that a call violates", "/*@ requires 0 <= x < 4; */ void f(int x) { a[x] = 1; }" + main, "", engine.Unsat},
		{"one that calls fulfil", "/*@ requires 0 <= x < 4; */ void f(int x) { a[x] = 1; } int main(void) { f(3); return 0; }", "", engine.Sat},
		{"one that is violated without a fault", "/*@ requires 0 <= x < 2; */ void f(int x) { if (x >= 0 && x < 4) a[x] = 1; }" + main, "", engine.Sat},
		{"a postcondition that does not hold", "/*@ ensures \\false; */ void f(int x) { } int main(void) { f(1); a[nondet()] = 1; return 0; }", "", engine.Unsat},
		{"an invariant that does not hold", "int main(void) { int i = 0; //@ loop invariant i < 2;\n while (i < 9) i++; a[i] = 1; return 0; }", "", engine.Unsat},
		{"an assertion in a comment that does not hold", "int main(void) { //@ assert \\false;\n a[nondet()] = 1; return 0; }", "", engine.Unsat},
		{"without main", "/*@ requires 0 <= x < 4; */ void f(int x) { a[x] = 1; } /*@ requires x < 9; */ void g(int x) { f(x); }", "", engine.Unsat},
		{"without main, where calls fulfil it", "/*@ requires 0 <= x < 4; */ void f(int x) { a[x] = 1; } /*@ requires 0 <= x < 3; */ void g(int x) { f(x); }", "", engine.Sat},
		{"a function without a body", "/*@ requires x < 4; */ void f(int x); int main(void) { f(nondet()); return 0; }", "", engine.Unknown},
		{"a function without a body, called as it requires", "/*@ requires x < 4; */ void f(int x); int main(void) { f(3); return 0; }", "", engine.Sat},
		{"one by one", "/*@ requires 0 <= x < 4; */ void f(int x) { a[x] = 1; }" + main, "modular=true", engine.Unknown},
		{"one by one, as it requires", "/*@ requires 0 <= x < 4; */ void f(int x) { a[x] = 1; } int main(void) { f(3); return 0; }", "modular=true", engine.Sat},
		{"one by one, a postcondition that does not hold", "/*@ ensures 0 <= \\result < 4; */ int f(int x) { return x; } int main(void) { a[f(nondet())] = 1; return 0; }", "modular=true", engine.Unknown},
		{"one by one, a postcondition that holds", "/*@ ensures 0 <= \\result < 4; */ int f(int x) { return x & 3; } int main(void) { a[f(nondet())] = 1; return 0; }", "modular=true", engine.Sat},
		{"one by one, an invariant that does not hold", "int main(void) { int i = 0; //@ loop invariant i < 2;\n while (i < 9) i++; a[i - 9] = 1; return 0; }", "modular=true", engine.Unknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			r := decideC(ctx, t, begin+test.text, asked(t, append(strings.Fields(test.options), "property=memory")...), spacer)
			require.Equal(t, test.verdict, r.Verdict, r.Reason)
		})
	}
}
