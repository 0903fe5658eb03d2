package proof_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
)

// Programs with what their proofs must say of them, in the annotated program.
var annotated = []struct {
	name, src string
	// want must be in it; what begins with "no " must not.
	want []string
}{
	{"what callers are held to", `
procedure half(n: int) returns (r: int) { assert n mod 2 == 0; r := n div 2; }
procedure main(k: int) { var h: int; call h := half(k + k); assert h == k; }`,
		[]string{"requires n mod 2 == 0;", "ensures "}},
	{"entries, which only their own precondition holds to something", `
procedure p(x: int) { assert x > 1; }
procedure main(k: int) requires k == 5; { call p(k + 1); if (*) { call main(k); } }`,
		[]string{"requires x > 1;", "procedure main(k: int)\n  requires k == 5;\n{"}},
	{"recursion", `
procedure sum(n: int) returns (r: int) { r := 0; if (n > 0) { call r := sum(n - 1); r := r + n; } }
procedure main(n: int) { var s: int; call s := sum(n); assert s >= n; }`,
		[]string{"ensures r >= n;"}},
	{"globals before and after", `
var g, steps: int;
procedure work(n: int) { var i: int; i := 0; steps := 0; while (i < n) { i := i + 1; g := g + 1; steps := steps + 1; } }
procedure main() { g := 5; call work(7); assert g == 12; }`,
		[]string{"modifies g, steps;", "old(g)", "invariant "}},
	{"a global that is only read", `
var g, limit: int;
procedure work() { g := 0; while (g < limit) { g := g + 1; } assert limit < 0 || g <= limit; }
procedure main() { assume limit == 9; call work(); }`,
		[]string{"requires ", "limit", "modifies g;", "no old("}},
	{"locals that hide globals", `
var x, y: int;
procedure p(y: int) returns (x: int) { call x := q(y); }
procedure q(a: int) returns (b: int) { b := a; while (b < 10) { b := b + 1; } y := y + 1; x := b; assert x >= a; }
procedure main() { var z, y: int; y := 0; call z := p(3); while (*) { y := y + 1; call set(); } assert z >= 3 && y >= 0; call check(); }
procedure set() { x := 7; }
procedure check() { assert x >= 3; }`,
		[]string{"'"}},
	{"a separate implementation", `
var g: int;
procedure p(a: int, b: int) returns (r: int);
implementation p(b: int, a: int) returns (s: int) { s := 0; while (s < b) { s := s + 1; } assert a > 0; }
procedure main() { var x: int; call x := p(3, 1); assert x >= 3; }`,
		[]string{"requires b > 0;", "ensures "}},
	{"a loop of labels", `
procedure main(n: int) { var i: int; i := 0;
  Head: assume i < 100; assert i >= 0; i := i + 1; goto Head, End;
  End: assert i > 0; }`,
		[]string{"Head:\n  assert ", "Head':\n  assume"}},
	{"a label that a break names", `
procedure main(n: int) { var i: int; i := 0;
  L: while (i < n) { i := i + 1; if (i == 5) { break L; } if (*) { goto L; } }
  assert i >= 0; }`,
		[]string{"L':", "goto L';", "break L;"}},
	{"an irreducible loop", `
procedure main() { var i: int; i := 0; goto A, B; A: i := i + 1; goto B, C; B: i := i + 2; goto A, C; C: assert i >= 0; }`,
		[]string{"assert "}},
	{"procedures that no run reaches", `
procedure {:entrypoint} main() { assert true; if (false) { call unused(2); } }
procedure unused(x: int) { assert x == 1; }
procedure other() { call other(); assert false; }`,
		[]string{"procedure other()\n  requires false;"}},
	{"a procedure without anything to be held to", `
procedure never() { while (*) { } assert false; }
procedure {:entrypoint} main(k: int) { if (k * k < 0) { call never(); } }`,
		[]string{"requires false;"}},
	{"error procedures", `
procedure reach_error() { }
procedure check(b: bool) { if (!b) { call reach_error(); } }
procedure {:entrypoint} main(x: int) { call check(x + 1 > x); }`,
		[]string{"procedure reach_error()\n  requires false;", "requires b;"}},
	{"an exit that is an error", `
var ok: bool;
procedure {:entrypoint} start() { ok := true; call main(); assume {:OldAssert} !ok; }
procedure main() { var x: int; x := 1; while (*) { x := x + 1; } if (x < 1) { ok := false; } }`,
		[]string{"procedure {:entrypoint} start()\n  modifies ok;\n  ensures false;", "ensures "}},
	{"what is required freely", `
procedure p(x: int, y: int) free requires x > 0; { assert x + y > 0; }
procedure main(k: int) { call p(k, 0); }`,
		nil},
	{"what is required freely of some", `
procedure p(x: int, y: int) returns (r: int) free requires x > 0; { r := x; while (*) { r := r + y; } assert r > 0; }
procedure main(k: int) { var s: int; call s := p(k, 1); }`,
		[]string{"requires x > 0 ==> "}},
	{"what calls may assume", `
var ok: bool;
procedure p() free requires ok; { }
procedure q(); free requires ok;
procedure main() { havoc ok; if (*) { call p(); assert ok; } else { call q(); assert ok; } }`,
		[]string{"free requires {:always_assume} ok;"}},
	{"what is ensured freely", `
var g: int;
procedure p(x: int) free ensures g > 3; { g := x; while (*) { g := g + 1; } }
procedure main() { call p(-5); assert g > 2; }`,
		nil},
	{"maps, functions and constants", `
type T; const unique red, green: T; const low: int; axiom low == 3 || low == 4;
function weight(t: T): int; axiom weight(red) >= 2;
var paint: T; var m: [T,int]int;
procedure pick() { if (*) { paint := red; } else { paint := green; } m[paint, low] := weight(red); }
procedure main() { call pick(); while (*) { call pick(); } assert paint == red || paint == green; assert m[paint, low] >= 2; }`,
		[]string{"paint == red", "m[paint, low]"}},
	{"bit-vectors", `
function {:bvbuiltin "bvult"} less(a: bv8, b: bv8): bool; function {:bvbuiltin "bvadd"} plus(a: bv8, b: bv8): bv8;
procedure main(n: bv8) { var i: bv8; i := 0bv8; while (less(i, n)) { i := plus(i, 1bv8); } assert n == 0bv8 || i == n; }`,
		[]string{"invariant "}},
	{"division", `
procedure div2(a: int, b: int) returns (q: int) { assert b != 0; q := a div b; }
procedure main(a: int, b: int) { var q, z: int; if (b > 0) { call q := div2(a, b); assert a == b * q + a mod b; } z := a div 0; while (*) { z := a div 0; } assert z == a div 0; }`,
		[]string{"requires b != 0;", "a div 0"}},
	{"where clauses", `
var g: int where g >= 0;
procedure main(n: int where n > g) returns (r: int where r == 0) { var i: int where i >= n; while (*) { havoc i; } assert n > 0; call p(n); }
procedure p(x: int) { assert x > 0; }`,
		[]string{"requires x > 0;"}},
	{"free invariants", `
procedure main(n: int) { var i, j: int; i := 0; j := 0; while (i < n) free invariant j <= 7; invariant i >= 0; { i := i + 1; j := j + 1; } assert j <= 7 && i >= j; }`,
		nil},
	{"datatypes", `
datatype List { Nil(), Cons(head: int, tail: List) }
procedure push(l: List, x: int) returns (r: List) { assert x >= 0; r := Cons(x, l); }
procedure main() { var l: List; l := Nil(); while (*) { call l := push(l, 1); assert l is Cons && l->head >= 0; } assert l is Nil || l->head >= 0; }`,
		[]string{"->head"}},
	{"Ultimate's dialect", `
//#Safe
var x: int;
procedure ULTIMATE.start() modifies x; { x := 0; while (*) { x := (x + 2) % 10; assert x / 2 <= 5; } assert x % 2 == 0; }`,
		[]string{" mod "}},
	{"a loop that no run reaches", `
procedure main(n: int) { var i: int; i := 0; if (n > 0) { assume false; while (i < n) { i := i + 1; assert false; } } }`,
		[]string{"invariant false;"}},
}

func TestAnnotatedProgramsKeepTheirContracts(t *testing.T) {
	for _, c := range annotated {
		t.Run(c.name, func(t *testing.T) {
			r := roundTrip(t, c.src, time.Minute)
			require.Equal(t, engine.Sat, r.verdict)
			require.Empty(t, r.why, r.annotated)
			require.Empty(t, r.dropped)
			for _, w := range c.want {
				unwanted, not := strings.CutPrefix(w, "no ")
				require.Equal(t, !not, strings.Contains(r.annotated, unwanted), "%q in\n%s", w, r.annotated)
			}
		})
	}
}

// What a program says already is not said twice.
func TestNothingIsSaidTwice(t *testing.T) {
	r := roundTrip(t, `
var g: int;
procedure p(x: int) requires x > 0; ensures g > 0; { g := x; while (*) invariant g > 0; { g := g + 1; } }
procedure main() { call p(5); assert g > 0; }`, time.Minute)
	require.Empty(t, r.why, r.annotated)
	for _, c := range []string{"requires x > 0;", "ensures g > 0;", "invariant g > 0;"} {
		require.Equal(t, 1, strings.Count(r.annotated, c), "%q in\n%s", c, r.annotated)
	}
}
