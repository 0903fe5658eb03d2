package boogie

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/boogie/ast"
)

// generated is a program in the manner of a generator that brings a prelude along.
const generated = `
type i1 = int; type i32 = int; type i64 = int; type ref = i64; type float; type unused = [int]float;
const $0.ref: ref; axiom $0.ref == 0; const $1.ref: ref; axiom $1.ref == 1;
const $BOTTOM: ref; axiom $BOTTOM == $sub.ref($0.ref, 4096);
function {:inline} $add.ref(p: ref, q: ref) returns (ref) { p + q }
function {:inline} $sub.ref(p: ref, q: ref) returns (ref) { p - q }
function {:inline} $eq.ref(p: ref, q: ref) returns (i1) { if p == q then 1 else 0 }
function {:inline} $load.ref(m: [ref]ref, p: ref) returns (ref) { m[p] }
function {:builtin "div"} $sdiv.i32(x: i32, y: i32) returns (i32);
function $and.i32(x: i32, y: i32) returns (i32);
axiom $and.i32(0, 0) == 0; axiom $and.i32(1, 1) == $or.i32(0, 1); function $or.i32(x: i32, y: i32) returns (i32);
function {:inline} $broken(x: i32) returns (float) { x }
var {:size $8.ref} $M.0: [ref]i32; const $8.ref: ref; const $9.ref: ref; var $M.1: [ref]float; var $exn: bool;
axiom 1 + 1 == 2;
procedure __nondet() returns (x: i32);
procedure unused(x: float) { assert x == 3; }
procedure {:entrypoint} main() returns (r: i32) { var p: ref; call r := helper($BOTTOM); $M.0 := $M.1; assert $and.i32(r, 1) == 0; }
procedure {:cost $9.ref} helper(p: ref) returns (x: i32) modifies $exn; { assume {:branch $eq.ref(p, $0.ref)} true; call x := __nondet(); while (x != $sdiv.i32(x, 2)) { $M.0[p] := x; } }
`

func declaredNames(p *ast.Program) []string {
	var out []string
	for _, d := range p.Declarations {
		switch d := d.(type) {
		case *ast.TypeDecl:
			out = append(out, d.Name)
		case *ast.Variable:
			out = append(out, d.Name)
		case *ast.Function:
			out = append(out, d.Name)
		case *ast.Procedure:
			out = append(out, d.Name)
		case *ast.Axiom:
			out = append(out, ast.String(d.Cond))
		}
	}
	return out
}

// What the entry reaches is kept, axioms about it too, and nothing else.
func TestPrune(t *testing.T) {
	p, err := Parse("f", []byte(generated), Options{})
	require.NoError(t, err)
	require.True(t, Generated(p))
	require.Equal(t, []string{"main"}, Entries(p))
	require.Equal(t, []string{"i1", "i32", "i64", "ref", "float", "$0.ref", "$0.ref == 0", "$BOTTOM", "$BOTTOM == $sub.ref($0.ref, 4096)",
		"$sub.ref", "$eq.ref", "$sdiv.i32", "$and.i32", "$and.i32(0, 0) == 0", "$and.i32(1, 1) == $or.i32(0, 1)", "$or.i32", "$M.0", "$8.ref", "$9.ref", "$M.1", "$exn", "1 + 1 == 2", "__nondet", "main", "helper"},
		declaredNames(Prune(p, "main")))
	require.Equal(t, []string{"i1", "i32", "i64", "ref", "$0.ref", "$0.ref == 0", "$BOTTOM", "$BOTTOM == $sub.ref($0.ref, 4096)", "$sub.ref", "$eq.ref", "$sdiv.i32",
		"$M.0", "$8.ref", "$9.ref", "$exn", "1 + 1 == 2", "__nondet", "helper"}, declaredNames(Prune(p, "helper")))
	require.Equal(t, []string{"1 + 1 == 2"}, declaredNames(Prune(p, "nobody")))
}

// A generated program is checked only where its entry reaches, and an assignment of the wrong type there is taken for a
// havoc; told is both what and where.
func TestReadGenerated(t *testing.T) {
	p := read(t, generated, Options{})
	require.Len(t, p.Procedures, 3)
	require.Len(t, p.Approximated, 1)
	require.Equal(t, "f:17:90: a value of type [int]float is assigned to type [int]int; the assignment is taken for a havoc",
		p.Approximated[0].Pos.String()+": "+p.Approximated[0].What)
	require.Equal(t, "havoc $M.0;", ast.StatementString(p.Procedures[1].Body.Stmts[1]))
	_, err := Read("f", []byte(generated), Options{Entries: []string{"unused"}})
	require.ErrorContains(t, err, "f:16:39: == takes two values of one type, but gets float and int")
}

// A lenient check forgives nothing but types that don't fit.
func TestLenient(t *testing.T) {
	o := Options{Lenient: true}
	p := read(t, "var a: int, b: bool; function f(): int { true } procedure p() { a, b := true, 1; a := f(); }", o)
	require.Len(t, p.Approximated, 2)
	require.Nil(t, p.Functions[0].Body)
	for src, want := range map[string]string{
		"var a: int; procedure p() { a := b; }":                    "f:1:34: unknown variable b",
		"var a: int; procedure p() { a, a := true, 1; }":           "f:1:32: variable a is assigned twice by one statement",
		"const a: int; procedure p() { a := true; }":               "f:1:31: constant a cannot be changed",
		"var a: int where a > 0; procedure p() { a := true; }":     "f:1:41: a value of type bool is assigned to type int",
		"procedure p() { assert 1; }":                              "f:1:24: the assertion should have type bool, but has type int",
		"function f(): int { true && unknown } axiom f() == true;": "f:1:29: unknown variable unknown",
	} {
		_, err := Read("f", []byte(src), o)
		require.ErrorContains(t, err, want, src)
	}
}

// Where a run begins.
func TestEntries(t *testing.T) {
	for src, want := range map[string]string{
		"procedure a() { } procedure {:entrypoint} b() { } procedure main() { }":                                "b",
		"procedure b(); implementation {:entrypoint} b() { } procedure c() { }":                                 "b",
		"procedure {:entrypoint false} a() { } procedure b() { call a(); }":                                     "b",
		"procedure a() { } procedure ULTIMATE.start() { call a(); }":                                            "ULTIMATE.start",
		"procedure main() { call c(); } procedure a() { call a(); call e(); } procedure c() { } procedure e();": "main a",
		"procedure a() { while (*) { call b(); } } procedure b() { if (*) { } else { call a(); } }":             "a b",
		"procedure a();": "",
	} {
		p, err := Parse("f", []byte(src), Options{})
		require.NoError(t, err)
		require.False(t, Generated(p))
		require.Equal(t, want, strings.Join(Entries(p), " "), src)
	}
}

// Pruning keeps all that the kept mention: a program that passes its check still does when it is pruned, a pruned program
// is not pruned further, and every declaration is the same.
func TestPruneIsClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom(append(slices.Clone(examples), generated)).Draw(t, "program")
		p, err := Parse("f", []byte(src), Options{})
		require.NoError(t, err)
		var procedures []string
		for _, d := range p.Declarations {
			if d, ok := d.(*ast.Procedure); ok {
				procedures = append(procedures, d.Name)
			}
		}
		if len(procedures) == 0 {
			return
		}
		if src == generated {
			procedures = slices.DeleteFunc(procedures, func(s string) bool { return s == "unused" || s == "main" })
		}
		entry := rapid.SampledFrom(procedures).Draw(t, "entry")
		q := Prune(p, entry)
		require.Equal(t, q.Declarations, Prune(q, entry).Declarations)
		for _, d := range q.Declarations {
			require.Contains(t, p.Declarations, d)
		}
		require.NoError(t, Check(q, Options{}), src)
	})
}

// The library of vectors is there for those who use it without declaring it.
func TestVectors(t *testing.T) {
	use := "procedure p(v: Vec int) returns (i: int) { var w: Vec bool; w := Vec_Append(Vec_Empty(), true); " +
		"assert Vec_Len(Vec_Concat(v, Vec_Slice(v, 0, 1))) > Vec_Nth(v, 0); call i := Vec_Ext(v, Vec_Swap(Vec_Remove(v), 0, 1)); }"
	p := read(t, use, Options{})
	require.NotEmpty(t, p.Axioms)
	_, err := Read("f", []byte("type Vec _; procedure p(v: Vec int) { assert Vec_Len(v) > 0; }"), Options{})
	require.EqualError(t, err, "f:1:46: unknown function Vec_Len")
	p = read(t, "type Vec _; procedure p(v: Vec int) { }", Options{})
	require.Empty(t, p.Axioms)
	_, err = Read("f", []byte("const Vec: int; axiom Vec_Len(Vec) == 1;"), Options{})
	require.EqualError(t, err, "f:1:31: argument 1 of Vec_Len should have type Vec T, but has type int")
}

// Of the library there is what a program uses and does not declare, with all that this depends on.
func TestLibrary(t *testing.T) {
	for src, want := range map[string][]string{
		"procedure p(o: Option int) { }":                                              {"Option"},
		"datatype Option { None(), Some(t: int) } procedure p(o: Option) { }":         nil,
		"procedure p() { var Set: int; Set := 1; }":                                   nil,
		"procedure p(a: [int]bool) { assert IsSubset(a, a); }":                        {"MapConst", "MapImp", "IsSubset"},
		"procedure p() { var x: int; call x := Copy(3); }":                            {"Copy"},
		"procedure Copy(x: int) returns (y: int); procedure p(x: Loc int) { }":        {"Loc"},
		"function f(x: int): int { Identity[x] } procedure p() { assert f(1) == 1; }": {"Identity"},
	} {
		p := read(t, src, Options{})
		var names []string
		for _, d := range p.Declarations {
			if d.At().File == "base library" {
				switch d := d.(type) {
				case *ast.TypeDecl:
					names = append(names, d.Name)
				case *ast.Variable:
					names = append(names, d.Name)
				case *ast.Function:
					names = append(names, d.Name)
				case *ast.Procedure:
					names = append(names, d.Name)
				}
			}
		}
		require.Equal(t, want, names, src)
	}
	library, err := parseLibrary()
	require.NoError(t, err)
	require.NoError(t, Check(library, Options{Strict: true}))
}
