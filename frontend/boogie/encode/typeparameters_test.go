package encode_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/encode"
)

// A procedure with type parameters does with each choice of types what its body does with values of these.
func TestProceduresWithTypeParameters(t *testing.T) {
	const option = `datatype Option<T> { None(), Some(t: T) } datatype Unit { U() } `
	const copied = `procedure Copy<T>(x: T) returns (y: T); ensures y == x; procedure Keep<T>(x: T) returns (y: T) { y := x; } `
	check(t, encode.Options{}, []example{
		{"a lambda expression of a datatype", safe, option + copied + `procedure main() { var d: [int]Option bool; call d := Copy((lambda r: int :: None())); assert d[3] == None() && d[4] is None; }`},
		{"a lambda expression of a datatype, refuted", unsafe, option + copied + `procedure main() { var d: [int]Option bool; call d := Copy((lambda r: int :: None())); assert d[3] is Some; }`},
		{"a store into a map of a datatype", safe, option + copied + `procedure main() { var d: [int]Option bool; call d := Keep((lambda r: int :: None())[2 := Some(true)]); assert d[2] == Some(true) && d[3] is None; }`},
		{"a body at two types", safe, copied + `procedure main() { var b: bool; var i: int; call b := Keep(true); call i := Keep(3); assert b && i == 3; }`},
		{"a body at two types, refuted", unsafe, copied + `procedure main() { var b: bool; var i: int; call b := Keep(true); call i := Keep(3); assert b && i == 4; }`},
		{"three Booleans", safe, `procedure P<T>() returns (y: T) { } procedure main() { var b, c, d: bool; call b := P(); call c := P(); call d := P(); assert b == c || c == d || b == d; }`},
		{"three Booleans by contract", safe, `procedure P<T>() returns (y: T); procedure main() { var b, c, d: bool; call b := P(); call c := P(); call d := P(); assert b == c || c == d || b == d; }`},
		{"a type of one value", unsafe, option + `procedure P<T>(a: T) { var m: [T]int; m := (lambda t: T :: 0); m[a] := 1; assert m != (lambda t: T :: 1); } procedure main() { call P(U()); }`},
		{"a type of infinitely many", safe, `procedure P<T>(a: T) { var m: [T]int; m := (lambda t: T :: 0); m[a] := 1; assert m != (lambda t: T :: 1); } procedure main() { call P(3); }`},
		{"calls of others", safe, copied + `procedure Twice<T>(x: T) returns (y: T) { call y := Keep(x); call y := Keep(y); } procedure main() { var b: bool; call b := Twice(true); assert b; }`},
		{"called by nobody", unsafe, copied + `procedure main<T>(x: T, y: T) { var z: T; call z := Keep(x); assert z == y; }`},
		{"called by nobody, safe", safe, copied + `procedure main<T>(x: T, y: T) { var z: T; call z := Keep(x); assert z == x; }`},
		{"recursion", safe, copied + `procedure Again<T>(x: T, n: int) returns (y: T) ensures y == x; { y := x; if (n > 0) { call y := Again(y, n - 1); } } procedure main() { var b: bool; call b := Again(true, 7); assert b; }`},
		{"an implementation with its own names", unsafe, `procedure P<A, B>(a: A, b: B) returns (c: B); implementation P<C, D>(x: C, y: D) returns (z: D) { z := y; } procedure main() { var i: int; call i := P(true, 3); assert i != 3; }`},
		{"labels, loops and quantifiers", safe, `procedure P<T>(m: [int]T, n: int, x: T) returns (found: bool) requires (forall i: int :: m[i] != x); { var i: int; i := 0; found := false; L: while (i < n) { if (m[i] == x) { found := true; break; } i := i + 1; if (*) { goto L; } } }
			procedure main(m: [int]bv8) { var f: bool; assume (forall i: int :: m[i] == 1bv8); call f := P(m, 10, 2bv8); assert !f; }`},
		{"datatypes of datatypes", safe, option + `function mk<T>(x: T): Option T { Some(x) } procedure q<T>(o: Option T) returns (b: bool) ensures b <==> o is Some; { b := o is Some; } procedure main() { var b: bool; call b := q(mk(true)); assert b; call b := q(mk(mk(1))); assert b; call b := q((None(): Option real)); assert !b; }`},
		{"maps from a parameter", safe, `procedure q<T>(m: [T]int, k: T) returns (n: [T]int) ensures n == m[k := 1]; { n := m; n[k] := 1; } procedure main() { var a: [bool]int; var b: [bv2]int; call a := q(a, true); assert a[true] == 1; call b := q(b, 3bv2); assert b[3bv2] == 1; }`},
		{"two parameters become one", safe, `procedure q<A, B>(a: A, b: B) returns (c: A, d: B) { c, d := a, b; } procedure r<A>(a: A) returns (c: A, d: A) { call c, d := q(a, a); } procedure main() { var x, y: real; call x, y := r(1.5); assert x == y && x == 1.5; }`},
		{"an error", unsafe, `procedure reach_error<T>(x: T); procedure main() { call reach_error(true); }`},
	})
}

func TestEverLargerTypes(t *testing.T) {
	const src = `datatype Box<T> { B(t: T) } procedure P<T>(x: T) { call P(B(x)); } procedure main() { call P(1); }`
	program, err := boogie.Read("test.bpl", []byte(src), boogie.Options{})
	require.NoError(t, err)
	_, err = encode.Encode(context.Background(), program, term.NewPool(), encode.Options{})
	require.ErrorContains(t, err, "calls of the procedure P at more than 100 choices of types")
	require.ErrorIs(t, err, boogie.ErrUnsupported)
}
