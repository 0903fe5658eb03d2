package encode_test

import (
	"testing"

	"hornbeam/frontend/boogie/encode"
)

func TestExpressions(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"implications to the right", safe, `procedure p() { var a, b, c: bool; assert (a ==> b ==> c) <==> (a ==> (b ==> c)); }`},
		{"not to the left", unsafe, `procedure p() { var a, b, c: bool; assert (a ==> b ==> c) <==> ((a ==> b) ==> c); }`},
		{"explications to the left", safe, `procedure p() { var a, b, c: bool; assert (a <== b <== c) <==> ((a <== b) <== c); }`},
		{"explication reversed", unsafe, `procedure p() { var a, b: bool; assert (a <== b) <==> (a ==> b); }`},
		{"else reaches far", safe, `procedure p() { var c: bool; var x: int; x := if c then 1 else 2 + 3; assert x == 5 || x == 1; assert c ==> x == 1; }`},
		{"else reaches far, refuted", unsafe, `procedure p() { var c: bool; var x: int; x := if c then 1 else 2 + 3; assert x == 4 || x == 5; }`},
		{"division is Euclidean", safe, `procedure p() { assert -32 div 13 == -3; assert -32 mod 13 == 7; assert -32 div -13 == 3; assert -32 mod -13 == 7; assert 32 div -13 == -2; assert 32 mod -13 == 6; assert -2 mod 3 == 1; }`},
		{"division by a variable", safe, `procedure p(a, b: int) { assume b != 0; assert a == (a div b) * b + a mod b; }`},
		{"division does not truncate", unsafe, `procedure p() { var a: int; assume a == -32; assert a div 13 == -2; }`},
		{"by zero it is one value", safe, `procedure p(x: int) { assert x div 0 == x div 0; assert x mod 0 == x mod 0; }`},
		{"by zero it is not zero", unsafe, `procedure p(x: int) { assert x div 0 == 0; }`},
		{"by zero it is the same elsewhere", safe, `procedure q(x: int, y: int) returns (r: int) { r := x div y; } procedure p(x: int) { var r: int; call r := q(x, 0); assert r == x div 0; }`},
		{"by zero it depends on the dividend", unsafe, `procedure q(x: int, y: int) returns (r: int) { r := x div y; } procedure p(x: int) { var r: int; call r := q(x, 0); assert r == (x + 1) div 0; }`},
		{"real division", safe, `procedure p(x: real) { assert 7 / 2 == 3.5; assume x > 0.0; assert x / 2.0 < x; }`},
		{"real division by zero", unsafe, `procedure p(x: real) { assert x / 0.0 == 0.0; }`},
		{"conversions", safe, `procedure p(x: real) { assert int(2.5) == 2; assert int(-2.5) == -3; assert real(int(x)) <= x; }`},
		{"conversions round down", unsafe, `procedure p(x: real) { assert real(int(x)) == x; }`},
		{"powers are anything", open, `procedure p() { assert 2.0 ** 2.0 == 4.0; }`},
		{"let binds all at once", safe, `procedure p(x: int) { var y: int; y := 1; assert (var y, z := x, y; z) == 1; assert (var x := x + 1; x) == x + 1; }`},
		{"let shadows", unsafe, `procedure p(x: int) { assert (var x := x + 1; x) == x; }`},
		{"coercions convert nothing", safe, `procedure p(x: int) { assert (x: int) == x; }`},
	})
}

func TestUltimatesDivision(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"integers", safe, "//#Safe\nprocedure p() { assert 7 / 2 == 3; assert -7 / 2 == -4; assert -7 % 2 == 1; }"},
		{"not rounded towards zero", unsafe, "//#Unsafe\nprocedure p() { assert -7 / 2 == -3; }"},
	})
}

func TestMaps(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"two ways of two indices", safe, `procedure p() { var m: [int,int]int; var n: [int][int]int; m[1,2] := 3; n[1][2] := 3; assert m[1,2] == n[1][2]; m[1,3] := 4; assert m[1,2] == 3; }`},
		{"indices in order", unsafe, `procedure p() { var m: [int,int]int; m[1,2] := 3; m[2,1] := 4; assert m[1,2] == 4; }`},
		{"assignments in parallel", safe, `procedure p() { var m: [int]int; var x: int; x := 7; m[0] := 5; m[0], x := x, m[0]; assert m[0] == 7 && x == 5; }`},
		{"not one after the other", unsafe, `procedure p() { var m: [int]int; var x: int; x := 7; m[0] := 5; m[0], x := x, m[0]; assert x == 7; }`},
		{"the index is read before", safe, `procedure p() { var m: [int]int; var x: int; x := 0; x, m[x] := 1, 9; assert m[0] == 9; }`},
		{"the index is not read after", unsafe, `procedure p() { var m: [int]int; var x: int; x := 0; m[1] := 3; x, m[x] := 1, 9; assert m[1] == 9; }`},
		{"the order of updates", safe, `procedure p() { var m, n: [int]int; n := m; m[0] := 1; m[1] := 2; n[1] := 2; n[0] := 1; assert m == n; }`},
		{"other values", unsafe, `procedure p() { var m, n: [int]int; n := m; m[0] := 1; n[1] := 2; assert m == n; }`},
		{"all indices overwritten", safe, `procedure p() { var m, n: [bool]int; m[false] := 1; m[true] := 2; n[true] := 2; n[false] := 1; assert m == n; }`},
		{"one index not", unsafe, `procedure p() { var m, n: [bool]int; m[false] := 1; n[false] := 1; assert m == n; }`},
		{"updates in expressions", safe, `procedure p(m: [int]int) { assert m[3 := 4][3] == 4; assert m[3 := 4][5] == m[5]; }`},
		{"no index", safe, `procedure p() { var m: []int; m[] := 3; assert m[] == 3; }`},
		{"constant lambda", safe, `procedure p() { var m: [int]int; m := (lambda i: int :: 7); assert m[3] == 7; }`},
		{"lambda at an index", safe, `procedure p(x: int) { var m: [int]int; m := (lambda i: int :: i + x); assert m[3] == 3 + x; }`},
		{"lambda at no other value", open, `procedure p(x: int) { var m: [int]int; m := (lambda i: int :: i + x); assert m[3] == 4 + x; }`},
		{"bit-vectors as indices", safe, `procedure p() { var m: [bv2]int; m[1bv2] := 3; m[2bv2] := 4; assert m[1bv2] == 3; }`},
	})
}

func TestControlFlow(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"break leaves an if", safe, `procedure p() { var x: int; x := 0; L: if (*) { if (*) { break L; } x := 1; } else { x := 2; } assert 0 <= x && x <= 2; }`},
		{"break leaves an if, reached", unsafe, `procedure p() { var x: int; x := 0; L: if (*) { if (*) { break L; } x := 1; } else { x := 2; } assert x != 0; }`},
		{"break leaves a loop", safe, `procedure p() { var x: int; x := 0; while (true) { x := x + 1; if (x == 5) { break; } } assert x == 5; }`},
		{"break leaves an outer loop", unsafe, `procedure p() { var x: int; x := 0; O: while (x < 10) { while (true) { x := x + 1; if (x == 3) { break O; } } } assert x >= 10; }`},
		{"goto into a loop", safe, `procedure p() { var i: int; i := 5; goto in; L: while (i > 0) { i := 100; in: i := i - 1; assume i < 50; } assert i <= 0; }`},
		{"goto into a loop, unsafe", unsafe, `procedure p() { var i: int; i := 5; goto in; L: while (i > 3) { in: i := i - 1; } assert i == 4; }`},
		{"code after return", safe, `procedure p() { return; assert false; }`},
		{"a label after return", unsafe, `procedure p() { goto A; return; A: assert false; }`},
		{"label at the end", safe, `procedure p() { var x: int; x := 1; goto E; x := 2; E: }`},
		{"the entry is a loop head", safe, `procedure p(n: int) { var b: bool; L: assert b == b; if (*) { goto L; } }`},
		{"the entry is a loop head, unsafe", unsafe, `var g: int; procedure p() { L: g := g + 1; assert g != 7; goto L; }`},
		{"two entries of a loop", safe, `procedure p() { var x: int; goto A, B; A: x := 0; goto C; B: x := 1; goto D; C: x := x + 2; assert x >= 0; goto D; D: x := x + 1; assert x >= 1; goto C, E; E: assert x > 0; }`},
		{"two entries of a loop, unsafe", unsafe, `procedure p() { var x: int; goto A, B; A: x := 0; goto C; B: x := 1; goto D; C: x := x + 2; goto D; D: x := x + 1; goto C, E; E: assert x != 5; }`},
		{"a head that only a retreating edge reaches", unsafe, `procedure p() { goto X, B; X: assume false; goto A; A: assert false; goto B; B: goto A; }`},
		{"the same, blocked", safe, `procedure p() { goto X, B; X: assume false; goto A; A: assert false; goto B; B: assume false; goto A; }`},
		{"dead ends", safe, `procedure p() { if (*) { assume false; } else { return; } assert false; }`},
		{"counting", safe, `procedure p(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert n >= 0 ==> i == n; }`},
		{"counting too far", unsafe, `procedure p(n: int) { var i: int; i := 0; while (i <= n) { i := i + 1; } assert n >= 0 ==> i == n; }`},
		{"an invariant that does not hold", unsafe, `procedure p() { var i: int; i := 0; while (i < 3) invariant i < 3; { i := i + 1; } }`},
		{"an invariant that holds", safe, `procedure p() { var i: int; i := 0; while (i < 3) invariant i <= 3; { i := i + 1; } }`},
		{"a free invariant blocks", safe, `procedure p() { var i: int; i := 0; while (i < 3) free invariant i < 3; { i := i + 1; } assert false; }`},
		{"else if", unsafe, `procedure p(x: int) { var y: int; if (x < 0) { y := 0; } else if (x == 0) { y := 1; } else { y := 2; } assert y != 1; }`},
		{"an assertion holds after it", safe, `procedure p(x: int) { if (x > 0) { assert x != 0; } assume x == 3; assert x == 3; }`},
		{"verified under", safe, `procedure p(x: int) { var b: bool; b := x > 0; assert {:verified_under b} x <= 0; }`},
		{"not verified under", unsafe, `procedure p(x: int) { var b: bool; b := x > 0; assert {:verified_under b} x < 0; }`},
	})
}

func TestOld(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"is of the entry, not of the loop", safe, `var g: int; procedure p() modifies g; { g := g + 1; while (*) invariant g > old(g); { g := g + 1; } assert g >= old(g) + 1; }`},
		{"is not of the loop", unsafe, `var g: int; procedure p() modifies g; { g := g + 1; while (*) invariant g >= old(g); { g := g + 1; } assert g == old(g); }`},
		{"of a local is the local", safe, `procedure p() { var x: int; x := 1; x := 2; assert old(x) == 2; }`},
		{"of old", safe, `var g: int; procedure p() { g := 5; assert old(old(g)) == old(g); assert g == 5; }`},
		{"in ensures", safe, `var g: int; procedure p() modifies g; ensures g == old(g) + 1; { g := g + 1; }`},
		{"in ensures, unsafe", unsafe, `var g: int; procedure p() modifies g; ensures g == old(g) + 1; { g := old(g) + 2; }`},
		{"of a callee", safe, `var g: int; procedure q() modifies g; ensures g == old(g) + 1; { g := g + 1; } procedure r(); modifies g; ensures g == old(g) + 2; procedure p() modifies g; { g := 3; call r(); assert g == 5; call q(); assert g == 6; assert true; }`},
		{"within an argument", safe, `var g: int; procedure q(x: int) returns (y: int) { y := x; } procedure p() { var y: int; g := 1; call y := q(old(g)); assert y == old(g); }`},
		{"in an index that is assigned", unsafe, `var h: int; procedure p() { var m: [int]int; m[old(h)] := 3; m[2] := 4; assert m[old(h)] == 3; }`},
		{"read nowhere else", unsafe, `var g: int; procedure p() { g := 1; assert old(g) == 1; }`},
	})
}

func TestWhere(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"at the entry", safe, `var g: int where g > 0; procedure p(x: int where x > g) { assert x > 1; }`},
		{"is broken by assignment", unsafe, `var g: int where g > 0; procedure p() { g := 0; assert g > 0; }`},
		{"is restored by havoc", safe, `var g: int where g > 0; procedure p() { g := 0; havoc g; assert g > 0; }`},
		{"not of what is not havocked", unsafe, `procedure p() { var x: int where x > y; var y: int; havoc y; assert x > y; }`},
		{"in one havoc", safe, `procedure p() { var x: int where x > y; var y: int; havoc y, x; assert x > y; havoc x, y; assert x > y; }`},
		{"one after the other", safe, `procedure p() { var x: int where x > y; var y: int; havoc y; havoc x; assert x > y; }`},
		{"in the other order", unsafe, `procedure p() { var x: int where x > y; var y: int; havoc x; havoc y; assert x > y; }`},
		{"of locals at the entry", safe, `var g: int; procedure q() returns (r: int) { var x: int where x == g + 1; r := x; } procedure p() { var r: int; g := 3; call r := q(); assert r == 4; }`},
		{"of results at the entry", safe, `procedure q(n: int) returns (r: int where r >= n); implementation q(m: int) returns (s: int) { } procedure p() { var r: int; call r := q(5); assert r >= 5; }`},
		{"of results, havocked", safe, `procedure q(n: int) returns (r: int where r >= n); implementation q(m: int) returns (s: int) { s := m - 1; havoc s; } procedure p() { var r: int; call r := q(5); assert r >= 5; }`},
		{"of results, assigned", unsafe, `procedure q(n: int) returns (r: int where r >= n); implementation q(m: int) returns (s: int) { s := m - 1; } procedure p() { var r: int; call r := q(5); assert r >= 5; }`},
		{"of results without a body", safe, `procedure q(n: int) returns (r: int where r >= n); procedure p() { var r: int; call r := q(5); assert r >= 5; }`},
		{"not of what gets a result", unsafe, `procedure q() returns (r: int); procedure p() { var r: int where r > 0; call r := q(); assert r > 0; }`},
		{"of globals that a body-less callee changes", safe, `const c: int; axiom c > 5; var h: int; var g: int where g > c + h; procedure q(); modifies g; procedure p() { h := 1; g := 0; call q(); assert g > 7; }`},
		{"of globals that a body-less callee changes, unsafe", unsafe, `const c: int; axiom c > 5; var h: int; var g: int where g > c + h; procedure q(); modifies g; procedure p() { h := 1; call q(); assert g > 8; }`},
		{"not of the arguments of a body", unsafe, `procedure q(x: int where x > 0) { assert x > 0; } procedure p(y: int) { call q(y); }`},
		{"of arguments that are left open", safe, `procedure q(x: int where x > y, y: int) { assert x > y; } procedure p() { call q(*, 3); }`},
		{"of arguments that are left open before others", safe, `procedure q(x: int where x > y, y: int where y > 3) { assert x > 4; } procedure p() { call q(*, *); }`},
		{"mentions a constant", safe, `const c: int; axiom c == 4; procedure p() { var x: int where x > c; havoc x; assert x > 4; }`},
		{"contradicts", safe, `var g: int where false; procedure p() { assert false; }`},
	})
}

func TestContracts(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"modifies without ensures", unsafe, `var g: int; procedure q(); modifies g; procedure p() { g := 1; call q(); assert g == 1; }`},
		{"changes nothing else", safe, `var g, h: int; procedure q(); modifies g; procedure p() { h := 1; call q(); assert h == 1; }`},
		{"no contract", unsafe, `procedure q() returns (x: int); procedure p() { var x: int; x := 1; call x := q(); assert x == 1; }`},
		{"false ensures", safe, `procedure q(); ensures false; procedure p() { call q(); assert false; }`},
		{"requires of a body-less one", unsafe, `procedure q(x: int); requires x > 0; procedure p() { call q(0); }`},
		{"requires met", safe, `procedure q(x: int); requires x > 0; procedure p() { call q(1); }`},
		{"requires of a body", unsafe, `procedure q(x: int) requires x > 0; { } procedure p(x: int) { call q(x); }`},
		{"requires of the entry", safe, `procedure p(x: int) requires x > 0; { assert x > 0; }`},
		{"free requires of the entry", safe, `procedure p(x: int) free requires x > 0; { assert x > 0; }`},
		{"free requires at a call blocks", safe, `procedure q() free requires false; { } procedure p() { call q(); assert false; }`},
		{"free call is not checked", safe, `procedure q(x: int); requires x > 0; procedure p() { free call q(0); }`},
		{"free call does not block", unsafe, `procedure q(x: int); requires x > 0; procedure p() { free call q(0); assert false; }`},
		{"ensures is checked", unsafe, `procedure q() returns (x: int) ensures x > 0; { x := 0; } procedure p() { var x: int; call x := q(); }`},
		{"the body counts", safe, `procedure q() returns (x: int) ensures x > 0; { x := 5; } procedure p() { var x: int; call x := q(); assert x == 5; }`},
		{"free ensures is believed", safe, `procedure q() returns (x: int) free ensures x > 0; { } procedure p() { var x: int; call x := q(); assert x > 0; }`},
		{"free ensures is not checked", safe, `procedure q() returns (x: int) free ensures x > 0; { x := 0; } procedure p() { var x: int; call x := q(); assert false; }`},
		{"swapping results", safe, `procedure q(a, b: int) returns (c, d: int) { c, d := a, b; } procedure p() { var x, y: int; x, y := 1, 2; call x, y := q(y, x); assert x == 2 && y == 1; }`},
		{"results of a body-less one", safe, `procedure q(a: int) returns (b: int); ensures b == a + 1; procedure p() { var x: int; x := 1; call x := q(x); assert x == 2; }`},
		{"a global as a result", safe, `var g: int; procedure q() returns (x: int) { x := 3; } procedure p() { call g := q(); assert g == 3; }`},
		{"a global as a result of what changes it", safe, `var g: int; procedure q() returns (x: int) modifies g; { g := 4; x := 3; } procedure p() { call g := q(); assert g == 3; }`},
		{"results thrown away", safe, `procedure q() returns (x, y: int) { x, y := 1, 2; } procedure p() { var y: int; call *, y := q(); assert y == 2; }`},
		{"open arguments", unsafe, `procedure q(x: int) { assert x != 7; } procedure p() { call q(*); }`},
		{"reach_error", unsafe, `procedure reach_error(); procedure p(x: int) { if (x == 3) { call reach_error(); } }`},
		{"reach_error with a body that returns", unsafe, `procedure reach_error() { } procedure p(x: int) { if (x == 3) { call reach_error(); } }`},
		{"reach_error not reached", safe, `procedure reach_error(); procedure p(x: int) { if (x == 3) { if (x == 4) { call reach_error(); } } }`},
		{"an error procedure that requires", unsafe, `var g: int; procedure reach_error(); requires g > 0; procedure p() { g := 1; call reach_error(); }`},
		{"an error deep inside", unsafe, `procedure r(x: int) { assert x < 10; } procedure q(x: int) { call r(x + 1); } procedure p(x: int) { assume x < 10; call q(x); }`},
		{"no error deep inside", safe, `procedure r(x: int) { assert x < 11; } procedure q(x: int) { call r(x + 1); } procedure p(x: int) { assume x < 10; call q(x); }`},
		{"calls in branches", safe, `procedure q(x: int) returns (y: int) { y := x + 1; } procedure p(b: bool) { var x: int; x := 0; if (b) { call x := q(x); } else { call x := q(x); call x := q(x); } assert x == (if b then 1 else 2); }`},
		{"calls in loops", unsafe, `procedure q(x: int) returns (y: int) { y := x + 1; } procedure p() { var x: int; x := 0; while (*) { call x := q(x); } assert x != 4; }`},
	})
}

func TestImplementations(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"other names", safe, `procedure q(b, a: int) returns (r: int); requires a > b; ensures r > 0; implementation q(a, b: int) returns (z: int) { z := b - a; } procedure p() { var r: int; call r := q(1, 5); assert r == 4; }`},
		{"other names, unsafe", unsafe, `procedure q(b, a: int) returns (r: int); requires a > b; ensures r > 0; implementation q(a, b: int) returns (z: int) { z := a - b; } procedure p() { var r: int; call r := q(1, 5); }`},
		{"results exchanged by name", safe, `procedure q() returns (x, y: int); ensures x == 1 && y == 2; implementation q() returns (y, x: int) { y, x := 1, 2; } procedure p() { var a, b: int; call a, b := q(); assert a == 1 && b == 2; }`},
		{"two bodies", unsafe, `procedure q() returns (x: int); implementation q() returns (x: int) { x := 1; } implementation q() returns (x: int) { x := 2; } procedure p() { var x: int; call x := q(); assert x == 1; }`},
		{"two bodies, one fails", unsafe, `procedure q(); implementation q() { } implementation q() { assert false; } procedure p() { call q(); }`},
		{"two bodies, safe", safe, `procedure q() returns (x: int); implementation q() returns (x: int) { x := 1; } implementation q() returns (y: int) { y := 2; } procedure p() { var x: int; call x := q(); assert x == 1 || x == 2; }`},
		{"before the procedure", safe, `implementation q() returns (x: int) { x := 1; } procedure q() returns (x: int); procedure p() { var x: int; call x := q(); assert x == 1; }`},
	})
}

func TestRecursion(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"even and odd", safe, `procedure even(n: int) returns (r: bool) { if (n == 0) { r := true; } else { call r := odd(n - 1); } } procedure odd(n: int) returns (r: bool) { if (n == 0) { r := false; } else { call r := even(n - 1); } } procedure main() { var r: bool; call r := even(2); assert r; call r := odd(2); assert !r; }`},
		{"even and odd, unsafe", unsafe, `procedure even(n: int) returns (r: bool) { if (n == 0) { r := true; } else { call r := odd(n - 1); } } procedure odd(n: int) returns (r: bool) { if (n == 0) { r := false; } else { call r := even(n - 1); } } procedure main() { var r: bool; call r := even(3); assert r; }`},
		{"only each other call them", unsafe, `procedure a() { call b(); } procedure b() { if (*) { call a(); } assert false; }`},
		{"only itself calls it", unsafe, `procedure main() { } procedure a() { if (*) { call a(); } assert false; }`},
		{"an island", unsafe, `procedure main() { } procedure a(x: int) { if (x > 0) { call b(x - 1); } } procedure b(x: int) { call a(x); assert x != 3; }`},
		{"McCarthy", safe, `procedure m(n: int) returns (r: int) { if (n > 100) { r := n - 10; } else { call r := m(n + 11); call r := m(r); } } procedure main(n: int) { var r: int; assume n <= 101; call r := m(n); assert r == 91; }`},
		{"McCarthy, unsafe", unsafe, `procedure m(n: int) returns (r: int) { if (n > 100) { r := n - 10; } else { call r := m(n + 11); call r := m(r); } } procedure main(n: int) { var r: int; assume n <= 102; call r := m(n); assert r == 91; }`},
		{"that never ends", safe, `procedure r(n: int) { call r(n + 1); } procedure main() { call r(0); assert false; }`},
		{"that fails on the way", unsafe, `procedure r(n: int) { assert n < 4; call r(n + 1); } procedure main() { call r(0); }`},
		{"with globals", unsafe, `var g: int; procedure r(n: int) { if (n > 0) { g := g + 2; call r(n - 1); } } procedure main() { g := 0; call r(3); assert g == 5; }`},
		{"requires help", safe, `procedure r(n: int) returns (x: int) requires n >= 0; ensures x >= n; { if (n == 0) { x := 0; } else { call x := r(n - 1); x := x + 1; } } procedure main() { var x: int; call x := r(5); assert x >= 5; }`},
	})
}

func TestSymbols(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"constants agree", safe, `const c: int; procedure q() returns (x: int) { x := c; } procedure p() { var x: int; call x := q(); assert x == c; }`},
		{"constants are not known", unsafe, `const c: int; procedure q() returns (x: int) { x := c; } procedure p() { var x: int; call x := q(); assert x == 0; }`},
		{"axioms", safe, `const c, d: int; axiom c == 4; axiom d == c + 1; procedure p() { assert d == 5; }`},
		{"inequalities", safe, `const c: int; axiom c > 4; procedure q() { assert c > 3; } procedure p() { call q(); }`},
		{"inequalities, unsafe", unsafe, `const c: int; axiom c > 4; procedure q() { assert c > 5; } procedure p() { call q(); }`},
		{"axioms that contradict each other", safe, `const c: int; axiom c == 4; axiom c == 5; procedure p() { assert c == 0; }`},
		{"by way of others", safe, `const c, d, e: int; axiom c < d; axiom d < e; axiom e < 5; procedure p() { assert c < 3; }`},
		{"candidates are no obligations", safe, `const {:existential true} b: bool; procedure p() { var i: int; i := 0; while (*) invariant b ==> i == 0; { i := i + 1; } }`},
		{"nor assumptions", unsafe, `const {:existential true} b: bool; procedure p() { var i: int; i := 0; while (*) free invariant b ==> i == 0; { i := i + 1; } assert i == 0; }`},
		{"unless axioms speak of them", unsafe, `const {:existential true} b: bool; axiom b; const {:existential true} c: int; procedure p() { assert !b; assert c == c; }`},
		{"unique", safe, `type T; const unique a, b: T; const unique x, y: int; procedure p() { assert a != b; assert x != y; }`},
		{"unique of two types", safe, `type T; type U; const unique a: T; const unique b: U; const unique c: T; procedure p() { assert a != c; }`},
		{"not unique", unsafe, `type T; const unique a: T; const b: T; procedure p() { assert a != b; }`},
		{"functions are functions", safe, `function f(x: int): int; procedure q(x: int) returns (y: int) { y := f(x); } procedure p(x, z: int) { var y: int; call y := q(x); assume x == z; assert y == f(z); }`},
		{"functions are anything", unsafe, `function f(x: int): int; procedure q(x: int) returns (y: int) { y := f(x); } procedure p(x, z: int) { var y: int; call y := q(x); assert y == f(z); }`},
		{"of two arguments", safe, `function f(x: int, y: bool): int; axiom f(1, true) == 5; procedure p(b: bool) { if (b) { assert f(1, b) == 5; } }`},
		{"of no arguments", safe, `function f(): int; axiom f() > 1; procedure p() { assert f() > 0; }`},
		{"with bodies", safe, `function {:inline} f(x: int): int { x + 1 } function g(x: int): int { f(f(x)) } procedure p(x: int) { assert g(x) == x + 2; }`},
		{"with bodies, unsafe", unsafe, `function {:inline} f(x: int): int { x + 1 } function g(x: int): int { f(f(x)) } procedure p(x: int) { assert g(x) == x + 1; }`},
		{"bodies with constants", safe, `const c: int; axiom c > 3; function f(x: int): int { x + c } procedure p(x: int) { assert f(x) > x + 3; }`},
		{"recursive", safe, `function f(n: int): int { if n <= 0 then 0 else 1 + f(n - 1) } procedure p() { assert f(0) == 0; }`},
		{"recursive with a constant", safe, `const c: int; axiom c == 2; function f(n: int): int { if n <= 0 then c else 1 + f(n - 1) } procedure p() { assert f(0) == 2; }`},
		{"recursive, not decided", open, `function f(n: int): int { if n <= 0 then 0 else 1 + f(n - 1) } procedure p() { assert f(50) == 50; }`},
		{"type parameters", safe, `function {:inline} id<T>(x: T): T { x } procedure p(x: int, b: bool) { assert id(x) == x && id(b) == b; }`},
		{"type parameters without a body", safe, `function f<T>(x: T): int; procedure p(x, y: int, b: bool) { assume x == y; assert f(x) == f(y); assert f(b) == f(b || b); }`},
		{"type parameters without a body, for two types", open, `function f<T>(x: T): int; procedure p(x: int, b: bool) { assert f(x) == f(b); }`},
		{"axioms for all types", safe, `type S _; function len<T>(s: S T): int; function cut<T>(s: S T): S T; axiom (forall<T> s: S T :: len(s) >= 0); axiom (forall<T> s: S T :: len(cut(s)) < len(s) || len(s) == 0); procedure p(s: S int, r: S bool) { assume len(s) > 0; assert len(cut(s)) < len(s); assert len(r) >= 0; }`},
		{"procedures with type parameters", safe, `procedure same<T>(x: T, y: T) returns (b: bool, z: T) { b := x == y; z := x; } procedure p(x: int, y: int) { var b: bool; var z: int; call b, z := same(x, y); assert b <==> x == y; assert z == x; }`},
		{"procedures with type parameters, unsafe", unsafe, `procedure p<T>(x: T, y: T) { assert x == y; }`},
		{"values of different types", open, `procedure p<T>(x: T) { assert x == 5; }`},
		{"uninterpreted types", unsafe, `type T; procedure p(x, y: T) { assert x == y; }`},
		{"types with arguments", safe, `type T _; procedure p(x: T int, y: T int, z: T int) { assume x == y && y == z; assert x == z; }`},
		{"a constant and a procedure of one name", safe, `const main: int; axiom main == 3; procedure main() { assert main == 3; }`},
		{"strange names", safe, `procedure \old(x': int) { var .str.1, $M.0, #t~ret0: int; .str.1 := x'; $M.0 := .str.1; #t~ret0 := $M.0; assert #t~ret0 == x'; }`},
	})
}

func TestQuantifiers(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"assumed, used at one index", safe, `procedure p(m: [int]int) { assume (forall i: int :: m[i] > 0); assert m[3] > 0; }`},
		{"assumed, used at no index", open, `procedure p(m: [int]int, x: int) { assume (forall i: int :: m[i] > 0); assert x > 0; }`},
		{"asserted with a witness", unsafe, `procedure p(m: [int]int) { assert (forall i: int :: m[i] > 0); }`},
		{"asserted, then used", safe, `procedure p(m: [int]int) { assume (forall i: int :: m[i] > 0); assert (forall i: int :: m[i] >= 0); assert m[7] >= 0; }`},
		{"what was asserted is no approximation", unsafe, `procedure p(m: [int]int, x: int) { assert (forall i: int :: m[i] == m[i]); assert x > 0; }`},
		{"exists, asserted", open, `procedure p(m: [int]int) { assert (exists i: int :: m[i] > 0); }`},
		{"exists, assumed", safe, `procedure p(m: [int]int) { assume (exists i: int :: m[i] > 0 && m[i] < 0); assert false; }`},
		{"exists, assumed, unsafe", unsafe, `procedure p(m: [int]int) { assume (exists i: int :: m[i] > 0); assert false; }`},
		{"under a negation", safe, `procedure p(m: [int]int) { assume !(exists i: int :: m[i] <= 0); assert m[3] > 0; }`},
		{"as a value", safe, `procedure p(m: [int]int) { var b: bool; b := (forall i: int :: m[i] > 0); assert b ==> m[3] > 0; }`},
		{"as a value, negated", unsafe, `procedure p(m: [int]int) { assert (forall i: int :: m[i] > 0) || (forall i: int :: m[i] <= 0); }`},
		{"in axioms", safe, `function f(x: int): int; axiom (forall x: int :: f(x) > x); procedure p() { assert f(f(3)) > 4; }`},
		{"in axioms that nothing needs", unsafe, `function f(x: int): int; axiom (forall x: int :: f(x) > x); procedure p(x: int) { assert x > 0; }`},
		{"in axioms about nothing", unsafe, `axiom (forall x: int :: x + 0 == x); procedure p(x: int) { assert x > 0; }`},
		{"in bodies that nothing reaches", unsafe, `procedure p(x: int, m: [int]int) { if (false) { assume (forall i: int :: m[i] > 0); } assert x > 0; }`},
		{"required of the entry, used behind a loop", safe, `procedure p(m: [int]int) requires (forall i: int :: m[i] > 0); { var i: int; i := 0; while (*) { i := i + 1; } assert m[i] > 0; }`},
		{"required at a call", unsafe, `procedure q(m: [int]int) requires (forall i: int :: m[i] > 0); { } procedure p(m: [int]int) { call q(m); }`},
		{"on one way", unsafe, `procedure p(m: [int]int, b: bool) { if (b) { assume (forall i: int :: m[i] > 0); assume false; } assert m[0] > 0; }`},
		{"not on the other way", open, `procedure p(m: [int]int, b: bool) { if (b) { assume (forall i: int :: m[i] > 0); } assert m[0] > 0; }`},
		{"not where a condition is false", open, `procedure p(m: [int]int, b: bool) { assume b ==> (forall i: int :: m[i] > 0); assert m[0] > 0; }`},
		{"on both ways", safe, `procedure p(m: [int]int, b: bool) { if (b) { assume (forall i: int :: m[i] > 0); } else { assume (forall i: int :: m[i] > 1); } assert m[0] > 0; }`},
		{"what exists for all values", safe, `function f(x: int): int; axiom (forall x: int :: (exists y: int :: f(y) == x && y > x)); axiom (forall y: int :: f(y) > y); procedure p() { var y: int; y := f(3); assert y > 3; }`},
		{"equivalent to what holds for all", safe, `function sub(s: [int]bool, t: [int]bool): bool; axiom (forall s, t: [int]bool :: sub(s, t) <==> (forall i: int :: s[i] ==> t[i])); procedure p(s, t: [int]bool) { assume sub(s, t); assume s[4]; assert t[4]; }`},
		{"equivalent to what holds for all, the other way", safe, `function sub(s: [int]bool, t: [int]bool): bool; axiom (forall s, t: [int]bool :: sub(s, t) <==> (forall i: int :: s[i] ==> t[i])); procedure p(s: [int]bool) { assert sub(s, s); }`},
		{"not equivalent", open, `procedure p(m: [int]int, b: bool) { assert b <==> (forall i: int :: m[i] > 0); }`},
		{"over what is finite", safe, `procedure p(m: [bool]int) { assume (forall b: bool :: m[b] > 0); assert m[true] > 0 && m[false] > 0; }`},
	})
}

func TestBitVectors(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"extract and concatenate", safe, `procedure p() { var x: bv16; x := 18bv8 ++ 52bv8; assert x == 4660bv16; assert x[8:0] == 52bv8; assert x[16:8] == 18bv8; assert x[12:4] == 35bv8; }`},
		{"the left one has the high bits", unsafe, `procedure p() { var x: bv16; x := 18bv8 ++ 52bv8; assert x[8:0] == 18bv8; }`},
		{"literals wrap", safe, `procedure p() { assert 256bv8 == 0bv8; }`},
		{"operators", safe, `function {:bvbuiltin "bvadd"} add(x, y: bv8): bv8; function {:bvbuiltin "bvudiv"} div_(x, y: bv8): bv8; function {:bvbuiltin "bvshl"} shl(x, y: bv8): bv8; function {:bvbuiltin "sign_extend 8"} sx(x: bv8): bv16; function {:bvbuiltin "(_ zero_extend 8)"} zx(x: bv8): bv16; function {:bvbuiltin "bvslt"} slt(x, y: bv8): bool; function {:bvbuiltin "bvult"} ult(x, y: bv8): bool;
procedure p(x: bv8) { assert add(200bv8, 100bv8) == 44bv8; assert div_(x, 0bv8) == 255bv8; assert shl(x, 8bv8) == 0bv8; assert sx(128bv8) == 65408bv16; assert zx(128bv8) == 128bv16; assert slt(255bv8, 0bv8) && !ult(255bv8, 0bv8); }`},
		{"no sign", unsafe, `function {:bvbuiltin "bvslt"} slt(x, y: bv8): bool; procedure p(x, y: bv8) { assume slt(x, y); assert slt(x, 127bv8) && slt(y, 127bv8); }`},
		{"an unknown operator", open, `function {:bvbuiltin "bvfoo"} foo(x: bv8): bv8; procedure p(x: bv8) { assert foo(x) == x; }`},
		{"integer operators", safe, `function {:builtin "div"} d(x, y: int): int; function {:builtin "rem"} r(x, y: int): int; procedure p() { assert d(-7, 2) == -4; assert r(-7, 2) == 1; assert r(7, -2) == -1; }`},
	})
}

func TestCodeExpressions(t *testing.T) {
	const body = `|{ var r: bool; A: r := x > y; goto B, C; B: assume x > 3; return r; C: assume x <= 3; r := x < c; return r; }|`
	check(t, encode.Options{}, []example{
		{"all paths of an assertion", safe, `const c: int; axiom c == 4; procedure p(x: int, y: int) { assume y < 0 && x > 0; assert ` + body + `; }`},
		{"one path of an assertion", unsafe, `const c: int; axiom c == 2; procedure p(x: int, y: int) { assume y < 0; assume x == 3; assert ` + body + `; }`},
		{"assumed", safe, `const c: int; axiom c == 4; procedure p(x: int, y: int) { assume ` + body + `; assert x > y || x <= 3; }`},
		{"assumed, unsafe", unsafe, `procedure p(x: int) { assume |{ A: goto B, C; B: return x > 3; C: return x < 0; }|; assert x > 3; }`},
		{"in functions", safe, `function {:inline} f(x: int): bool { |{ var r: bool; A: r := x > 0; return r; }| } procedure p() { assert f(1); assert !f(0); }`},
		{"old values", safe, `var g: int; procedure p() { g := g + 1; assert |{ A: return g == old(g) + 1; }|; }`},
		{"read nowhere else", safe, `var g: int; procedure q() { assert |{ A: return g == 3; }|; } procedure p() { g := 3; while (*) { } call q(); }`},
	})
}

func TestInstrumented(t *testing.T) {
	program := func(cond string) string {
		return `var assertsPassed: bool;
procedure q(x: int) free requires assertsPassed; modifies assertsPassed;
{ goto A, B; A: assume {:corral_assert_pt} !(` + cond + `); assertsPassed := false; return; B: assume ` + cond + `; return; }
procedure m(x: int) free requires assertsPassed; modifies assertsPassed;
{ call q(x); goto F, G; F: assume !assertsPassed; return; G: assume assertsPassed; return; }
procedure {:entrypoint} main_SeqInstr(x: int) modifies assertsPassed; { assume x > 0; assertsPassed := true; call m(x); assume {:OldAssert} !assertsPassed; return; }`
	}
	check(t, encode.Options{}, []example{
		{"passed", safe, program("x >= 0")},
		{"failed", unsafe, program("x > 1")},
		{"an assertion left", unsafe, program("x >= 0 ") + `procedure {:entrypoint} other() { assert false; }`},
	})
}

func TestModular(t *testing.T) {
	check(t, encode.Options{Modular: true}, []example{
		{"calls by contract", unsafe, `procedure q() returns (x: int) ensures x > 0; { x := 5; } procedure p() { var x: int; call x := q(); assert x == 5; }`},
		{"calls by contract, safe", safe, `procedure q() returns (x: int) ensures x > 0; { x := 5; } procedure p() { var x: int; call x := q(); assert x > 0; }`},
		{"every body is an entry", unsafe, `procedure q(x: int) { assert x > 0; } procedure p() { call q(1); }`},
		{"loops by invariants", unsafe, `procedure p() { var i: int; i := 0; while (i < 3) { i := i + 1; } assert i == 3; }`},
		{"loops by invariants, safe", safe, `procedure p() { var i: int; i := 0; while (i < 3) invariant i <= 3; { i := i + 1; } assert i == 3; }`},
		{"invariants that are not kept", unsafe, `procedure p() { var i: int; i := 0; while (i < 30) invariant i != 7; { i := i + 2; } }`},
		{"invariants that do not hold at first", unsafe, `procedure p() { var i: int; i := 5; while (i < 3) invariant i <= 3; { i := i + 1; } }`},
		{"what a loop does not change", safe, `procedure p() { var i, j: int; i := 0; j := 4; while (*) { i := i + 1; } assert j == 4; }`},
		{"where at the head", safe, `procedure p() { var w: int where w > 0; while (*) { w := w - 1; havoc w; } assert w > 0; }`},
		{"invariants of gotos", safe, `procedure p() { var i: int; i := 0; H: assert i >= 0; goto B, D; B: i := i + 1; goto H; D: assert i >= 0; }`},
		{"invariants of gotos, unsafe", unsafe, `procedure p() { var i: int; i := 0; H: assert i >= 0; goto B, D; B: i := i - 1; goto H; D: }`},
		{"recursion", safe, `procedure r(n: int) returns (x: int) requires n >= 0; ensures x == 2 * n; { if (n == 0) { x := 0; } else { call x := r(n - 1); x := x + 2; } }`},
		{"free requires is not for the caller", unsafe, `procedure q() free requires false; { } procedure p() { call q(); assert false; }`},
		{"nested loops", safe, `procedure p(n: int) { var i, j: int; i := 0; while (i < n) invariant i >= 0; { j := 0; while (j < i) invariant j >= 0; { j := j + 1; } assert i >= 0 && j >= 0; i := i + 1; } }`},
		{"globals' where", safe, `var h: int; var g: int where g > h; procedure p() { assert g > h; }`},
		{"code under a loop that is never entered", safe, `procedure p() { var x: int; x := 1; while (false) { assert false; } assert x == 1; }`},
	})
}

func TestEntries(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"all that nobody calls", unsafe, `procedure main() { } procedure other() { assert false; }`},
		{"an entry point", safe, `procedure {:entrypoint} main() { } procedure other() { assert false; }`},
		{"not an entry point", unsafe, `procedure {:entrypoint false} main() { } procedure other() { assert false; }`},
		{"ULTIMATE.start", safe, `procedure ULTIMATE.start() { } procedure other() { assert false; }`},
		{"requires of one entry", unsafe, `procedure a(x: int) requires x > 0; { assert x > 0; } procedure b(x: int) { assert x > 0; }`},
		{"a polymorphic heap that nothing reads", safe, `type Field _; var heap: <a>[int, Field a]a; procedure p() { assert true; }`},
	})
	check(t, encode.Options{Entry: "b"}, []example{
		{"by name", unsafe, `procedure {:entrypoint} a() { } procedure b() { assert false; }`},
	})
	check(t, encode.Options{ErrorProcedures: []string{"oops"}}, []example{
		{"errors by name", unsafe, `procedure oops() { } procedure a() { call oops(); }`},
	})
}
