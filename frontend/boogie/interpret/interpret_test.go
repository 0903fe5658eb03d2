package interpret_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/interpret"
)

// queue answers values and ways in order, and defaults when there are no more.
type queue struct {
	values []interpret.Value
	ways   []int
	asked  []string
}

func ints(ns ...int64) *queue {
	q := &queue{}
	for _, n := range ns {
		q.values = append(q.values, interpret.NewInt(n))
	}
	return q
}

func (q *queue) value(name string, t ast.Type) (interpret.Value, error) {
	q.asked = append(q.asked, name)
	if len(q.values) == 0 {
		return interpret.Default(t)
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, nil
}

func (q *queue) Constant(v *ast.Variable) (interpret.Value, error) { return q.value(v.Name, v.Type) }
func (q *queue) Initial(_ *ast.Variable, t ast.Type) (interpret.Value, error) {
	return interpret.Default(t)
}
func (q *queue) Apply(f *ast.Function, op ast.BinaryOp, _ []ast.Type, _ []interpret.Value, t ast.Type) (interpret.Value, error) {
	if f != nil {
		return q.value(f.Name, t)
	}
	return q.value(op.String(), t)
}

func (q *queue) Variable(by ast.Stmt, v *ast.Variable, _ ast.Type) (interpret.Value, error) {
	if by == nil {
		return interpret.Default(v.Type)
	}
	return q.value(v.Name, v.Type)
}

func (q *queue) Branch(_ ast.Stmt, n int, blocked func(int) bool) (int, error) {
	if len(q.ways) > 0 {
		w := q.ways[0]
		q.ways = q.ways[1:]
		return w, nil
	}
	for i := range n {
		if !blocked(i) {
			return i, nil
		}
	}
	return 0, nil
}

func (q *queue) Body(*ast.Procedure) (int, error) { return 0, nil }

func execute(t require.TestingT, src string, c interpret.Choices, o interpret.Options) interpret.Outcome {
	p, err := boogie.Read("f", []byte(src), boogie.Options{Dialect: boogie.DialectBoogie})
	require.NoError(t, err, src)
	for _, proc := range p.Procedures {
		if proc.Name == "main" {
			o.Entry = proc
		}
	}
	if o.Fuel == 0 {
		o.Fuel = 100_000
	}
	out, err := interpret.Run(context.Background(), p, c, o)
	require.NoError(t, err, src)
	return out
}

// holds requires that each condition is true, and that its negation fails where the condition stands.
func holds(t *testing.T, declarations string, conditions ...string) {
	t.Helper()
	for _, c := range conditions {
		src := declarations + "\nprocedure main() { assert " + c + "; }"
		require.Equal(t, interpret.Finished, execute(t, src, ints(), interpret.Options{}).Kind, "%s: %s", c, execute(t, src, ints(), interpret.Options{}))
		src = declarations + "\nprocedure main() { assert !(" + c + "); }"
		out := execute(t, src, ints(), interpret.Options{})
		require.Equal(t, interpret.Failed, out.Kind, "%s: %s", c, out)
	}
}

func TestDivisionLeavesARemainderThatIsNotNegative(t *testing.T) {
	holds(t, "", "32 div 13 == 2", "32 mod 13 == 6", "-32 div 13 == -3", "-32 mod 13 == 7", "32 div -13 == -2",
		"32 mod -13 == 6", "-32 div -13 == 3", "-32 mod -13 == 7", "6 / 4 == 1.5", "7 / 2.0 == 3.5", "int(-1.5) == -2", "int(1.5) == 1",
		"real(3) == 3.0", "0 - 7 div 2 == -3", "(-7) div 2 == -4")
}

// Division by zero is a function: the same dividend has the same quotient, whatever that is.
func TestDivisionByZeroIsAFunction(t *testing.T) {
	holds(t, "", "1 div 0 == 1 div (1 - 1)", "2 mod 0 == 2 mod 0", "1.0 / 0.0 == 1.0 / 0.0")
	src := "procedure main() { assert 1 div 0 == 2 div 0; }"
	require.Equal(t, interpret.Failed, execute(t, src, ints(4, 5), interpret.Options{}).Kind)
	require.Equal(t, interpret.Finished, execute(t, src, ints(4, 4), interpret.Options{}).Kind)
	src = "procedure main() { assert 1 div 0 == 1 div (1 - 1); }"
	require.Equal(t, interpret.Finished, execute(t, src, ints(4, 5), interpret.Options{}).Kind, "it is asked for once")
	src = "procedure main() { assert 1 div 0 == 1 mod 0; }"
	require.Equal(t, interpret.Failed, execute(t, src, ints(4, 5), interpret.Options{}).Kind, "div and mod are two functions")
}

func TestOperators(t *testing.T) {
	holds(t, "", "(false ==> (true ==> false))", "!(true ==> false)", "(false <== true) == false", "(if 1 > 0 then 1 else 2 + 3) == 1",
		"(if 1 < 0 then 1 else 2 + 3) == 5", "(true <==> !false)", "2bv4 ++ 3bv4 == 35bv8", "35bv8[8:4] == 2bv4", "35bv8[4:0] == 3bv4",
		"300bv8 == 44bv8", "(var x, y := 1, 2; (var x := y; x) + x) == 3", "1e3 == 1000.0", "- (-3) == 3", "!(1.5 <= 1.25)", "2 != 3")
}

func TestMaps(t *testing.T) {
	declarations := "var m, n: [int]int; var b, c: [bool]int; var w: [int,bool]int; var s: [[int]int]bool; const a: [int]int;"
	holds(t, declarations,
		"m[1 := 2][3 := 4] == m[3 := 4][1 := 2]", "m[1 := 2][1 := 3] == m[1 := 3]", "m[1 := m[1]] == m", "m[1 := 7] != m",
		"b[false := 1][true := 2] == c[true := 2][false := 1]", "w[1, true := 5][1, true] == 5", "w[1, true := 5][1, false] == 0",
		"s[m[1 := 0] := true][m]", "!s[m[1 := 1] := true][m]", "m[1 := 2][2] == 0",
		"(lambda i: int :: i + 1)[4] == 5", "(lambda i: int, b: bool :: if b then i else 0)[4, true] == 4", "(lambda b: bool :: b)[true := false] == (lambda b: bool :: false)",
		"(lambda i: int :: i + 1)[4 := 0][4] == 0")
	// A default that no index shows does not count.
	src := `procedure main() { var b, c: [bool]int; havoc b, c; b[true] := 1; b[false] := 2; c[false] := 2; c[true] := 1; assert b == c; assert b[true := 7] != c; }`
	other := &queue{values: []interpret.Value{interpret.NewMap(ast.Bool, interpret.NewInt(5)), interpret.NewMap(ast.Bool, interpret.NewInt(6))}}
	require.Equal(t, interpret.Finished, execute(t, src, other, interpret.Options{}).Kind)
	// Elsewhere it does: there are indices without an entry.
	src = `procedure main() { var m, n: [int]int; havoc m, n; m[1] := 1; n[1] := 1; assert m == n; }`
	other = &queue{values: []interpret.Value{interpret.NewMap(ast.Int, interpret.NewInt(5)), interpret.NewMap(ast.Int, interpret.NewInt(6))}}
	require.Equal(t, interpret.Failed, execute(t, src, other, interpret.Options{}).Kind)
}

func TestStatements(t *testing.T) {
	for _, c := range []struct {
		src  string
		kind interpret.Kind
	}{
		{"procedure main() { var x, y: int; x := 1; y := 2; x, y := y, x; assert x == 2 && y == 1; }", interpret.Finished},
		{"procedure main() { var m: [int]int; var x: int; m[0], x := 5, m[0]; assert m[0] == 5 && x == 0; }", interpret.Finished},
		{"procedure main() { var m: [int]int; var i: int; i := 1; m[i], i := 5, 2; assert m[1] == 5 && m[2] == 0 && i == 2; }", interpret.Finished},
		{"procedure main() { var m: [int][int]int; m[1][2] := 3; assert m[1][2] == 3 && m[1][1] == 0 && m[2][2] == 0; }", interpret.Finished},
		{"procedure P(a: int, b: int) returns (c: int, d: int) { c := a; d := b; }\nprocedure main() { var x, y: int; x := 1; y := 2; call x, y := P(y, x); assert x == 2 && y == 1; }", interpret.Finished},
		{"var g: int; procedure P() returns (r: int) { r := g; g := g + 1; }\nprocedure main() { var x: int; g := 5; call x := P(); call g := P(); assert x == 5 && g == 6; }", interpret.Finished},
		{"procedure main() { var i: int; i := 0; while (i < 5) { i := i + 1; if (i == 3) { break; } } assert i == 3; }", interpret.Finished},
		{"procedure main() { var i: int; i := 0; A: while (true) { while (true) { i := i + 1; break A; } i := 9; } assert i == 1; }", interpret.Finished},
		{"procedure main() { var i: int; A: if (true) { i := 1; break A; i := 2; } assert i == 1; }", interpret.Finished},
		{"procedure main() { var i: int; i := 0; goto In; while (i < 3) { In: i := i + 1; } assert i == 3; }", interpret.Finished},
		{"procedure main() { return; assert false; }", interpret.Finished},
		{"procedure main() { goto A; A: assume false; assert false; }", interpret.Blocked},
		{"procedure main() { goto A, B; A: assume false; assert false; B: assert true; }", interpret.Finished},
		{"procedure main() { while (true) { } }", interpret.OutOfFuel},
		{"procedure P(n: int) { call P(n + 1); }\nprocedure main() { call P(0); }", interpret.OutOfFuel},
		{"procedure main() { var i: int; i := 0; while (i < 3) invariant i <= 2; { i := i + 1; } }", interpret.Failed},
		{"procedure main() { var i: int; i := 0; while (i < 3) free invariant i <= 2; { i := i + 1; } }", interpret.Blocked},
		{"procedure main() { assert {:verified_under true} false; }", interpret.Finished},
		{"procedure main() { assert {:verified_under false} false; }", interpret.Failed},
		{"procedure even(n: int) returns (r: bool) { if (n == 0) { r := true; } else { call r := odd(n - 1); } }\nprocedure odd(n: int) returns (r: bool) { if (n == 0) { r := false; } else { call r := even(n - 1); } }\nprocedure main() { var r: bool; call r := even(7); assert !r; call r := odd(7); assert r; }", interpret.Finished},
	} {
		out := execute(t, c.src, ints(), interpret.Options{})
		require.Equal(t, c.kind, out.Kind, "%s: %s", c.src, out)
	}
}

func TestContracts(t *testing.T) {
	for _, c := range []struct {
		src   string
		kind  interpret.Kind
		value int64
	}{
		// With a body: what is required and ensured is checked, unless it is free.
		{"procedure P(x: int) requires x > 0; { }\nprocedure main() { call P(0); }", interpret.Failed, 0},
		{"procedure P(x: int) free requires x > 0; { }\nprocedure main() { call P(0); assert false; }", interpret.Blocked, 0},
		{"procedure P(x: int) requires x > 0; { }\nprocedure main() { free call P(0); assert false; }", interpret.Blocked, 0},
		{"procedure P() returns (y: int) ensures y > 0; { y := 0; }\nprocedure main() { var x: int; call x := P(); }", interpret.Failed, 0},
		{"procedure P() returns (y: int) free ensures y > 0; { y := 0; }\nprocedure main() { var x: int; call x := P(); assert false; }", interpret.Blocked, 0},
		// Without one the contract is what happens.
		{"procedure P() returns (y: int); ensures y > 0;\nprocedure main() { var x: int; call x := P(); assert x > 0; assert x == 3; }", interpret.Finished, 3},
		{"procedure P() returns (y: int); ensures y > 0;\nprocedure main() { var x: int; call x := P(); assert false; }", interpret.Blocked, -3},
		{"procedure P(x: int); requires x > 0;\nprocedure main() { free call P(0); assert false; }", interpret.Failed, 0},
		{"var g: int; procedure P(); modifies g; ensures g == old(g) + 1;\nprocedure main() { g := 4; call P(); assert g == 5; }", interpret.Finished, 5},
		{"var g: int; procedure P(); modifies g; ensures g == old(g) + 1;\nprocedure main() { g := 4; call P(); assert false; }", interpret.Blocked, 6},
		{"procedure P() returns (y: int where y > 0);\nprocedure main() { var x: int; call x := P(); assert false; }", interpret.Blocked, 0},
		{"procedure P(x: int where x > 7);\nprocedure main() { call P(*); assert false; }", interpret.Blocked, 7},
		{"procedure P(x: int) returns (y: int) { y := x; }\nprocedure main() { var z: int; call z := P(*); assert z == 7; }", interpret.Finished, 7},
		// old is the entry of the procedure, of globals only.
		{"var g: int; procedure P(x: int) returns (y: int) ensures g == old(g) + x && y == old(y); { g := g + 1; assert old(g) == 4; g := g + x - 1; y := 3; }\nprocedure main() { var x: int; g := 4; call x := P(3); assert g == 7 && old(g) == 0; }", interpret.Finished, 0},
		// An implementation may call its parameters as it likes.
		{"procedure P(a: int, b: int) returns (c: int); requires a < b; ensures c == b - a;\nimplementation P(b: int, a: int) returns (d: int) { d := a - b; }\nprocedure main() { var x: int; call x := P(1, 3); assert x == 2; }", interpret.Finished, 0},
		{"procedure P() returns (c: int where c > 5);\nimplementation P() returns (d: int) { assert false; }\nprocedure main() { var x: int; call x := P(); }", interpret.Blocked, 0},
		// where is assumed of what is havocked, and of nothing else.
		{"procedure main() { var x: int where x > 0; x := 0; assert x == 0; }", interpret.Blocked, 0},
		{"procedure main() { var x: int where x >= 0; x := -1; assert x == -1; havoc x; assert x == 4; }", interpret.Finished, 4},
		{"procedure main() { var x: int where x >= 0; havoc x; assert false; }", interpret.Blocked, -4},
		{"procedure reach_error();\nprocedure main() { call reach_error(); }", interpret.Failed, 0},
	} {
		out := execute(t, c.src, ints(c.value), interpret.Options{Errors: []string{"reach_error"}})
		require.Equal(t, c.kind, out.Kind, "%s: %s", c.src, out)
	}
}

// Havoc gives all variables values before it assumes their where clauses, in either order.
func TestHavocOfSeveralVariables(t *testing.T) {
	for _, order := range []string{"x, y", "y, x"} {
		src := "procedure main() { var x: int where x <= y; var y: int; havoc " + order + "; assert x == y; }"
		out := execute(t, src, ints(5, 5), interpret.Options{})
		require.Equal(t, interpret.Finished, out.Kind, "%s: %s", order, out)
	}
}

func TestWaysAreChosen(t *testing.T) {
	src := "procedure main() { var n: int; n := 0; while (*) { n := n + 1; } if (*) { goto A, B; } else { return; } A: n := n + 10; return; B: assert n != 2; }"
	for _, c := range []struct {
		ways []int
		kind interpret.Kind
	}{{[]int{0, 0, 1, 0, 1}, interpret.Failed}, {[]int{0, 1, 0, 1}, interpret.Finished}, {[]int{0, 0, 1, 1}, interpret.Finished}, {[]int{0, 0, 1, 0, 0}, interpret.Finished}} {
		require.Equal(t, c.kind, execute(t, src, &queue{ways: c.ways}, interpret.Options{}).Kind, c.ways)
	}
}

func TestFunctions(t *testing.T) {
	holds(t, "function f(x: int): int { x + 1 } function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) } function g(x: int): int; function id<a>(x: a): a { x } function c(): int;",
		"f(f(1)) == 3", "fact(5) == 120", "g(1) == g(2 - 1)", "id(3) == 3", "id(true)", "c() == c()")
	src := "function g(x: int): int; procedure main() { assert g(1) == g(2); }"
	require.Equal(t, interpret.Failed, execute(t, src, ints(1, 2), interpret.Options{}).Kind)
	require.Equal(t, interpret.Finished, execute(t, src, ints(1, 1), interpret.Options{}).Kind)
	src = "function g(x: int): int; procedure main() { assert g(1) == g(2 - 1); }"
	require.Equal(t, interpret.Finished, execute(t, src, ints(1, 2), interpret.Options{}).Kind, "it is asked for once")
	src = "function f(x: int): bool { f(x + 1) } procedure main() { assert f(0); }"
	require.Equal(t, interpret.Undetermined, execute(t, src, ints(), interpret.Options{}).Kind, "a function that is never done")
}

func TestAxiomsRestrictConstantsAndFunctions(t *testing.T) {
	src := "const c: int; axiom c > 3; procedure main() { assert c != 5; }"
	require.Equal(t, interpret.Failed, execute(t, src, ints(5), interpret.Options{}).Kind)
	src = "const c: int; axiom c > 7; procedure main() { assert c != 5; }"
	require.Equal(t, interpret.Blocked, execute(t, src, ints(5), interpret.Options{}).Kind)
	src = "const c, d: int; axiom c > d; axiom d > 7; procedure main() { assert c != 5; }"
	require.Equal(t, interpret.Blocked, execute(t, src, ints(5, 4), interpret.Options{}).Kind, "an axiom about what another one mentions")
	src = "const c, d: int; axiom d > 7; axiom c > d; procedure main() { assert c != 5; }"
	require.Equal(t, interpret.Blocked, execute(t, src, ints(5, 4), interpret.Options{}).Kind, "the same in another order")
	src = "const c, d: int; axiom d > 7; procedure main() { assert c != 5; }"
	require.Equal(t, interpret.Failed, execute(t, src, ints(5), interpret.Options{}).Kind, "an axiom about nothing that matters")
	src = "axiom false; procedure main() { assert false; }"
	require.Equal(t, interpret.Blocked, execute(t, src, ints(), interpret.Options{}).Kind)
	src = "function f(x: int): int; axiom f(0) == 1; procedure main() { assert f(0) != 2; }"
	require.Equal(t, interpret.Blocked, execute(t, src, ints(2), interpret.Options{}).Kind)
	src = "function f(x: int): int; axiom (forall x: int :: f(x) >= 0); procedure main() { assert f(0) != 2; }"
	require.Equal(t, interpret.Undetermined, execute(t, src, ints(2), interpret.Options{}).Kind, "nobody knows the other values of f")
	src = "type t; const unique a: t; const unique b: t; procedure main() { assert a != b; }"
	require.Equal(t, interpret.Failed, execute(t, strings.ReplaceAll(src, "unique", ""), ints(), interpret.Options{}).Kind)
	require.Equal(t, interpret.Blocked, execute(t, src, ints(), interpret.Options{}).Kind)
}

func TestQuantifiers(t *testing.T) {
	holds(t, "const m: [int]int; type u; const e: u;",
		"(forall b: bool :: b || !b)", "(exists x: bv3 :: x == 5bv3)", "!(forall x: bv3 :: x == 5bv3)",
		"(forall i: int :: 0 <= i && i < 10 ==> m[i] == 0)", "!(forall i: int :: 0 <= i && i < 10 ==> m[3 := 1][i] == 0)",
		"(exists i: int :: 0 <= i && i < 10 && m[3 := 1][i] == 1)", "!(exists i: int :: 0 <= i && i < 10 && m[i] == 1)",
		"(forall i, j: int :: 0 <= i && i < j && j <= 4 ==> i + 1 <= j)", "(forall i: int :: !(0 <= i && i < 3) || m[i] == 0)", "(forall i: int :: i < 0 || i > 3 || i * i <= 9)",
		"(exists i: int :: m[17 := 1][i] == 1)", "!(forall i: int :: m[17 := 1][i] == 0)", "(exists x: u :: x == e)", "!(forall x: u :: x == e)",
		"(forall i: int :: 5 <= i && i <= 4 ==> false)", "!(forall i: int :: 0 <= i && i <= 3 ==> m[3 := 1][i] == 0)", "!(forall i: int :: 3 <= i && i < 5 ==> m[3 := 1][i] == 0)",
		"(forall i: int :: 2 < i && 4 > i ==> i == 3)", "!(forall i: int :: i == 4 ==> m[4 := 1][i] == 0)", "!(forall i: int :: 7 >= i && i >= 7 ==> i != 7)")
	for _, c := range []string{"(forall i: int :: i * i >= 0)", "!(exists i: int :: i * i == 2)", "(forall r: real :: r * r >= 0.0)", "(forall i: int :: 0 <= i ==> i * i >= 0)"} {
		for _, s := range []string{"assert " + c + ";", "assume " + c + "; assert false;", "if (" + c + ") { assert false; }", "assert !" + c + ";"} {
			out := execute(t, "const m: [int]int; procedure main() { "+s+" }", ints(), interpret.Options{})
			require.Equal(t, interpret.Undetermined, out.Kind, "%s: %s", s, out)
			require.NotZero(t, out.Pos.Line)
		}
	}
	// What is undetermined does not matter where the other side decides.
	holds(t, "const m: [int]int;", "true || (forall i: int :: i * i >= 0)", "(forall i: int :: i * i >= 0) || true", "!((forall i: int :: i * i >= 0) && false)", "(false ==> (forall i: int :: i * i >= 0))")
}

func TestExitAsError(t *testing.T) {
	src := "var ok: bool; procedure main() { ok := true; assert false; }"
	require.Equal(t, interpret.Blocked, execute(t, src, ints(), interpret.Options{ExitIsError: true}).Kind)
	src = "var ok: bool; procedure main() { ok := false; assume !ok; }"
	require.Equal(t, interpret.Failed, execute(t, src, ints(), interpret.Options{ExitIsError: true}).Kind)
}

func TestAChoiceThatFailsEndsTheRun(t *testing.T) {
	p, err := boogie.Read("f", []byte("procedure main() { var x: int; havoc x; }"), boogie.Options{})
	require.NoError(t, err)
	_, err = interpret.Run(context.Background(), p, broken{ints()}, interpret.Options{Entry: p.Procedures[0]})
	require.ErrorContains(t, err, "no idea")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err = boogie.Read("f", []byte("procedure main() { while (true) { } }"), boogie.Options{})
	require.NoError(t, err)
	_, err = interpret.Run(ctx, p, ints(), interpret.Options{Entry: p.Procedures[0]})
	require.ErrorIs(t, err, context.Canceled)
}

type broken struct{ *queue }

func (broken) Variable(ast.Stmt, *ast.Variable, ast.Type) (interpret.Value, error) {
	return nil, fmt.Errorf("no idea")
}

// A run tells what it does, in order.
func TestEvents(t *testing.T) {
	var told []string
	src := "var m: [int]int; procedure P(x: int) returns (y: int) { y := x + 1; m[y] := x; }\nprocedure main() { var z: int; call z := P(4); if (z > 4) { havoc z; } assert z == 5; }"
	out := execute(t, src, ints(6), interpret.Options{Observe: func(e interpret.Event) {
		s := fmt.Sprintf("%d %d %s", e.Kind, e.Depth, e.Procedure.Name)
		for _, c := range e.Changes {
			s += " " + c.Variable.Name
			for _, i := range c.Path {
				s += "[" + i.String() + "]"
			}
			s += "=" + c.Value.String()
		}
		told = append(told, s)
	}})
	require.Equal(t, "f:2:72: failed: assertion z == 5", out.String())
	require.Equal(t, []interpret.Change{{Variable: out.Values[0].Variable, Value: interpret.NewInt(6)}}, out.Values)
	require.Equal(t, []string{"0 0 main m=[else: 0]", "5 0 main z=0", "2 0 P x=4", "5 1 P y=0", "1 1 P y=5", "1 1 P m[5]=4", "3 0 P z=5", "1 0 main", "1 0 main z=6", "4 0 main"}, told)
}

func TestValuesAreWrittenAsBoogieDoes(t *testing.T) {
	m, err := interpret.NewMap(ast.Int, interpret.NewInt(0)).Store(interpret.NewInt(2), interpret.NewInt(5))
	require.NoError(t, err)
	m, err = m.Store(interpret.NewInt(-1), interpret.NewInt(0))
	require.NoError(t, err)
	require.Equal(t, "[2: 5, else: 0]", m.String())
	require.Equal(t, "5bv8", interpret.BitVector{Width: 8, N: big.NewInt(5)}.String())
	require.Equal(t, "3.0", interpret.Real{R: big.NewRat(3, 1)}.String())
	require.Equal(t, "1/3", interpret.Real{R: big.NewRat(1, 3)}.String())
	require.Equal(t, "t!4", interpret.Element{Type: "t", N: big.NewInt(4)}.String())
}
