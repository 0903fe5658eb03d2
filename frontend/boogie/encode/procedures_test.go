package encode_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/trace"
	"hornbeam/internal/smt/smttest"
	"hornbeam/internal/smt/z3"
)

// points is the number of predicates that are no procedure's.
func points(e *encode.Encoding) int {
	n := 0
	for _, m := range e.Meanings {
		if m.Kind == encode.Point {
			n++
		}
	}
	return n
}

// With procedures for loops, all predicates are those of procedures.
func TestProceduresHaveThePredicates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := (&writer{t: t}).program()
		require.Zero(t, points(encoded(t, src, encode.Options{Blocks: encode.Procedures})), src)
	})
	// Where runs meet that have made very many different calls, there is a cut; loops with several entries have theirs.
	many := "procedure q(x: int) returns (r: int) { r := x + 1; } procedure p() { var x: int; x := 0; " + strings.Repeat("if (*) { call x := q(x); } ", 9) + " assert x <= 9; }"
	require.Equal(t, 1, points(encoded(t, many, encode.Options{Blocks: encode.Procedures})))
	require.NotZero(t, points(encoded(t, "procedure p() { goto A, B; A: goto B; B: goto A, C; C: }", encode.Options{Blocks: encode.Procedures})))
	// By contracts, a loop is known by its invariants.
	require.NotZero(t, points(encoded(t, "procedure p() { while (*) { } }", encode.Options{Blocks: encode.Procedures, Modular: true})))
}

// What loops get, keep and return.
func TestLoopsAsProcedures(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"many different calls", safe, "procedure q(x: int) returns (r: int) { r := x + 1; } procedure p() { var x: int; x := 0; " + strings.Repeat("if (*) { call x := q(x); } ", 8) + " assert x <= 8; }"},
		{"many different calls, too few", unsafe, "procedure q(x: int) returns (r: int) { r := x + 1; } procedure p() { var x: int; x := 0; " + strings.Repeat("if (*) { call x := q(x); } ", 8) + " assert x < 8; }"},
		{"a local that is changed in some turns only", unsafe, `procedure p() { var i, x: int; i := 0; x := 5; while (i < 3) { if (i == 1) { x := 6; } i := i + 1; } assert x != 6; }`},
		{"a local that is changed in some turns only, kept", safe, `procedure p() { var i, x: int; i := 0; x := 5; while (i < 3) { if (i == 7) { x := 6; } i := i + 1; } assert x == 5; }`},
		{"which way it is left", safe, `procedure p() { var i: int; i := 0; while (i < 3) { if (i == 2) { goto A; } i := i + 1; } assert false; A: assert i == 2; }`},
		{"which way two loops are left", unsafe, `procedure p() { var i, j: int; i := 0; O: while (i < 3) { j := 0; while (j < 2) { if (i + j == 3) { break O; } j := j + 1; } i := i + 1; } assert i != 2; }`},
		{"what was at the entry", unsafe, `var g: int; procedure p() { g := g + 1; while (*) { g := g + 1; assert g != old(g) + 3; } }`},
		{"what was at the entry, within two loops", safe, `var g: int; procedure p() { g := g + 1; while (*) { while (*) { g := g + 1; assert g >= old(g) + 2; } g := old(g) + 1; } }`},
		{"where clauses within", safe, `procedure p(n: int) { var x: int where x > n; while (*) { x := 0; havoc x; assert x > n; } }`},
		{"where clauses are not assumed again", unsafe, `procedure p(n: int) { var x: int where x > n; while (*) { if (*) { assert x != n; } x := n; } }`},
		{"where clauses that no longer hold", unsafe, `var g: int; procedure p() { var x: int where x == g && g == 1; g := 2; while (*) { x := x + 1; assert x != 3; } }`},
		{"where clauses of a separate result", safe, `procedure q(n: int) returns (r: int where r >= n); implementation q(m: int) returns (s: int) { while (*) { s := m - 1; havoc s; } } procedure p() { var r: int; call r := q(5); assert r >= 5; }`},
		{"a loop that calls what it is in", safe, `procedure p(n: int) returns (r: int) { var i: int; i := 0; r := 0; while (i < n) { call r := p(i); assert r == 0; i := i + 1; } } `},
		{"a loop without an exit", safe, `procedure p() { while (true) { } assert false; }`},
		{"a loop without an exit that fails", unsafe, `procedure p() { var i: int; i := 0; while (true) { i := i + 1; assert i < 3; } }`},
		{"type parameters", safe, `procedure q<T>(x: T, y: T, n: int) returns (r: int) { var i: int; var z: T; i := 0; r := 0; z := x; while (i < n) { if (z == y) { r := r + 1; } z := y; i := i + 1; } } procedure p(a: bool, b: bool) { var r: int; call r := q(a, b, 3); assert r <= 3; }`},
		{"implementations to choose from", unsafe, `procedure q() returns (r: int); implementation q() returns (s: int) { s := 0; while (*) { s := s + 2; } } implementation q() returns (s: int) { s := 1; while (*) { s := s + 2; } } procedure p() { var r: int; call r := q(); assert r != 3; }`},
	})
}

// The examples have the verdict that their comments say, and what fails is a run of the program.
func TestExamplesWithProcedures(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*.bpl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	decided := 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		require.NoError(t, err)
		want := ""
		for _, b := range []encode.Blocks{encode.Loops, encode.Procedures} {
			e := encoded(t, string(src), encode.Options{Blocks: b})
			ctx, open, cancel := smttest.Budget(context.Background(), z3.Open, 200)
			a := portfolio.Solve(ctx, portfolio.Request{System: e.System, Open: open, Check: true})
			cancel()
			if a.Verdict == engine.Unknown {
				continue
			}
			if want == "" {
				want = a.Verdict.String()
			} else {
				decided++
			}
			require.Equal(t, want, a.Verdict.String(), f)
			if a.Verdict == engine.Unsat {
				_, err := trace.Replay(context.Background(), e, a.Refutation, trace.Options{})
				require.NoError(t, err, f)
			}
		}
	}
	t.Logf("%d of %d examples decided both ways", decided, len(files))
	require.NotZero(t, decided)
}

// Runs begin where they do in the source, also where a loop calls what it is in, and never with a loop.
func TestLoopsAreNoEntries(t *testing.T) {
	for src, want := range map[string][]string{
		"procedure p(n: int) { while (*) { call p(n); } } procedure r() { }":                                                          {"p", "r"},
		"procedure p(n: int) { while (n > 0) { call q(n); } } procedure q(n: int) { assert n > 0; call p(n - 1); } procedure r() { }": {"r", "p", "q"},
	} {
		var names []string
		for _, p := range encoded(t, src, encode.Options{Blocks: encode.Procedures}).Entries {
			names = append(names, p.Name)
		}
		require.Equal(t, want, names, src)
	}
}
