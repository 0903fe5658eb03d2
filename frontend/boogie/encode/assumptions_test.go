package encode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/ledger"
	"hornbeam/frontend/boogie/encode"
)

// A verdict assumes what the program leaves open, and nothing else.
func TestAssumptions(t *testing.T) {
	const contract = "procedures without a body do what their contracts allow"
	for _, c := range []struct {
		src, entry   string
		safe, unsafe []string
	}{
		{src: `procedure main() { var x: int; x := 1; assert x == 1; }`},
		{src: `procedure a() { } procedure b() { call c(); } procedure c() { assert true; }`,
			safe: []string{"runs begin with the procedures that no other one calls: a, b"}, unsafe: []string{"runs begin with the procedures that no other one calls: a, b"}},
		{src: `procedure a() { } procedure b() { assert true; }`, entry: "b", safe: []string{"procedures that no run reaches are not checked: a"}},
		{src: `procedure q() returns (x: int); procedure main() { var x: int; call x := q(); assert x == x; }`,
			safe: []string{contract + ": q"}, unsafe: []string{contract + ": q"}},
		{src: `procedure {:verify false} q() { assert false; } procedure main() { call q(); }`,
			safe:   []string{"procedures marked {:verify false} do what their contracts allow: q"},
			unsafe: []string{"procedures marked {:verify false} do what their contracts allow: q"}},
		{src: "procedure main(x: int) requires x > 0; { while (*)\n free invariant x > 0; { } }",
			safe:   []string{"runs begin in states that the where clauses and preconditions of the entry allow: main", "free preconditions, postconditions and invariants hold: test.bpl:2:2"},
			unsafe: []string{"runs begin in states that the where clauses and preconditions of the entry allow: main", "free preconditions, postconditions and invariants hold: test.bpl:2:2"}},
		{src: `const c: int; axiom c == 3; procedure main() { assert c == 3; }`},
		{src: `const c: int; axiom c > 3; procedure main() { assert c > 3; }`,
			safe: []string{"the axioms do not contradict each other"}, unsafe: []string{"the axioms do not contradict each other"}},
		{src: `type T; procedure main(m: [T]int, n: [int]T) { assert n == n; }`},
		{src: `type T; procedure main(a: T) { var m: [T]int; m := (lambda t: T :: 0)[a := 1]; assert m != (lambda t: T :: 1); }`,
			safe: []string{"types that the program leaves open have infinitely many values: T"}},
		{src: `procedure reach_error(); procedure main() { call reach_error(); }`,
			safe:   []string{"entering a procedure of this name is an error: reach_error"},
			unsafe: []string{"entering a procedure of this name is an error: reach_error"}},
		{src: `const {:existential true} b: bool; procedure main() { assert b ==> false; }`, safe: []string{"what existential constants guard is not checked: b"}},
	} {
		e := encoded(t, c.src, encode.Options{Entry: c.entry})
		require.Equal(t, c.safe, sentences(e.Assumptions.Safe()), c.src)
		require.Equal(t, c.unsafe, sentences(e.Assumptions.Unsafe()), c.src)
	}
}

func sentences(entries []ledger.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.String())
	}
	return out
}

func TestObligations(t *testing.T) {
	for src, want := range map[string]encode.Obligations{
		`procedure main() { }`: {},
		`procedure main() { assert true; while (*) invariant true; free invariant true; { } }`:                                       {Assertions: 1, Invariants: 1},
		`procedure q(x: int) requires x > 0; free requires x > 1; ensures true; { } procedure main() { call q(1); free call q(2); }`: {Preconditions: 1, Postconditions: 1},
		`procedure q(); ensures true; procedure main() { call q(); }`:                                                                {},
		`procedure reach_error(); procedure main() { call reach_error(); assume {:candidate} true; assert {:candidate} false; }`:     {ErrorCalls: 1},
		`procedure main() { assume {:OldAssert} true; }`:                                                                             {Exits: 1},
		`procedure {:entrypoint} main() { } procedure p() { assert false; }`:                                                         {},
	} {
		got := encoded(t, src, encode.Options{}).Obligations
		require.Equal(t, "assertions, invariants of loops, preconditions of calls, postconditions of bodies, calls of reach_error, __VERIFIER_error", got.LookedFor())
		got.ErrorProcedures = nil
		require.Equal(t, want, got, src)
		require.Equal(t, got.Assertions+got.Invariants+got.Preconditions+got.Postconditions+got.ErrorCalls+got.Exits, got.Count())
	}
}
