package lower_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower"
	"hornbeam/frontend/c/machine"
)

// lowered lowers a program in the dialect, given by its text, for 32 bits, and prints it.
func lowered(t *testing.T, text string, mode lower.Mode) (*lower.Lowered, string) {
	t.Helper()
	return loweredBy(t, text, lower.Options{Mode: mode, PointerBits: 32})
}

func loweredBy(t *testing.T, text string, o lower.Options) (*lower.Lowered, string) {
	t.Helper()
	p, err := boogie.Parse("test.bpl", []byte(text), boogie.Options{Dialect: boogie.DialectBoogie})
	require.NoError(t, err)
	require.NoError(t, machine.Declare(p))
	l, err := lower.Lower(t.Context(), p, o)
	require.NoError(t, err)
	var s strings.Builder
	require.NoError(t, ast.Print(&s, l.Program))
	return l, s.String()
}

const counter = `
procedure {:entrypoint} main() {
  var i: i32; var n: i32; var a: [int]u8; var x: u32;
  havoc n, x;
  i := 0;
 head:
  goto body, done;
 body:
  assume $lt.i32(i, n);
  i := $add.i32(i, 1);
  x := $add.u32(x, 1);
  a[$index.i32(i)] := $convert.u32.u8($and.u32(x, 255));
  x := $xor.u32(x, $convert.i32.u32(n));
  goto head;
 done:
  assume !$lt.i32(i, n);
  assert $le.i32(n, i);
}
`

// A counter that a guard bounds is not corrected; what may wrap is, and its range is told; masks are exact.
func TestRangesMakeCorrectionsNeedless(t *testing.T) {
	l, s := lowered(t, counter, lower.Ranged)
	require.Contains(t, s, "i := i + 1;")
	require.Contains(t, s, "if 4294967295 < $v1 then $v1 - 4294967296")
	require.Contains(t, s, "a[i] := x mod 256;")
	require.Contains(t, s, "assume 0 <= x && x <= 4294967295;")
	require.Len(t, l.Occurrences, 1)
	require.Equal(t, "$xor.u32", l.Occurrences[0].Operation.Name())
	require.Equal(t, lower.More, l.Relation)
	require.True(t, l.Relation.Proves())
	require.False(t, l.Relation.Refutes())
	require.NotEmpty(t, l.Origin)
}

// A factor and a divisor of few values are told apart by them, so that what is left is linear; more are not, nor those that unbounded integers
// may leave, nor a divisor that may be 0.
func TestFewValuesAreToldApart(t *testing.T) {
	program := func(least, most string) string {
		return `
procedure {:entrypoint} main() {
  var n: i32; var x: i32; var y: i32; var q: i32;
  havoc n, x;
  assume $le.i32(` + least + `, n) && $le.i32(n, ` + most + `);
  y := $mul.i32(x, n);
  q := $div.i32(x, n);
}
`
	}
	_, s := lowered(t, program("2", "4"), lower.Ranged)
	require.Contains(t, s, "if n == 2 then 2 * x else if n == 3 then 3 * x else 4 * x")
	require.NotContains(t, s, "x * n")
	require.NotContains(t, s, "$q")
	_, s = lowered(t, program("2", "400"), lower.Ranged)
	require.Contains(t, s, "x * n")
	require.Contains(t, s, "$q")
	_, s = loweredBy(t, program("2", "4"), lower.Options{Unbounded: true, PointerBits: 32})
	require.Contains(t, s, "else if n == 4 then 4 * x else x * n")
	require.Contains(t, s, "$q")
	_, s = lowered(t, program("0", "1"), lower.Ranged)
	require.Contains(t, s, "if n == 0 then 0 * x else 1 * x")
	require.Contains(t, s, "$q")
}

// Without bounds neither a proof nor a bug counts; with vectors both do.
func TestWhatModesMayClaim(t *testing.T) {
	l, s := lowered(t, counter, lower.NoVectors)
	require.False(t, l.Relation.Proves())
	require.False(t, l.Relation.Refutes())
	require.NotContains(t, s, "4294967296")
	l, s = lowered(t, counter, lower.AllVectors)
	require.True(t, l.Relation.Proves())
	require.True(t, l.Relation.Refutes())
	require.Contains(t, s, "a[i] := ")
	require.Contains(t, s, "var a: [bv32]bv8;")
	require.Equal(t, l.Classes, l.Vectors)
}

// An expression may be part of several statements, and of one several times: in one it has one value, in each another one.
func TestSharedOperationsAreLoweredOnce(t *testing.T) {
	for _, operation := range []string{"$and.i32", "$div.i32"} {
		p, err := boogie.Parse("test.bpl", []byte(`
procedure {:entrypoint} main() {
  var x: i32; var y: i32;
  havoc x, y;
  x := $add.i32(`+operation+`(x, y), 0);
  x := $add.i32(0, y);
}`), boogie.Options{Dialect: boogie.DialectBoogie})
		require.NoError(t, err)
		var applications []*ast.Application
		for _, d := range p.Declarations {
			ast.WalkStatements(d.(*ast.Procedure).Body.Stmts, func(ast.Stmt) bool { return true }, func(e ast.Expr) bool {
				if a, ok := e.(*ast.Application); ok {
					applications = append(applications, a)
				}
				return true
			})
		}
		first, inner, second := applications[0], applications[1], applications[2]
		first.Args[1], second.Args[0] = inner, inner
		require.NoError(t, machine.Declare(p))
		for _, mode := range []lower.Mode{lower.Ranged, lower.NoVectors, lower.AllVectors, lower.Guided} {
			l, err := lower.Lower(t.Context(), p, lower.Options{Mode: mode, PointerBits: 32})
			require.NoError(t, err)
			var s strings.Builder
			require.NoError(t, ast.Print(&s, l.Program))
			variable := map[string]string{"$and.i32": "$b1", "$div.i32": "$q1"}[operation]
			if mode == lower.Ranged {
				require.Equal(t, 2, strings.Count(s.String(), "havoc "+variable), s.String())
			}
			require.LessOrEqual(t, strings.Count(s.String(), "havoc "+variable), 2, s.String())
		}
	}
}

// Refine makes the operations exact that a refutation executed, or in mode Guided represents their classes by bit-vectors, and only
// these; it reports when nothing is left.
func TestWhatRefutationsExecuteBecomesExact(t *testing.T) {
	text := `procedure {:entrypoint} p() { var x, y, z: u8; var v, w: u16; havoc v, w, x, y; v := $and.u16(v, w); z := $and.u8(x, y); z := $or.u8(z, $xor.u8(x, y)); assert $lt.u8(z, 9); }`
	for _, mode := range []lower.Mode{lower.Ranged, lower.Guided} {
		p, err := boogie.Parse("test", []byte(text), boogie.Options{})
		require.NoError(t, err)
		require.NoError(t, machine.Declare(p))
		o := lower.Options{Mode: mode, PointerBits: 32, Plan: &lower.Plan{}}
		l, err := lower.Lower(t.Context(), p, o)
		require.NoError(t, err)
		require.Len(t, l.Occurrences, 4)
		first := l.Occurrences[1]
		require.True(t, lower.Refine(l, o, map[int]bool{first.ID: true}))
		require.False(t, lower.Refine(l, o, map[int]bool{first.ID: true}), "nothing is left")
		refined, err := lower.Lower(t.Context(), p, o)
		require.NoError(t, err)
		if mode == lower.Ranged {
			require.Len(t, refined.Occurrences, 3)
		} else {
			require.Len(t, refined.Occurrences, 1, "three are in one class")
			require.Equal(t, 1, refined.Vectors)
		}
	}
}
