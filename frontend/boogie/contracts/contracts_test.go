package contracts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/smt/z3"
)

func verify(t *testing.T, src string, o encode.Options) *contracts.Result {
	p, err := boogie.Read("f.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err, src)
	r, err := contracts.Verify(context.Background(), p, false, contracts.Options{Encode: o, Open: z3.Open, Each: 5 * time.Second})
	require.NoError(t, err, src)
	return r
}

// What is proved holds for the whole program; what contracts and invariants don't say is not proved, even where it holds.
func TestProofs(t *testing.T) {
	const above = "function f(x: int): int; axiom (forall x: int :: {f(x)} f(x) > x); "
	for _, c := range []struct {
		name, src string
		proved    bool
	}{
		{"an assertion", `procedure main(x: int) { assume x > 0; assert x > -1; }`, true},
		{"one that fails", `procedure main(x: int) { assert x > 0; }`, false},
		{"a callee's contract", `procedure one() returns (r: int) ensures r == 1; { r := 1; } procedure main() { var x: int; call x := one(); assert x == 1; }`, true},
		{"not its body", `procedure one() returns (r: int) { r := 1; } procedure main() { var x: int; call x := one(); assert x == 1; }`, false},
		{"a body that breaks it", `procedure one() returns (r: int) ensures r == 1; { r := 2; } procedure main() { var x: int; call x := one(); }`, false},
		{"no field of none", `type F a; procedure main() { var m: <a>[F a]bool; assert (forall<a> f: F a :: false ==> m[f]); }`, true},
		{"every field of one", `type F a; procedure main() { var m: <a>[F a]bool; assert (forall<a> f: F a :: true ==> m[f]); }`, false},
		{"a precondition", `procedure pos(x: int) requires x > 0; { assert x >= 1; } procedure main() { call pos(3); }`, true},
		{"one that a call breaks", `procedure pos(x: int) requires x > 0; { assert x >= 1; } procedure main() { call pos(0); }`, false},
		{"a callee inlined", `procedure {:inline 1} one() returns (r: int) { r := 1; } procedure main() { var x: int; call x := one(); assert x == 1; }`, true},
		{"an assertion in one", `procedure {:inline 1} one(x: int) { assert x == 1; } procedure main() { call one(2); }`, false},
		{"one inlined twice", `procedure {:inline 1} id(x: int) returns (r: int) { r := x; } procedure main() { var x, y: int; call x := id(1); call y := id(2); assert x == y; }`, false},
		{"one of two bodies inlined", `procedure {:inline 1} p() returns (r: int); implementation p() returns (r: int) { r := 1; } implementation p() returns (r: int) { r := 0; } procedure main() { var x: int; call x := p(); assert x == 0; }`, false},
		{"the other one", `procedure {:inline 1} p() returns (r: int); implementation p() returns (r: int) { r := 1; } implementation p() returns (r: int) { r := 0; } procedure main() { var x: int; call x := p(); assert x == 1; }`, false},
		{"recursion is not inlined", `procedure {:inline 1} f(n: int) returns (r: int) { if (n > 0) { call r := f(n - 1); } else { r := 1; } } procedure main() { var x: int; call x := f(3); assert x == 1; }`, false},
		{"an invariant", `procedure main(n: int) { var i: int; i := 0; while (i < n) invariant i <= n || n < 0; { i := i + 1; } assert n >= 0 ==> i == n; }`, true},
		{"too weak a one", `procedure main(n: int) { var i: int; i := 0; while (i < n) invariant true; { i := i + 1; } assert n >= 0 ==> i == n; }`, false},
		{"one that does not hold at first", `procedure main() { var i: int; while (*) invariant i == 0; { } }`, false},
		{"one that a turn breaks", `procedure main() { var i: int; i := 0; while (*) invariant i == 0; { i := i + 1; } }`, false},
		{"what a loop does not change", `procedure main() { var i, j: int; i := 0; j := 7; while (*) { i := i + 1; } assert j == 7; }`, true},
		{"a loop in a loop", `procedure main() { var i, j: int; i := 0; while (*) invariant i >= 0; { j := 0; while (*) invariant i >= 0 && j >= 0; { j := j + 1; } i := i + j; } assert i >= 0; }`, true},
		{"an axiom", above + `procedure main(n: int) { assert f(f(n)) > n + 1; }`, true},
		{"an axiom at a loop", above + `procedure main(n: int) { var i: int; i := n; while (*) invariant i >= n; { i := f(i); } assert i >= n; }`, true},
		{"a quantified invariant", `procedure main(n: int) { var a: [int]int; var i: int; i := 0; while (i < n) invariant (forall j: int :: 0 <= j && j < i ==> a[j] == j); { a[i] := i; i := i + 1; } assert (forall j: int :: 0 <= j && j < n ==> a[j] == j); }`, true},
		{"one too strong", `procedure main(n: int) { var a: [int]int; var i: int; i := 0; while (i < n) invariant (forall j: int :: 0 <= j && j <= i ==> a[j] == j); { a[i] := i; i := i + 1; } }`, false},
		{"a fact about no element in one", `procedure main(n: int, k: int) { var a: [int]int; var i: int; i := 0; while (i < n) invariant (forall j: int :: 0 <= j && j < n ==> i >= 0 && i <= n && n + j >= 0 && (i <= j || a[j] == 0)); { a[i] := 0; i := i + 1; } assume 0 <= k && k < n; assert a[k] == 0; }`, true},
		{"patterns are kept to", `function f(x: int): int; function g(x: int): int; axiom (forall x: int :: {g(x)} f(x) < g(x)); procedure main(n: int) { assume f(n) >= 5; assert g(n) >= 5; }`, true},
		{"nothing matches", `function f(x: int): int; function g(x: int): int; axiom (forall x: int :: {g(x)} f(x) > 0); procedure main(n: int) { assert f(n) > 0; }`, false},
		{"pools", `function f(x: int): int; procedure main(n: int) { assume (forall {:pool "P"} x: int :: f(x) > 0); assert {:add_to_pool "P", n} f(n) > 0; }`, true},
		{"where is no invariant of a loop", `procedure main() { var w: int where w >= 0; w := 0; while (*) { w := w - 1; } assert w >= 0; }`, false},
		{"where is assumed at the entry", `procedure main(x: int where x > 3) { assert x > 2; }`, true},
		{"but not of who is called", `procedure p(x: int where x > 3) { assert x > 2; } procedure main() { call p(1); }`, false},
		{"where of a global after a call", `var g: int where g > 0; procedure p() modifies g; { g := 0; } procedure main() modifies g; { call p(); assert g > 0; }`, false},
		{"where of a global of who is called", `var g: int where g > 0; procedure p() { assert g > 0; } procedure main() modifies g; { g := 0; call p(); }`, false},
		{"where after a call without a body", `procedure p() returns (r: int where r > 0); procedure main() { var x: int; call x := p(); assert x > 0; }`, true},
		{"old values", `var g: int; procedure inc() modifies g; ensures g == old(g) + 1; { g := g + 1; } procedure main() modifies g; { g := 1; call inc(); call inc(); assert g == 3; }`, true},
		{"an error procedure", `procedure reach_error(); procedure main(x: int) { if (x > x + 1) { call reach_error(); } }`, true},
		{"one that is entered", `procedure reach_error(); procedure main(x: int) { if (x > 1) { call reach_error(); } }`, false},
		{"two implementations", `procedure p() returns (r: int); ensures r > 0; implementation p() returns (r: int) { r := 1; } implementation p() returns (r: int) { r := 0; } procedure main() { var x: int; call x := p(); }`, false},
		{"what nobody reaches", `procedure {:entrypoint} main() { } procedure q() { assert false; }`, true},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.proved, verify(t, c.src, encode.Options{}).Proved, c.src) })
	}
	require.False(t, verify(t, `procedure {:entrypoint} main() { } procedure q() { assert false; }`, encode.Options{Everywhere: true}).Proved, "q is looked at, too")
}

// Candidates that cannot be proved are dropped, with those that depend on them; the others hold.
func TestCandidates(t *testing.T) {
	const names = "const {:existential true} a: bool; const {:existential true} b: bool; const {:existential true} c: bool; var g: int; "
	for _, x := range []struct {
		src  string
		held []string
		ok   bool
	}{
		{names + `procedure p() modifies g; ensures a ==> g > old(g); ensures b ==> g == old(g); ensures c ==> g >= old(g); { g := g + 1; }
			procedure main() modifies g; { g := 0; call p(); assert g > 0; }`, []string{"a", "c"}, true},
		{names + `procedure main() modifies g; { g := 0; while (*) invariant a ==> g >= 0; invariant b ==> g <= 5; invariant c ==> g mod 2 == 0; { g := g + 2; } assert g >= 0; }`, []string{"a", "c"}, true},
		// The second holds only together with the first, which does not.
		{names + `procedure main() modifies g; { var h: int; g := 0; h := 0; while (*) invariant a ==> h == 0; invariant b ==> g == 0; invariant c ==> g >= 0; { g := h * h; h := h + 1; } }`, []string{"c"}, true},
		{names + `procedure main() modifies g; { g := 0; while (*) invariant a ==> g == 0; { g := g + 1; } assert g == 0; }`, []string{"b", "c"}, false},
	} {
		r := verify(t, x.src, encode.Options{})
		require.Equal(t, x.held, r.Held, x.src)
		require.Equal(t, []string{"a", "b", "c"}, r.Candidates)
		require.Equal(t, x.ok, r.Proved, x.src)
	}
}

// What is marked {:candidate} is no obligation, holds when it can be proved, and is assumed only then.
func TestCandidateSpecifications(t *testing.T) {
	for _, x := range []struct {
		name, src string
		held      []bool
		ok        bool
	}{
		{"an invariant that is needed", `procedure main() { var i: int; i := 0; while (*) invariant {:candidate} i >= 0; invariant {:candidate} i <= 5; { i := i + 1; } assert i >= 0; }`, []bool{true, false}, true},
		{"the assertion does not follow", `procedure main() { var i: int; i := 0; while (*) invariant {:candidate} i == 0; { i := i + 1; } assert i == 0; }`, []bool{false}, false},
		{"one holds only with another", `procedure main() { var g, h: int; g := 0; h := 0; while (*) invariant {:candidate} h == 0; invariant {:candidate} g == 0; { g := h * h; h := h + 1; } }`, []bool{false, false}, true},
		{"an assertion at a loop of labels", `procedure main() { var i: int; i := 0; L: assert {:candidate} i >= 0; assert {:candidate} i <= 3; i := i + 1; goto L, M; M: assert i >= 0; }`, []bool{true, false}, true},
		{"an assertion elsewhere", `procedure main(i: int) { assert {:candidate} i >= 0; assert {:candidate} i == i; assert i >= 0; }`, []bool{false, true}, false},
		{"a postcondition", `procedure one() returns (r: int) ensures {:candidate} r == 1; ensures {:candidate} r == 2; { r := 1; } procedure main() { var x: int; call x := one(); assert x == 1; }`, []bool{true, false}, true},
		{"one that does not hold is not assumed", `procedure one() returns (r: int) ensures {:candidate} r == 2; { r := 1; } procedure main() { var x: int; call x := one(); assert x == 2; }`, []bool{false}, false},
		{"one of a procedure without a body", `procedure one() returns (r: int); ensures {:candidate} r == 1; procedure main() { var x: int; call x := one(); assert x == 1; }`, []bool{false}, false},
		{"a precondition", `procedure pos(x: int) requires {:candidate} x > 0; requires {:candidate} x > 3; { assert x >= 1; } procedure main() { call pos(3); }`, []bool{true, false}, true},
		{"one that a call breaks", `procedure pos(x: int) requires {:candidate} x > 0; { assert x >= 1; } procedure main() { call pos(3); call pos(0); }`, []bool{false}, false},
		{"one that a free call breaks", `procedure pos(x: int) requires {:candidate} x > 0; { assert x >= 1; } procedure main() { free call pos(0); }`, []bool{false}, false},
		{"one of an entry", `procedure main(x: int) requires {:candidate} x > 0; { assert x >= 1; }`, []bool{false}, false},
		{"one of an entry that calls itself", `procedure {:entrypoint} main(x: int) requires {:candidate} x > 0; { assert x >= 1; call main(1); }`, []bool{false}, false},
		{"one that depends on a postcondition which goes later", `procedure main() { var x: int; x := 2; while (*) invariant {:candidate} x == 2; invariant {:candidate} x > 0; { call x := two(); } assert x > 0; }
			procedure two() returns (r: int) ensures {:candidate} r == 2; ensures {:candidate} r > 0; { r := 1; }`, []bool{false, true, false, true}, true},
		{"one that depends on it over a call", `procedure main() { var x: int; x := 2; while (*) invariant {:candidate} x == 2; { call x := same(); } }
			procedure same() returns (r: int) ensures {:candidate} r == 2; { call r := two(); }
			procedure two() returns (r: int) ensures {:candidate} r == 2; { r := 1; }`, []bool{false, false, false}, true},
		{"what is free is no candidate", `procedure main(x: int) free requires {:candidate} x > 0; { assert x >= 1; }`, nil, true},
		{"a guarded one", `const {:existential true} b: bool; procedure main() { var i: int; i := 0; L: assert b ==> i >= 1; i := i + 1; goto L, M; M: }`, nil, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, everywhere := range []bool{false, true} {
				r := verify(t, x.src, encode.Options{Everywhere: everywhere})
				var held []bool
				for _, s := range r.Specifications {
					held = append(held, s.Holds)
				}
				require.Equal(t, x.held, held, x.src)
				require.Equal(t, x.ok, r.Proved, x.src)
			}
		})
	}
	// With every procedure looked at, nothing is required of one that nobody calls.
	r := verify(t, `procedure {:entrypoint} main() { } procedure q(x: int) requires {:candidate} x > 0; { assert x > 0; }`, encode.Options{Everywhere: true})
	require.False(t, r.Proved)
}

// What fails is told, for each procedure; the context ends it.
func TestObligations(t *testing.T) {
	r := verify(t, "procedure p(x: int) { assert x > 0; assert x > 1; }\nprocedure main() { call p(1); }", encode.Options{})
	require.Len(t, r.Procedures, 2)
	require.Equal(t, "main", r.Procedures[0].Name)
	require.Empty(t, r.Procedures[0].Failed)
	require.Len(t, r.Procedures[1].Failed, 2)
	p, err := boogie.Read("f.bpl", []byte("procedure main(x: int) { assert x == x; }"), boogie.Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = contracts.Verify(ctx, p, false, contracts.Options{Open: z3.Open})
	require.ErrorIs(t, err, context.Canceled)
}

// What there is no time for is not proved, and no candidate: what is left holds.
func TestTimeOfProcedures(t *testing.T) {
	p, err := boogie.Read("f.bpl", []byte(`procedure main(n: int) { var i: int; i := 0; while (i < n) invariant {:candidate} i >= 0; { i := i + 1; } assert i >= 0; }`), boogie.Options{})
	require.NoError(t, err)
	for _, x := range []struct {
		limit time.Duration
		held  bool
	}{{1, false}, {time.Hour, true}} {
		for _, only := range []bool{false, true} {
			r, err := contracts.Verify(t.Context(), p, false, contracts.Options{Open: z3.Open, Procedure: x.limit, CandidatesOnly: only})
			require.NoError(t, err)
			require.Equal(t, x.held, r.Specifications[0].Holds, x.limit)
			require.Equal(t, x.held && !only, r.Proved)
			require.Equal(t, only, len(r.Procedures) == 0)
			if !only && !x.held {
				require.NotEmpty(t, r.Procedures[0].Failed)
				require.Contains(t, r.Procedures[0].Failed[0].Why, "no time")
			}
		}
	}
}
