package trace_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/internal/smt/z3"
)

// confirmed solves a program and replays the refutation, with a solver for what depends on quantifiers.
func confirmed(t *testing.T, src string, o replay.Options) error {
	e := encoded(t, src, encode.Options{})
	e.System.Approximation = chc.Exact
	a := solve(e, 10*time.Second)
	require.NotNil(t, a.Refutation, "%s: %s", a.Reason, src)
	_, err := replay.Replay(context.Background(), e, a.Refutation, o)
	return err
}

// A run that depends on quantifiers is one of the program when there are functions for which they hold.
func TestRunsThatDependOnQuantifiers(t *testing.T) {
	for _, c := range []struct {
		name, src string
		real      bool
	}{
		{"an axiom", `function f(x: int): int; axiom (forall x: int :: {f(x)} f(x) > 0); procedure main(n: int) { assert f(n) > 1; }`, true},
		{"two axioms and a constant", `type Ref; const null: Ref; function len(r: Ref): int; axiom (forall r: Ref :: len(r) >= 0); axiom (forall r: Ref :: r != null ==> len(r) > 0);
			procedure main(r: Ref) { assert len(r) > 0; }`, true},
		{"axioms that no function obeys", `function f(x: int): int; axiom (forall x: int :: {f(x)} f(x) > 0); axiom (forall x: int :: {f(x + 7)} f(x) < 1); procedure main(n: int) { assert f(n) > 1; }`, false},
		{"no function has the values", `function f(x: int): int; axiom (forall x: int :: {f(x), f(x + 7)} f(x) == f(x + 7)); procedure main() { assert f(0) == f(14); }`, false},
		{"another function forbids it", `function f(x: int): int; function g(x: int): int; axiom (forall x: int :: {g(x), f(x)} g(x) == f(x)); axiom (forall x: int :: {g(x + 5)} g(x) == 3);
			procedure main(n: int) { assert f(n) == 3; }`, false},
		{"values that the run took elsewhere", `function f(x: int): int; function g(x: int): int; axiom (forall x: int :: {g(x)} f(x) > 0 ==> g(x + 1) > 0);
			procedure main(n: int) { assume f(n) == 1; assert g(n + 1) != -1; }`, false},
		{"an assumption", `procedure main(a: [int]int) { assume (forall i: int :: a[i] >= 0); assert a[3] > 0; }`, true},
		{"a check that is passed, and one that fails", `procedure main(a: [int]int) { assume (forall i: int :: a[i] >= 0); assert (forall i: int :: a[i] >= 0); assert (forall i: int :: a[i] > 0); }`, true},
		{"a unique constant", `type T; const unique a: T; const unique b: T; function f(x: T): bool; axiom (forall x: T :: {f(x)} f(x) ==> x == a); procedure main(x: T) { assume f(x); assert x == b; }`, true},
		{"a definition", `function f(x: int, y: int): int; axiom (forall x, y: int :: f(y, x) == x - y); procedure main(n: int) { assert f(5, n) != 3; }`, true},
		{"not a definition", `function f(x: int, y: int): int; axiom (forall x, y: int :: f(x, x) == 1); procedure main(n: int) { assume f(n, n) == 1; assert f(2, 3) == 1; }`, true},
		{"a definition forbids it", `function f(x: int): int; function g(x: int): int; axiom (forall x: int :: f(x) == 2 * x); axiom (forall x: int :: {g(x), f(x)} g(x) > f(x)); procedure main() { assert g(3) != 6; }`, false},
		{"a check that does not fail", `function f(x: int): int; axiom (forall x: int :: {f(x), f(x + 7)} f(x) > 0); procedure main() { assert (forall x: int :: f(x) > 0); }`, false},
		{"an axiom about no type of the run", `type T; type S; const a: T; axiom (forall x: T :: x == a); procedure main() { var x, y: S; assert x == y; }`, true},
		{"a type with few values", `type T; const a: T; const b: T; axiom (forall x: T :: x == a || x == b); procedure main() { var x, y: T; assert x == y; }`, false},
		{"no type has that value", `function f(x: int): bool; axiom (forall x: int :: {f(x + 1)} f(x) <==> x > 5); procedure main() { assert !f(3); }`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := confirmed(t, c.src, replay.Options{Open: z3.Open})
			if c.real {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
		})
	}
	require.ErrorIs(t, confirmed(t, `procedure main(a: [int]int) { assume (forall i: int :: a[i] >= 0 - i * i); assert a[3] > 0; }`, replay.Options{}), replay.ErrUndetermined, "without a solver")
}

// Bugs with values of datatypes, records and polymorphic maps, with lambda expressions and with type parameters.
func TestBugsWithParts(t *testing.T) {
	const list = `datatype List<T> { Nil(), Cons(head: T, tail: List T) } `
	for _, src := range []string{
		list + `procedure main(l: List int) { assume l is Cons; assert l == Cons(l->head + 1, l->tail); }`,
		list + `procedure main(l: List int) { var m: List int; m := l; assume m is Cons && m->tail is Cons; m->tail->head := 3; assert m->head == 3; }`,
		`datatype Shape { Box(w: int, h: int), Tagged(w: int, name: Name) } type Name; procedure main(s: Shape) { var t: Shape; t := s; t->w := 3; assert s->w == 3 || t is Tagged; }`,
		`datatype Pair<A, B> { P(a: A, b: B) } procedure main(m: [Pair int bool]int) { assume m[P(1, true)] > m[P(1, false)]; assert m[P(1, true)] != 7; }`,
		`type Ref; type Field _; var H: <a>[Ref, Field a]a; const f: Field int; const g: Field bool; procedure main(r: Ref) { assume H[r, g]; assert H[r, f] == 3; }`,
		`procedure main() { var m, n: [int]int; m := (lambda x: int :: x); n := (lambda x: int :: x + 0); assert m == (lambda y: int :: y); n := (lambda x: int :: 0); assert m == n; }`,
		`procedure main() { var f: [int,int]int; f := (lambda p: int, q: int :: p); assert f == (lambda q: int, p: int :: q); assert f == (lambda p: int, q: int :: q); }`,
		`procedure main<T>(x: T, y: T) { assert x == y; }`,
		`procedure P<T>(x: T, y: T) returns (z: T) { if (*) { z := x; } else { z := y; } } procedure main() { var z: int; call z := P(1, 2); assert z == 1; }`,
		`function f<T>(x: T): bool; procedure main<T>(x: T) { assume f(x); assert !f(x) || f(3); }`,
		`function is3<T>(x: T): bool; axiom (forall<T> x: T :: is3(x) == (x == 3)); procedure main(n: int) { assert !is3(true); assert !is3(n); }`,
		`procedure main(n: int) { assert (exists i: int :: i < n); assert (forall i: int :: i < n); }`,
	} {
		require.NoError(t, confirmed(t, src, replay.Options{Open: z3.Open}), src)
	}
}
