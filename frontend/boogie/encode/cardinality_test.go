package encode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
)

// Assumptions may say of an uninterpreted type that it has only so many values, also those about constants that a run does
// not mention.
func TestTypesWithFewValues(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"two values", safe, `type T; const a: T; const b: T; axiom (forall x: T :: x == a || x == b); procedure main() { var x, y, z: T; assert x == y || y == z || x == z; }`},
		{"two values, three asked for", open, `type T; const a: T; const b: T; axiom (forall x: T :: x == a || x == b); procedure main() { var x, y: T; assert x == y; }`},
		{"one value, of maps", safe, `type T; const a: T; axiom (forall x: T :: x == a); var m: [int]T; procedure main() { assert m[0] == m[1]; }`},
		{"one value, of functions", safe, `type T; const a: T; axiom (forall x: T :: x == a); function f(i: int): T; procedure main() { assert f(0) == f(1); }`},
		{"another type", open, `type T; type S; const a: T; axiom (forall x: T :: x == a); procedure main() { var x, y: S; assert x == y; }`},
		// What is assumed of the values of T may not be used for integers.
		{"numbers are no values", open, `type T; const a: T; procedure main() { var m: [T]int; var n: [int]int; assume (forall x: T :: m[x] == 0 && x == a); assume n[5] == 1 && n[6] == 2; assert false; }`},
		{"numbers are no values, for all maps", open, `type T; axiom (forall m: [T]int, x, y: T :: {m[x], m[y]} x == y); procedure main() { var n: [int]int; assume n[5] == 2 && n[6] == 3; assert n[7] == 5; }`},
		{"unique constants", safe, `type T; const unique a: T; const unique b: T; axiom (forall x: T :: x == a || x == b); procedure main() { var x: T; assume x != a; assert x == b; assert a != b; }`},
	})
}

func TestBounded(t *testing.T) {
	for src, bounded := range map[string]bool{
		`axiom (forall x: T :: x == a);`:                                         true,
		`axiom (exists y: T :: (forall x: T :: !(x != y)));`:                     true,
		`axiom !(exists x: T :: x != a);`:                                        true,
		`function g(x: T): bool { x == a } axiom (forall x: T :: g(x));`:         true,
		`axiom (forall m: [int]T :: m[0] == m[1]);`:                              true,
		`axiom (forall x: T :: (var y := x; y == a));`:                           true,
		`axiom (forall x: T :: f(x) == 1);`:                                      false,
		`axiom (forall x: T :: h(x) == a);`:                                      false,
		`axiom (forall x: T, i: int :: i == 3 ==> f(x) == i);`:                   false,
		`axiom a == h(a);`:                                                       false,
		`procedure p(x: T) { assert (exists y: T :: y != x); }`:                  true,
		`procedure p(x: T) { assert (lambda y: T :: y == x)[x]; }`:               true,
		`procedure p(x: T, y: T) { assert x == y; }`:                             false,
		`procedure p(x: T) { while (*) invariant (forall y: T :: y == x); { } }`: true,
		`procedure p(x: T where (forall y: T :: y == x)); procedure q() { }`:     true,
	} {
		p, err := boogie.Read("test.bpl", []byte(`type T; const a: T; function f(T): int; function h(T): T; `+src), boogie.Options{})
		require.NoError(t, err, src)
		require.Equal(t, bounded, p.Types[0].Bounded, src)
	}
}
