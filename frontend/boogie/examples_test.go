package boogie

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// examples are programs that Boogie accepts; between them they have all that the front end knows.
var examples = []string{
	// Structured statements, contracts, globals without a modifies clause.
	`// counts down
var total: int where total >= 0;
const unique big, small: int;
axiom big > small;
procedure {:entrypoint} main(n: int where n >= 0) returns (r: int)
  requires n < 100;
  free requires n != 3;
  modifies total;
  ensures r == n && total == old(total) + n;
{
  var i, j: int, b: bool where b;
  i, j := 0, n;
  while (i < n)
    invariant i <= n;
    free invariant {:candidate} j + i == n;
  {
    i, j := i + 1, j - 1;
    if (*) { havoc b; } else if (b) { break; } else { }
    total := total + 1;
  }
  assume {:sourceloc "a.c", 12, 3} i == n;
  assert {:msg "sum"} {:subsumption 0} i >= n;
  r := i;
  return;
}
procedure caller() { var x: int; call x := main(5); call {:cexpr "x"} note(x); free call x := main(*); call * := main(2); }
procedure note(x: int);
`,
	// Unstructured bodies, labels at the end and in front of loops and ifs, jumps into loops, dead code.
	`implementation p(a: int) returns (b: bool) {
 start: goto head, out;
 head: b := a < 3;
  outer: while (true) { inner: if (b) { break inner; b := false; } break outer; in: goto in2; }
  in2: goto in; return; b := true;
 out: assume !b;
 end:
}
procedure p(x: int) returns (y: bool);
`,
	// Maps, synonyms, constructors with arguments, polymorphism.
	`type ref; type Field _; type Pair a b; type Heap = <a>[ref, Field a]a; type Swap a b = Pair b a;
var heap: Heap; var grid: [int, int]real; var deep: [int][bool]Swap int bool; var none: []int;
const f: Field int; const g: Field bool; const p: Pair bool int;
function get<a>(h: Heap, r: ref, k: Field a) returns (a) { h[r, k] }
function empty<a>(): Pair a a;
function two(x, y: int, {:odd} z: bool): bool { if z then x < y else x > y }
axiom (forall<a> k: Field a, r: ref, h: Heap :: {get(h, r, k)} {:nopats empty(): Pair a a} get(h, r, k) == h[r, k]);
axiom empty() == empty(): Pair int int;
axiom (exists<a> x: a, y: a :: x == y) && (forall<b> :: empty(): Pair b b == empty());
procedure q<t>(r: ref, k: Field t, v: t) returns (w: t) modifies heap, deep, grid; {
  heap[r, k] := v; heap := heap[r, f := 3][r, g := true]; w := heap[r, k];
  deep[1][true], grid[0, 1] := p, 1.5; none[] := 3; grid := grid[1, 2 := int(2.5) / 4];
  call w := q(r, k, old(heap)[r, k]);
}
implementation q<s>(r1: ref, k1: Field s, v1: s) returns (w1: s) { w1 := (v1: s); }
`,
	// Quantifiers, lambda, let, if-then-else, code expressions, bit-vectors, numbers.
	`function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
function {:builtin "(_ sign_extend 8)"} wide(x: bv8): bv16;
function {:inline} low(x: bv16): bv8 { x[8:0] }
function {:define} high(x: bv16): bv8 { x[16:8] }
function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) }
axiom (forall {:weight 2} x: bv16 :: {low(x)} high(x) ++ low(x) == x);
axiom (var a, b := 1, 2.5e1; (var a := b; a ** 2.0 >= 1e-3)) && real(3) / 2 != 0.5 && 300bv8 == 44bv8;
axiom (lambda i: int, j: int :: i div j mod 2)[3, 4] == -1 && !(true <== false <== true) && (true ==> false ==> true);
axiom |{ var b: bool; entry: goto one, two; one: b := true; return b; two: havoc b; assume !b; return !b; }|;
const m: [int]int; axiom (lambda<t> x: t :: m)[5][1 := 2] == m;
procedure bits(x: bv8) returns (y: bv8) { y := add(x, low(wide(x)))[8:4] ++ 0bv4; assert (forall i: int :: (exists j: int :: j > i)); }
`,
	// Names as generators write them.
	"var $M.0: [int]int; var .str.1, x', #t~ret0, ?v, a`b, p^q, llvm.dbg.value: int; const main: int;\n" +
		"procedure main() { $bb0: $M.0[.str.1] := x'; #t~ret0, ?v := ?v, a`b; p^q := llvm.dbg.value + main; }\n" +
		`function \true(\if: int): \procedure; type \procedure; var \old: \procedure; procedure \call(){ \old := \true(1); }`,
	// Comments that nest, pragmas, conditional lines, strings.
	"/* a /* nested */ comment */ const a: int; // the end\n#line 10 other.bpl\naxiom {:s \"it is \\\"quoted\\\" // here\", a} a == 1;\n" +
		"#if FILE_0\nconst b: int;\n#else\nconst a: bool;\n#endif\n#if !FILE_0\nnonsense\n#elsif NOT\nnonsense\n#endif\naxiom b == a;",
	// Operators in other characters.
	"axiom (∀ x: int • x ≤ 3 ∧ x ≠ 4 ⇒ ¬(x ≥ 5)) ⇔ ((λ y: int • y)[1] == 1 ∨ (∃ z: bool • z ⇐ true));",
	// Partial orders, datatypes.
	`type T; const a: T extends; const b: T extends unique a, c complete; const c: T; axiom b <: a; axiom (forall x: T :: {x <: a} x:T <: a);
datatype List<t> { nil(), {:head} cons(head: t, tail: List t) }
const l: List int; axiom l is cons && l->tail is nil ==> l->(head := 3)->head == 3 && cons(1, nil()) != l;
procedure p() { var k: List (List bool); k->head->tail := nil(); }`,
	// Ultimate's dialect.
	`//#Safe
type finite C; const c: C; var p: { base, off: int };
procedure ULTIMATE.start() returns () modifies p; { var x: int; x := 7 / 2 % 3; p := { base: x, off: 1 }; p!off := p!base; assert 7.0 / 2.0 == 3.5; }`,
	// What is rarely written.
	`const a: int uses { axiom a == 1; hideable axiom {:x} a != 2; } revealed function f(x: int): int uses { axiom f(1) == 2; }
function g<t>({:y} x: t, u: [t]int): (int) { u[x] } uses { axiom (forall<t> x: t, u: [t]int :: g(x, u) == u[x]); }
type {:z} U _ _, V = U int (U bool [int]int); var v: V, w: U (int) [V]bool; var {:k 1, true, "s"} n: [ ]int;
procedure p() returns (); modifies ; modifies n, v; free ensures {:e old(n)} true;
implementation {:i} p() returns () { s: goto {:g} s, t; t: if {:h} (*) { return {:r a}; } else { while (true) free invariant {:j} true; { } } }
procedure q(x, y: int, {:l y} z: bool); procedure {:m q1} r<t>(x: t) returns (y: t) { call {:n x} y := r(x: t); goto L; L: }
const q1: bv0; axiom q1 == 1bv0 && f(\f) == -(-1) && (if true then 1 else 2) == 1; const f: int; axiom (a : int) == 1;`,
	// extern, ignore, pure, and attributes with a meaning.
	`type {:extern} T; type T; const {:extern} n: int; const {:extern} n: int; function {:extern} f(): int; function f(x: int): int;
var {:ignore} g: int; procedure {:ignore} unused() { assert false == 1; }
procedure bounds(x: int where x < w, w: int) returns (y: int where y < z + x, z: int where z < y);
pure procedure twice(x: int) returns (y: int) { y := x + x; assert {:verified_under y > 0} y == 2 * x; assume {:minimize y} true; }
procedure user() returns (z: int) { var {:assumption} a: bool; call z := twice(f(n)); a := a && z > 3; assume {:id "one"} a; }`,
}

// All that is Boogie is accepted.
func TestExamplesAreAccepted(t *testing.T) {
	for _, src := range examples {
		_, err := Read("f", []byte(src), Options{})
		require.NoError(t, err, src)
	}
}
