package encode_test

import (
	"testing"

	"hornbeam/frontend/boogie/encode"
)

func TestDatatypes(t *testing.T) {
	const list = `datatype List<T> { Nil(), Cons(head: T, tail: List T) } `
	const shape = `datatype Shape { Circle(r: int), Box(w: int, h: int), Tagged(w: int, name: Name) } type Name; `
	check(t, encode.Options{}, []example{
		{"fields", safe, list + `procedure p(x: int) { var l: List int; l := Cons(x, Nil()); assert l is Cons && l->head == x && l->tail is Nil; }`},
		{"constructors differ", unsafe, list + `procedure p(l: List int) { assert l is Cons; }`},
		{"one of them it is", safe, list + `procedure p(l: List int) { assert l is Cons || l is Nil; assert !(l is Cons && l is Nil); }`},
		{"made of its parts", safe, list + `procedure p(l: List int) { assume l is Cons; assert l == Cons(l->head, l->tail); }`},
		{"not the same parts", open, list + `procedure p(l: List int) { assume l is Cons; assert l == Cons(l->head + 1, l->tail); }`},
		{"a field that another constructor has", open, list + `procedure p() { var l: List int; l := Nil(); assert l->head == 0; }`},
		{"updates of fields", safe, shape + `procedure p(s: Shape) { var t: Shape; t := s; assume s is Box; t->w := 3; assert t is Box && t->w == 3 && t->h == s->h; assert s->(w := 3) == t; }`},
		{"updates change one field", open, shape + `procedure p(s: Shape) { var t: Shape; t := s; assume s is Box; t->w := 3; assert t->h == 3; }`},
		{"a field of two constructors", safe, shape + `procedure p(s: Shape) { assume s is Box || s is Tagged; assume s->w == 7; assert s == Box(7, s->h) || s == Tagged(7, s->name); }`},
		{"fields of fields", safe, list + shape + `procedure p(s: Shape) { var l: List Shape; l := Cons(s, Cons(Box(1, 2), Nil())); l->tail->head->w := 5; assert l->tail->head == Box(5, 2); assert l->head == s; }`},
		{"at two types", safe, list + `procedure p() { var l: List int, m: List bool; l := Cons(1, Nil()); m := Cons(true, Nil()); assert l->head == 1 && m->head; }`},
		{"of maps", safe, `datatype Heap { H(m: [int]int, size: int) } procedure p(h: Heap) { var k: Heap; k := h; k->m[3] := 4; assert k->m[3] == 4 && k->m[5] == h->m[5] && k->size == h->size; }`},
		{"of maps, changed", unsafe, `datatype Heap { H(m: [int]int, size: int) } procedure p(h: Heap) { var k: Heap; k := h; k->m[3] := 4; assert k == h; }`},
		{"each other", safe, `datatype Tree { Node(v: int, kids: Forest) } datatype Forest { None(), More(first: Tree, rest: Forest) } procedure p() { var t: Tree; t := Node(1, More(Node(2, None()), None())); assert t->kids->first->v == 2; }`},
		{"indices of maps", safe, `datatype Key { K(i: int) } procedure p() { var m: [Key]int; m[K(1)] := 5; m[K(2)] := 6; assert m[K(1)] == 5; }`},
		{"indices of maps, overwritten", unsafe, `datatype Key { K(i: int) } procedure p(a: int, b: int) { var m: [Key]int; m[K(a)] := 5; m[K(b)] := 6; assert m[K(a)] == 5; }`},
		{"through calls", safe, list + `procedure push(l: List int, x: int) returns (r: List int) { r := Cons(x, l); } procedure p() { var l: List int; l := Nil(); call l := push(l, 1); call l := push(l, 2); assert l == Cons(2, Cons(1, Nil())); }`},
		{"through a loop", safe, `datatype Nat { Z(), S(p: Nat) } procedure p() { var n: Nat; n := Z(); while (*) { n := S(n); } assert n is Z || n is S; }`},
		{"through a loop, unsafe", unsafe, `datatype Nat { Z(), S(p: Nat) } procedure p() { var n: Nat; n := Z(); while (*) { n := S(n); } assert n != S(S(Z())); }`},
		{"enumerations", safe, `datatype Color { Red(), Green(), Blue() } procedure p(c: Color) { assume c != Red(); assert c == Green() || c == Blue(); }`},
		{"quantified over an enumeration", unsafe, `datatype Color { Red(), Green(), Blue() } procedure p(m: [Color]int) { assert (forall c: Color :: m[c] == m[Red()]); }`},
		{"in a function", safe, list + `function {:inline} second(l: List int): int { l->tail->head } procedure p(l: List int) { assert second(Cons(1, Cons(2, l))) == 2; }`},
		{"with conditions", safe, list + `procedure p(b: bool) { var l: List int; if (b) { l := Nil(); } else { l := Cons(1, Nil()); } assert b <==> l is Nil; assert l is Cons ==> l->head == 1; }`},
		{"of what is not known", safe, shape + `procedure p(n: Name) { var s: Shape; s := Tagged(1, n); assert s->name == n; }`},
	})
}

func TestRecords(t *testing.T) {
	check(t, encode.Options{}, []example{
		{"fields", safe, "//#Safe\nprocedure p() { var s: { x: int, y: int }; s!x := 1; s!y := 2; assert s!x == 1; assert s == { x: 1, y: 2 }; }"},
		{"other fields", unsafe, "//#Unsafe\nprocedure p() { var s: { x: int, y: int }; s!x := 1; assert s!y == 1; }"},
	})
}

func TestPolymorphicMaps(t *testing.T) {
	const heap = `type Ref; type Field _; type Heap = <a>[Ref, Field a]a; const unique f: Field int; const unique g: Field int; const unique h: Field bool; var H: Heap; `
	check(t, encode.Options{}, []example{
		{"a heap", safe, heap + `procedure p(o: Ref) modifies H; { H[o, f] := 3; H[o, g] := 4; H[o, h] := true; assert H[o, f] == 3 && H[o, g] == 4 && H[o, h]; }`},
		{"two objects", unsafe, heap + `procedure p(o: Ref, q: Ref) modifies H; { H[o, f] := 3; H[q, f] := 4; assert H[o, f] == 3; }`},
		{"at types by themselves", unsafe, `procedure p() { var m: <a>[a]int; m[true] := 3; m[7] := 4; assert m[false] == 3; }`},
		{"at other types", safe, `procedure p() { var m: <a>[a]int; m[true] := 3; m[7] := 4; m[7.0] := 5; m[7bv8] := 6; assert m[true] == 3 && m[7] == 4 && m[7.0] == 5; }`},
		{"equal maps", safe, heap + `procedure p(o: Ref) modifies H; { var K: Heap; K := H; H[o, f] := 3; K[o, f] := 3; assert H == K; }`},
		{"maps that differ", unsafe, heap + `procedure p(o: Ref) modifies H; { var K: Heap; K := H; H[o, f] := 3; assert H == K; }`},
		{"what is not looked at", unsafe, `procedure p(m: <a>[a]int, n: <a>[a]int) { assume m[1] == n[1] && m[true] == n[true]; assert m == n; }`},
		{"what is not looked at, twice", unsafe, `procedure p(m: <a>[a]bool, n: <a>[a]bool) { assume m[true] == n[true] && m[false] == n[false]; assert m == n; }`},
		{"names of type parameters", safe, `procedure p(m: <a,b>[a, b]int) { var n: <b,a>[b, a]int; n := m; assert n[1, true] == m[1, true]; n[1, true] := 7; m2[true, 1] := 8; assert n[1, true] == 7; } var m2: <c,d>[c, d]int;`},
		{"calls", safe, heap + `procedure set(o: Ref, v: int) modifies H; { H[o, f] := v; } procedure p(o: Ref) modifies H; { H[o, h] := true; call set(o, 5); assert H[o, f] == 5 && H[o, h]; }`},
		{"functions", safe, heap + `function {:inline} get<a>(H: Heap, o: Ref, f: Field a): a { H[o, f] } procedure p(o: Ref) modifies H; { H[o, f] := 3; assert get(H, o, f) == 3; }`},
		{"lambda expressions", safe, `procedure p() { var m: <a>[a]int; m := (lambda<a> x: a :: 3); assert m[1] == 3 && m[true] == 3; m[1] := 4; assert m[1] == 4 && m[2] == 3; }`},
		{"lambda expressions by type", safe, `procedure p(c: int) { var m: <a>[a]bool; m := (lambda<a> x: a :: x == c); assert m[c] && !m[true]; }`},
	})
}

func TestMapOperators(t *testing.T) {
	const ops = `function {:builtin "MapConst"} all(x: int): [int]int; function {:builtin "MapAdd"} add(a, b: [int]int): [int]int;
		function {:builtin "MapLe"} le(a, b: [int]int): [int]bool; function {:builtin "MapIte"} ite<T>(c: [int]bool, a, b: [int]T): [int]T;
		function {:builtin "MapNot"} not(a: [int]bool): [int]bool; function {:builtin "MapOr"} or(a, b: [int]bool): [int]bool; `
	check(t, encode.Options{}, []example{
		{"constant", safe, ops + `procedure p(i: int) { assert all(3)[i] == 3; }`},
		{"sums", safe, ops + `procedure p(a: [int]int, b: [int]int, i: int) { assert add(a, b)[i] == a[i] + b[i]; }`},
		{"equal sums", safe, ops + `procedure p(a: [int]int, b: [int]int) { assert add(a, b) == add(b, a); }`},
		{"sums that differ", open, ops + `procedure p(a: [int]int, b: [int]int) { assert add(a, b) == add(a, a); }`},
		{"choices", safe, ops + `procedure p(a: [int]int, b: [int]int, i: int) { assert ite(le(a, b), a, b)[i] <= b[i]; }`},
		{"excluded middle", safe, ops + `procedure p(a: [int]bool) { assert or(a, not(a)) == (lambda i: int :: true); }`},
		{"where maps differ for each value", open, `procedure p(m: [int][int]int, n: [int][int]int, a: [int]int, b: [int]int) { assume (forall x: int :: m[x] != n[x]); assume a == m[0] && b == m[1]; assert (exists i: int :: m[0][i] != n[0][i] && m[1][i] != n[1][i]); }`},
		{"a function at types that may differ", open, `function f<T>(x: T): int; type R; const unique c: R; procedure p<T>(x: T) returns (r: int) { r := f(x); } procedure q<T>(x: T) returns (r: int) { r := f(x); }
			procedure main() { var a, b: int; call a := p(0); call b := q(c); assert a == b; }`},
		{"mixtures", safe, `function {:builtin "mix-Array-Int-Int"} mix(a, b: [int]int, c: [int]bool): [int]int; procedure p(a: [int]int, b: [int]int, c: [int]bool, i: int) { assert (var m := mix(a, b, c); m[i] == a[i] || m[i] == b[i]); }`},
		{"a mixture is either", open, `function {:builtin "mix-Array-Int-Int"} mix(a, b: [int]int, c: [int]bool): [int]int; procedure p(a: [int]int, b: [int]int, c: [int]bool, i: int) { assert mix(a, b, c)[i] == a[i]; }`},
	})
}
