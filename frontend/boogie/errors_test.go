package boogie

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/report"
)

// The syntax: what is wrong is told with its place.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"foo", "f:1:1: expected a declaration, got foo"},
		{"axiom true", "f:1:11: expected ';' after the axiom, got end of file"},
		{"axiom ;", "f:1:7: expected an expression, got ';'"},
		{"axiom a && b || c;", "f:1:14: && and || need parentheses to stand beside each other"},
		{"axiom a || b && c;", "f:1:14: && and || need parentheses to stand beside each other"},
		{"axiom a ==> b <== c;", "f:1:15: ==> and <== need parentheses to stand beside each other"},
		{"axiom a <== b ==> c;", "f:1:15: ==> and <== need parentheses to stand beside each other"},
		{"axiom a < b < c;", "f:1:13: comparisons need parentheses to stand beside each other"},
		{"axiom a == b != c;", "f:1:14: comparisons need parentheses to stand beside each other"},
		{"axiom x : C < 0;", "f:1:15: expected the name of a type parameter, got 0"},
		{"axiom forall x: int :: true;", "f:1:7: forall needs parentheses around it"},
		{"axiom (forall int x :: true);", "f:1:15: expected the name of a variable, got 'int'"},
		{"axiom (forall x: int where x > 0 :: true);", "f:1:22: bound variables have no where clauses"},
		{"axiom (forall x: int :: {:nopats x, y} true);", "f:1:25: nopats has one term, not 2"},
		{"axiom x[y:1] == 1;", "f:1:9: the bounds of bits must be numbers"},
		{"axiom x[(1:3)] == 1;", "f:1:11: bounds of bits may only stand alone in brackets, without parentheses, as in x[8:0]"},
		{"axiom x[1+1:3] == 1;", "f:1:12: bounds of bits may only stand alone in brackets, without parentheses, as in x[8:0]"},
		{"axiom x[1, 2:1] == 1;", "f:1:13: bounds of bits may only stand alone in brackets, without parentheses, as in x[8:0]"},
		{"axiom f(1;", "f:1:10: expected ')' after the arguments, got ';'"},
		{"axiom if a then b;", "f:1:18: expected 'else' after the first branch, got ';'"},
		{"const x: int where x > 0;", "f:1:14: constants have no where clauses"},
		{"function f(x: int where x > 0): int;", "f:1:19: parameters of functions have no where clauses"},
		{"function f(int): int", "f:1:21: expected ';' or a body after the function's declaration, got end of file"},
		{"function f(int) {}", "f:1:17: expected 'returns' or ':' before the result of the function, got '{'"},
		{"function f(x, y): int; axiom g(;", "f:1:32: expected an expression, got ';'"},
		{"function f(x: int, [int]int): int;", "f:1:20: expected a name: other parameters of the function have names"},
		{"function f(x: int, y): int;", "f:1:20: parameter y has no type"},
		{"function f([int]int: int): int;", "f:1:20: expected ')' after the parameters of the function, got ':'"},
		{"function f() returns (int, bool);", "f:1:14: a function has one result, not 2"},
		{"type {1} T;", "f:1:6: expected the name of a type, got '{'"},
		{"var x: ;", "f:1:8: expected a type, got ';'"},
		{"var x int;", "f:1:7: expected ':' before the type of x, got 'int'"},
		{"procedure p() { x = 1; }", "f:1:19: expected ':=' or ':' after a name at the beginning of a statement, got '='"},
		{"procedure p() { var x: int; x := 1; var y: int; }", "f:1:37: local variables are declared at the beginning of a body"},
		{"procedure p() { m[1 := 2] := 3; }", "f:1:18: only a variable, an entry of a map or a field can be assigned to"},
		{"procedure p() { if x { } }", "f:1:20: expected '(' after if, got x"},
		{"procedure p() { while (true) free { } }", "f:1:35: expected 'invariant' after free, got '{'"},
		{"procedure p() { return 1; }", "f:1:24: expected ';' after return, got 1"},
		{"procedure p() { assert true; ", "f:1:30: expected '}' after the statements, got end of file"},
		{"procedure p() requires true", "f:1:28: expected ';' after the requires clause, got end of file"},
		{"procedure p()", "f:1:14: expected ';', a specification or a body after the procedure's parameters, got end of file"},
		{"procedure p(); { }", "f:1:16: expected a declaration, got '{'"},
		{"implementation p();", "f:1:19: expected the body of the implementation, got ';'"},
		{"implementation p(x: int where x > 0) {}", "f:1:25: where clauses belong to parameters of procedures"},
		{"axiom |{ return true; }|;", "f:1:10: expected a label before the block of a code expression, got 'return'"},
		{"axiom |{ A: assume true; }|;", "f:1:26: expected 'goto' or 'return' at the end of the block of a code expression, got '}|'"},
		{"axiom |{ A: while (true) {} goto A; }|;", "f:1:13: code expressions have no while statements"},
		{"axiom \"a;\n", "f:1:7: this string is not closed on its line"},
		{"/* a /* b */", "f:1:1: this comment is not closed"},
		{"const a: int; @", "f:1:15: unexpected character '@'"},
		{"const é: int;", "f:1:7: unexpected character 'é'"},
		{"const \xff: int;", "f:1:7: invalid UTF-8 byte 0xff"},
		{"/* é */ axiom 1 = 2;", "f:1:17: expected ';' after the axiom, got '='"},
		{"axiom \\ true;", "f:1:7: a name must follow '\\'"},
		{"#foo\naxiom true;", "f:1:1: unknown pragma #foo (only `#line number [file]` may begin with # in the first column)"},
		{"#line x\naxiom true;", "f:1:1: #line wants a number, got \"x\""},
		{"#line 7 other file.bpl\n\n  axiom 1 = 2;", "other file.bpl:8:11: expected ';' after the axiom, got '='"},
		{"#line -3\naxiom 1 = 2;", "f:-3:9: expected ';' after the axiom, got '='"},
		{"#if A\n", "f:1:1: this #if has no #endif"},
		{"#if A\n#else\n#else\n#endif", "f:3:1: #else without #if"},
		{"axiom " + strings.Repeat("(", 6000) + "true", "f:1:5007: nested more than 5000 levels deep"},
		{"axiom " + strings.Repeat("!", 6000) + "true;", "f:1:5006: nested more than 5000 levels deep"},
		{"procedure p() { " + strings.Repeat("if (*) {", 6000) + "}", "f:1:20017: nested more than 5000 levels deep"},
		{"var x: " + strings.Repeat("[int]", 6000) + "int;", "f:1:12504: nested more than 5000 levels deep"},
		{"axiom a" + strings.Repeat("+a", 110_000) + " == 0;", "f:1:200008: an expression of more than 100000 levels"},
		{"axiom a" + strings.Repeat("==>a", 110_000) + ";", "f:1:440008: an expression of more than 100000 levels"},
	} {
		_, err := Parse("f", []byte(c[0]), Options{Dialect: DialectBoogie})
		require.ErrorContains(t, err, c[1], shorten(c[0]))
		require.NotErrorIs(t, err, ErrUnsupported)
		first, _, _ := strings.Cut(err.Error(), "\n")
		require.Equal(t, c[1], first, shorten(c[0]))
	}
}

// Names, types and all other rules: what is wrong is told with its place.
func TestCheckErrors(t *testing.T) {
	for _, c := range [][2]string{
		// Names.
		{"const x: int; var x: bool;", "f:1:19: x is already declared at f:1:7"},
		{"type T; type T;", "f:1:14: type T is already declared at f:1:6"},
		{"type bv8;", "f:1:6: bv8 is the name of a bit-vector type"},
		{"type \\int;", "f:1:6: int is the name of a basic type"},
		{"function f(): int; function f(): int;", "f:1:29: function f is already declared at f:1:10"},
		{"procedure p(); procedure p();", "f:1:26: procedure p is already declared at f:1:11"},
		{"procedure p(x: int) returns (x: bool);", "f:1:30: x is already declared at f:1:13"},
		{"procedure p(x: int) { var x: int; }", "f:1:27: x is already declared at f:1:13"},
		{"function f(x: int, x: int): int;", "f:1:20: x is already declared at f:1:12"},
		{"axiom (forall x, x: int :: true);", "f:1:18: x is already declared at f:1:15"},
		{"axiom (var x, x := 1, 2; true);", "f:1:15: x is already declared at f:1:12"},
		{"axiom x == 1;", "f:1:7: unknown variable x"},
		{"axiom f == 1; function f(): int;", "f:1:7: f is a function and needs arguments"},
		{"axiom f(1) == 1;", "f:1:7: unknown function f"},
		{"axiom p(1); procedure p();", "f:1:7: p is a procedure: it needs a call statement"},
		{"procedure p() { call q(); }", "f:1:17: unknown procedure q"},
		{"procedure p() { call f(); } function f(): int;", "f:1:17: f is a function and cannot be called by a statement"},
		{"procedure p(); modifies x;", "f:1:25: unknown variable x"},
		{"const x: int; procedure p(); modifies x;", "f:1:39: constant x cannot be changed"},
		{"procedure p(x: int); modifies x;", "f:1:31: unknown variable x"},
		{"implementation p() {}", "f:1:16: there is no procedure p to implement"},
		{"datatype D { C(x: int), C() }", "f:1:25: function C is already declared at f:1:14"},
		{"datatype D { C(x: int, x: bool) }", "f:1:24: x is already declared at f:1:16"},
		{"datatype D { C(x: int), E(x: bool) }", "f:1:27: field x has type bool, but type int at f:1:16"},
		{"datatype D { C(x: int) } function C(): int;", "f:1:35: function C is already declared at f:1:14"},
		{"datatype D { C(x: int) } type D;", "f:1:31: type D is already declared at f:1:10"},
		{"datatype D { C(x: Q) }", "f:1:19: unknown type Q"},
		{"datatype D { C(x: int) } axiom C(true) == C(1);", "f:1:34: argument 1 of C should have type int, but has type bool"},
		{"datatype D { C(x: int) } axiom C(1)->y == 1;", "f:1:36: type D has no field y"},
		{"datatype D { C(x: int) } axiom C(1)->x;", "f:1:36: the axiom should have type bool, but has type int"},
		{"datatype D { C(x: int) } axiom 1 is C;", "f:1:34: C makes values of type D, but this has type int"},
		{"datatype D { C(x: int) } axiom C(1) is D;", "f:1:37: D is not the constructor of a datatype"},
		{"datatype D { C(x: int) } axiom C(1)->(x := true) == C(1);", "f:1:44: the new value of field x should have type int, but has type bool"},
		{"datatype D { C(x: int) } procedure p(d: D) { d->x := 1; }", "f:1:46: parameter d cannot be changed"},
		{"datatype D { C(x: int) } procedure p() { var d: D; d->x := true; }", "f:1:53: a value of type bool is assigned to type int"},
		{"datatype D<T> { C(x: T) } axiom C(1) == C(true);", "f:1:38: == takes two values of one type, but gets D int and D bool"},
		{"datatype D<T> { C(x: T) } var d: D;", "f:1:34: type D takes 1 argument, got 0"},
		{"var m: <a>[a]int; procedure p() { m[1] := true; }", "f:1:36: a value of type bool is assigned to type int"},
		{"var m: <a>[a]a; procedure p() { m[1] := true; }", "f:1:34: a value of type bool is assigned to type int"},
		{"var m: <a>[a]int; var n: <b>[b]bool; axiom true; procedure p() { assert m == n; }", "f:1:75: == takes two values of one type, but gets <a>[a]int and <b>[b]bool"},
		{"axiom (lambda<T> x: int :: x)[1] == 1;", "f:1:15: type variable T does not occur in the types of the variables of its lambda"},
		{"axiom (lambda x: int :: x)[true] == 1;", "f:1:28: index 1 should have type int, but has type bool"},
		{"procedure p() { assert |{ A: return 1; }|; }", "f:1:37: the value of a code expression should have type bool, but has type int"},
		{"const {:existential true} b: bool where b;", "f:1:35: constants have no where clauses"},
		{"axiom {:a x} true;", "f:1:11: unknown variable x"},
		{"procedure p(x: int where y > 0) returns (y: int);", "f:1:26: unknown variable y"},
		{"procedure p() returns (y: int); requires y > 0;", "f:1:42: unknown variable y"},
		{"axiom (var x := x; true);", "f:1:17: unknown variable x"},
		// Types.
		{"var x: T;", "f:1:8: unknown type T"},
		{"type T a; var x: T;", "f:1:18: type T takes 1 argument, got 0"},
		{"type T; var x: T int;", "f:1:16: type T takes no arguments, got 1"},
		{"type E _; var x: E E int;", "f:1:18: type E takes 1 argument, got 2"},
		{"var x: bv8 int;", "f:1:8: type bv8 takes no arguments, got 1"},
		{"type A = B; type B = [int]A;", "f:1:6: synonym A is defined by itself\nf:1:18: synonym B is defined by itself"},
		{"type C a a;", "f:1:10: type variable a is already declared at f:1:8"},
		{"var x: <a, a>[a]int;", "f:1:9: type variable a does not occur in its map type\nf:1:12: type variable a is already declared at f:1:9"},
		{"var x: <a>[a]<a>[a]int;", "f:1:15: type variable a is already declared at f:1:9"},
		{"type T; var x: <T>[T]int;", "f:1:17: type variable T has the name of a type"},
		{"var x: <bv1>[bv1]int;", "f:1:9: bv1 is the name of a bit-vector type"},
		{"var x: <a>[int]int;", "f:1:9: type variable a does not occur in its map type"},
		{"type S a b = [b]int; var x: <a, b>[S a b]int;", "f:1:30: type variable a does not occur in its map type"},
		{"function f<a>(): int;", "f:1:12: type variable a does not occur in the parameters of function f"},
		{"procedure p<a>();", "f:1:13: type variable a does not occur in the parameters of procedure p"},
		{"const m: [int]int; axiom (lambda<a> x: int :: x)[1] == 2;", "f:1:34: type variable a does not occur in the types of the variables of its lambda"},
		{"function f<a>(): a; axiom (forall<a> x: int :: {f(): int, x + 1} true);", "f:1:48: this trigger does not mention type variable a"},
		{"var x: { a: int, a: bool };", "f:1:8: field a is declared twice"},
		// Expressions.
		{"axiom 1;", "f:1:7: the axiom should have type bool, but has type int"},
		{"axiom 1 == true;", "f:1:9: == takes two values of one type, but gets int and bool"},
		{"axiom 1 < 2.0;", "f:1:9: < takes two ints or two reals, but gets int and real"},
		{"axiom 1bv8 < 2bv8;", "f:1:12: < takes two ints or two reals, but gets bv8 and bv8"},
		{"axiom true < false;", "f:1:12: < takes two ints or two reals, but gets bool and bool"},
		{"axiom 1 + 2.0 == 3.0;", "f:1:9: + takes two ints or two reals, but gets int and real"},
		{"axiom 1.0 div 2.0 == 3;", "f:1:11: div takes two ints, but gets real and real"},
		{"axiom 1 mod true == 3;", "f:1:9: mod takes two ints, but gets int and bool"},
		{"axiom 1 / 2 == 3;", "f:1:13: == takes two values of one type, but gets real and int"},
		{"axiom true / 2 == 3.0;", "f:1:12: / takes ints and reals, but gets bool and int"},
		{"axiom 2 ** 2 == 4.0;", "f:1:9: ** takes two reals, but gets int and int"},
		{"axiom true && 1;", "f:1:12: && takes two bools, but gets bool and int"},
		{"axiom 1 ==> true;", "f:1:9: ==> takes two bools, but gets int and bool"},
		{"axiom !1;", "f:1:7: ! takes a bool, but gets int"},
		{"axiom -true;", "f:1:7: - takes an int or a real, but gets bool"},
		{"axiom int(1) == 1;", "f:1:7: int takes a real, but gets int"},
		{"axiom real(1.0) == 1.0;", "f:1:7: real takes an int, but gets real"},
		{"procedure {:ignore} q(); procedure p() { call q(); }", "f:1:42: q is declared with {:ignore} at f:1:21"},
		{"const {:ignore} c: int; axiom c == 1;", "f:1:31: c is declared with {:ignore} at f:1:17"},
		{"type {:ignore} T; var x: T;", "f:1:26: T is declared with {:ignore} at f:1:16"},
		{"datatype P { P(a: int), Q() } procedure p(x: P) { var a, b: int; P(a, b) := x; }", "f:1:66: the constructor P has 1 field, but 2 variables"},
		{"datatype P { P(a: int, b: int) } procedure p(x: P) { var a: int; P(a, a) := x; }", "f:1:71: variable a is assigned twice by one statement"},
		{"procedure p(x: int) { var a: int; f(a) := x; }", "f:1:35: f is not the constructor of a datatype"},
		{"procedure p(x: int) { p(x); }", "f:1:27: expected ':=' after the constructor: a value is taken apart here, and calls begin with call, got ';'"},
		{"axiom 1 ++ 2bv8 == 3bv8;", "f:1:9: ++ takes two bit-vectors, but gets int and bv8"},
		{"axiom 1bv8[3:5] == 0bv2;", "f:1:11: the upper bound 3 is below the lower bound 5"},
		{"axiom 1bv8[9:5] == 0bv4;", "f:1:11: bit 8 of a bit-vector of 8 bits"},
		{"axiom 1[3:0] == 0bv3;", "f:1:8: bits are taken from bit-vectors, but this has type int"},
		{"axiom 17bv8 == 17bv9;", "f:1:13: == takes two values of one type, but gets bv8 and bv9"},
		{"axiom (if 1 then true else false);", "f:1:11: the condition should have type bool, but has type int"},
		{"axiom (if true then 1 else false) == 1;", "f:1:8: the branches should have one type, but have types int and bool"},
		{"axiom (1 : bool);", "f:1:10: an expression of type int cannot be coerced to type bool"},
		{"const m: [int]int; axiom m[true] == 1;", "f:1:28: index 1 should have type int, but has type bool"},
		{"const m: [int]int; axiom m[1, 2] == 1;", "f:1:27: a map of type [int]int takes 1 index argument, got 2"},
		{"const m: [int][int]int; axiom m[1, 2] == 1;", "f:1:32: a map of type [int][int]int takes 1 index argument, got 2"},
		{"const m: [int]int; axiom m[1 := true] == m;", "f:1:33: the new entry of the map should have type int, but has type bool"},
		{"axiom 1[2] == 3;", "f:1:8: this is indexed like a map, but has type int"},
		{"const m: [int, int]int; const n: [int][int]int; axiom m == n;", "f:1:57: == takes two values of one type, but gets [int, int]int and [int][int]int"},
		{"const m: <a>[a]int; const n: <a>[a]a; axiom m == n;", "f:1:47: == takes two values of one type, but gets <a>[a]int and <a>[a]a"},
		{"axiom (forall<a, b> x: <c>[c]a, y: <d>[d]d :: x == y);", "f:1:49: == takes two values of one type, but gets <c>[c]a and <d>[d]d"},
		{"function f(int): bool; axiom f(true);", "f:1:32: argument 1 of f should have type int, but has type bool"},
		{"function f(int): bool; axiom f(1, 2);", "f:1:30: function f takes 1 argument, got 2"},
		{"function f<a>(a, a): bool; axiom f(1, true);", "f:1:39: argument 2 of f should have type int, but has type bool"},
		{"function f<a>(<b>[b]a): bool; const m: <c>[c]c; axiom f(m);", "f:1:57: argument 1 of f should have type <b>[b]a, but has type <c>[c]c"},
		{"function f(): int { true }", "f:1:21: the body of function f should have type int, but has type bool"},
		{"axiom (forall x: int :: x);", "f:1:25: the body of the quantifier should have type bool, but has type int"},
		{"axiom (var x := 1, 2; true);", "f:1:7: let has 1 variable but 2 values"},
		{"datatype D { A(f: int), B(f: bool) }", "f:1:27: field f has type bool, but type int at f:1:16"},
		{"datatype D { A(f: int) } axiom A(1)->g == 1;", "f:1:36: type D has no field g"},
		{"datatype D { A(f: int) } axiom A(1)!f == 1;", "f:1:36: type D has no field f"},
		{"datatype D { A(f: int) } axiom 1 is A;", "f:1:34: A makes values of type D, but this has type int"},
		{"datatype D { A(f: int) } axiom A(1) is f;", "f:1:37: f is not the constructor of a datatype"},
		{"axiom { a: 1, a: 2 }!a == 1;", "f:1:7: field a is given twice"},
		// Contexts.
		{"axiom old(1) == 1;", "f:1:7: old is only for ensures clauses and bodies of procedures"},
		{"var g: int; procedure p(); requires old(g) == 1;", "f:1:37: old is only for ensures clauses and bodies of procedures"},
		{"procedure p() { var x: int where old(x) == 1; }", "f:1:34: old is only for ensures clauses and bodies of procedures"},
		{"var g: int; axiom g == 1;", "f:1:19: global variable g in an axiom"},
		{"var g: int; function f(): int { g }", "f:1:33: global variable g in the body of a function"},
		{"axiom (forall x: bool :: {x && x} x);", "f:1:29: && in a trigger"},
		{"axiom (forall x: int :: {x == x} true);", "f:1:28: == in a trigger"},
		{"axiom (forall x: bool :: {!x} true);", "f:1:27: ! in a trigger"},
		{"axiom (forall x: int :: {x} true);", "f:1:26: a variable alone is no trigger"},
		{"axiom (forall x, y: int :: {x + 1} true);", "f:1:28: this trigger does not mention variable y"},
		{"const c: int; axiom (forall x: int :: {:nopats c} true);", "f:1:48: a variable alone is no trigger"},
		// Statements.
		{"const c: int; procedure p() { c := 1; }", "f:1:31: constant c cannot be changed"},
		{"procedure p(x: int) { havoc x; }", "f:1:29: parameter x cannot be changed"},
		{"procedure p(m: [int]int) { m[1] := 2; }", "f:1:28: parameter m cannot be changed"},
		{"procedure p() { var x: int; x := true; }", "f:1:29: a value of type bool is assigned to type int"},
		{"procedure p() { var x: int; x := 1, 2; }", "f:1:29: 1 left side but 2 right sides"},
		{"procedure p() { var m: [int]int; m[1], m[2] := 1, 2; }", "f:1:40: variable m is assigned twice by one statement"},
		{"procedure q() returns (a: int, b: int); procedure p() { var x: int; call x, x := q(); }", "f:1:77: variable x is assigned twice by one call"},
		{"procedure q(x: int); procedure p() { call q(); }", "f:1:38: procedure q takes 1 argument, got 0"},
		{"procedure q() returns (x: int); procedure p() { call q(); }", "f:1:49: procedure q has 1 result, got 0 to assign"},
		{"procedure q(x: int); procedure p() { call q(true); }", "f:1:45: argument 1 of q should have type int, but has type bool"},
		{"procedure q<a>(x: a) returns (y: a); procedure p() { var b: bool; call b := q(1); }", "f:1:72: result 1 of q has type int, but variable b has type bool"},
		{"procedure p() { assert 1; }", "f:1:24: the assertion should have type bool, but has type int"},
		{"procedure p() { while (1) {} }", "f:1:24: the condition should have type bool, but has type int"},
		{"procedure p() { while (true) invariant 1; {} }", "f:1:40: the invariant should have type bool, but has type int"},
		{"procedure p() { goto x; }", "f:1:17: unknown label x"},
		{"procedure p() { x: if (*) { x: } }", "f:1:29: label x is already declared at f:1:17"},
		{"procedure p() { break; }", "f:1:17: break outside of a loop"},
		{"procedure p() { if (*) { break; } }", "f:1:26: break outside of a loop"},
		{"procedure p() { while (*) { break x; } }", "f:1:29: unknown label x"},
		{"procedure p() { x: assume true; while (*) { break x; } }", "f:1:45: label x does not stand directly before a loop or an if around this break"},
		{"procedure p() { x: while (*) { } while (*) { break x; } }", "f:1:46: label x does not stand directly before a loop or an if around this break"},
		{"var g: int; axiom |{ A: g := 1; return true; }|;", "f:1:25: global variable g in an axiom\nf:1:25: global variable g cannot be changed here"},
		{"axiom (forall x: int :: |{ A: x := 1; return true; }|);", "f:1:31: bound variable x cannot be changed"},
		// Procedures and implementations.
		{"procedure p(x: int where 1);", "f:1:26: the where clause should have type bool, but has type int"},
		{"procedure p(); requires 1;", "f:1:25: the precondition should have type bool, but has type int"},
		{"procedure p(x: int); implementation p(x: bool) {}", "f:1:39: x has type bool, but type int at f:1:13"},
		{"procedure p(x: int); implementation p() {}", "f:1:37: procedure p at f:1:11 has 1 parameter, but this implementation has 0"},
		{"procedure p<a>(x: a); implementation p(x: int) {}", "f:1:38: procedure p at f:1:11 has 1 type parameter, but this implementation has 0"},
		{"procedure p<a, b>(x: a, y: b); implementation p<c, d>(x: c, y: [d]c) {}", "f:1:47: the type parameters of this implementation do not match those of procedure p at f:1:11"},
		{"procedure q(); pure procedure p() { call q(); }", "f:1:37: a pure procedure calls q, which is not pure"},
		{"var g: int; pure procedure p() modifies g; {}", "f:1:41: pure procedure p has a modifies clause"},
		{"var g: int; pure procedure p() { assert g == 1; }", "f:1:41: global variable g in a pure procedure"},
		// Attributes with a meaning.
		{"function {:inline} {:define} f(): int { 1 }", "f:1:30: function f cannot be both {:inline} and {:define}"},
		{"function {:define} f<a>(x: a): a { x }", "f:1:20: function f has type parameters and cannot be {:define}"},
		{"function {:define} f(x: int): int { g(x) } function {:define} g(x: int): int { f(x) }", "f:1:80: {:define} function f is defined by itself"},
		{"procedure p() { assert {:id \"a\"} true; assume {:id \"a\"} true; }", "f:1:47: the id \"a\" is already used at f:1:24"},
		{"procedure p() { assert {:verified_under} true; }", "f:1:24: verified_under takes 1 argument, got 0"},
		{"procedure p() { assert {:verified_under 1} true; }", "f:1:41: the argument of verified_under should have type bool, but has type int"},
		{"procedure p() { assume {:minimize true} true; }", "f:1:35: the argument of minimize should be a number, but has type bool"},
		{"procedure p() { assume {:maximize \"a\"} true; }", "f:1:35: the argument of maximize is a string"},
		{"procedure p() { var {:assumption} a: int; }", "f:1:35: assumption variable a should have type bool, but has type int"},
		{"procedure p() { var {:assumption} a: bool where a; }", "f:1:35: assumption variable a has a where clause"},
		{"procedure p() { var {:assumption} a: bool; a := true; }", "f:1:44: assumption variable a can only be assigned a && …"},
		{"procedure p() { var {:assumption} a: bool; a := a && true; a := a && true; }", "f:1:60: assumption variable a is assigned twice"},
		{"const a: int; const b: bool extends a;", "f:1:37: a has type int, but b has type bool"},
		{"const a: int extends a;", "f:1:22: constant a extends itself"},
		{"var g: int; const a: int extends g;", "f:1:34: g is not a constant"},
	} {
		_, err := Read("f", []byte(c[0]), Options{Dialect: DialectBoogie})
		require.Error(t, err, c[0])
		require.NotErrorIs(t, err, ErrUnsupported, c[0])
		require.Equal(t, c[1], err.Error(), c[0])
	}
}

// What is Boogie's but not ours is named and is not called bad input.
func TestUnsupported(t *testing.T) {
	for _, c := range [][2]string{
		{"procedure p() { yield; }", "f:1:17: unsupported: concurrency (yield)"},
		{"yield procedure p();", "f:1:1: unsupported: concurrency (yield)"},
		{"yield invariant i(); invariant true;", "f:1:1: unsupported: concurrency (yield)"},
		{"async action A() { }", "f:1:1: unsupported: concurrency (async)"},
		{"pure action A() { }", "f:1:1: unsupported: concurrency (pure)"},
		{"procedure p() { async call p(); }", "f:1:17: unsupported: concurrency (async)"},
		{"procedure p() { par p() | p(); }", "f:1:17: unsupported: concurrency (par)"},
		{"procedure p() { call p() | p(); }", "f:1:26: unsupported: concurrency (parallel calls)"},
		{"procedure p() { fork 1 p(); }", "f:1:17: unsupported: concurrency (fork)"},
		{"procedure {:yields} p() { }", "f:1:11: unsupported: concurrency (yields)"},
		{"procedure {:layer 1} p();", "f:1:11: unsupported: concurrency (layer)"},
		{"procedure p(); requires call i();", "f:1:25: unsupported: concurrency (requires call)"},
		{"procedure p(); preserves true;", "f:1:16: unsupported: preserves clauses"},
		{"procedure p(); measure 1;", "f:1:16: unsupported: measure clauses"},
		{"procedure p() { call forall q(*); }", "f:1:22: unsupported: call forall"},
		{"procedure p() { hide f; }", "f:1:17: unsupported: hide statements"},
		{"var x: float24e8;", "f:1:8: unsupported: floating-point types (float24e8)"},
		{"var x: string;", "f:1:8: unsupported: type string"},
		{"axiom 0x1.8e0f24e8 == 0NaN24e8;", "f:1:7: unsupported: floating-point numbers (0x1.8e0f24e8)"},
		{"axiom \"a\" == \"b\";", "f:1:7: unsupported: strings outside of attributes"},
		{"var x: bv99999999;", "f:1:8: unsupported: bit-vectors of more than 1048576 bits"},
		{"axiom 1e99999 > 0.0;", "f:1:7: unsupported: numbers with exponents beyond 10000"},
		{"type {:datatype} T;", "f:1:18: unsupported: datatypes by attributes (write `datatype T { … }`)"},
	} {
		_, err := Read("f", []byte(c[0]), Options{Dialect: DialectBoogie})
		require.ErrorIs(t, err, ErrUnsupported, c[0])
		require.Equal(t, c[1], err.Error(), c[0])
	}
}

// A program that is wrong and unsupported is wrong.
func TestWrongAndUnsupported(t *testing.T) {
	_, err := Read("f", []byte("procedure p() { yield; } axiom ;"), Options{})
	require.EqualError(t, err, "f:1:32: expected an expression, got ';'")
	require.NotErrorIs(t, err, ErrUnsupported)
}

// One reading tells several errors, in order, and not endlessly many.
func TestSeveralErrors(t *testing.T) {
	_, err := Read("f", []byte("axiom 1 = 2;\nprocedure p() { x := ; }\nvar x: int;\nfunction f(;\naxiom;"), Options{})
	require.EqualError(t, err, "f:1:9: expected ';' after the axiom, got '='\nf:2:22: expected an expression, got ';'\n"+
		"f:4:12: expected a type, got ';'\nf:5:6: expected an expression, got ';'")
	_, err = Read("f", []byte("procedure p() { x := y; assert z; }"), Options{})
	require.EqualError(t, err, "f:1:17: unknown variable x\nf:1:22: unknown variable y\nf:1:32: unknown variable z")
	var first *Error
	require.True(t, errors.As(err, &first))
	require.Equal(t, 17, first.Pos.Column)
	_, err = Read("f", []byte(strings.Repeat("axiom x;", 1000)), Options{})
	require.Len(t, err, report.Most)
	_, err = Read("f", []byte(strings.Repeat("@", 1000)), Options{})
	require.Len(t, err, report.Most)
}

// A % that is to be Boogie's is refused.
func TestPercent(t *testing.T) {
	_, err := Parse("f", []byte("axiom 5 % 2 == 1;"), Options{Dialect: DialectBoogie})
	require.EqualError(t, err, "f:1:9: the operator % is Ultimate's; Boogie's is mod")
	_, err = Read("f", []byte("axiom 5 % 2 == 5 / 3;"), Options{})
	require.NoError(t, err)
}
