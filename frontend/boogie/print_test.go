package boogie

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/frontend/boogie/ast"
)

// printed is a program as Print writes it.
func printed(t require.TestingT, p *ast.Program) string {
	var b bytes.Buffer
	require.NoError(t, ast.Print(&b, p))
	return b.String()
}

// Every tree reads back from its text as itself, and what is printed then is the same text.
func TestPrintedTreesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newGrower(t).program()
		text := printed(t, p)
		again, err := Parse("printed", []byte(text), Options{Dialect: DialectBoogie})
		require.NoError(t, err, text)
		require.Empty(t, difference(p.Declarations, again.Declarations), text)
		require.Equal(t, text, printed(t, again))
	})
}

// A single expression, too, reads back from its text.
func TestPrintedExpressionsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := newGrower(t).expr()
		text := ast.String(e)
		p, err := Parse("printed", []byte("axiom "+text+";"), Options{Dialect: DialectBoogie})
		require.NoError(t, err, text)
		require.Empty(t, difference(e, p.Declarations[0].(*ast.Axiom).Cond), text)
	})
}

// What a source says is kept by printing it, whatever dialect it is in, and checked programs print like others.
func TestExamplesReadBack(t *testing.T) {
	for _, src := range examples {
		p, err := Parse("example", []byte(src), Options{})
		require.NoError(t, err, src)
		o := Options{Dialect: DialectBoogie}
		if p.Dialect == ast.Ultimate {
			o.Dialect = DialectUltimate
		}
		text := printed(t, p)
		again, err := Parse("printed", []byte(text), o)
		require.NoError(t, err, text)
		require.Empty(t, difference(p.Declarations, again.Declarations), text)
		require.NoError(t, Check(p, Options{}), src)
		text = printed(t, p)
		_, err = Read("printed", []byte(text), Options{Dialect: DialectBoogie})
		require.NoError(t, err, text)
	}
}

// Parentheses stand where they are needed and nowhere else.
func TestFewParentheses(t *testing.T) {
	for _, text := range []string{
		"a ==> b ==> c", "(a ==> b) ==> c", "a <== b <== c", "a <== (b <== c)", "a ==> (b <== c)", "(a ==> b) <== c",
		"a <==> b <==> c", "a <==> (b <==> c)", "a && b && c", "(a && b) || c", "a && (b || c)", "!a && -x < y", "!(a && b)",
		"x - y - z", "x - (y - z)", "x * (y + z)", "x div y mod z", "x div (y mod z)", "(x < y) == z", "-x ** y", "-(x ** y)",
		"x ** y ** z", "(x ** y) ** z", "m[i][j := v][k]", "(if a then x else y) + 1", "1 + (if a then x else y)",
		"if a then x else y + 1", "(x: int) + 1", "f(x: T)", "x: T (U V) ([int]bool)", "(a ++ b)[8:0]", "old(m)[x]", "--x", "- -x",
		"(forall x: int, y: int :: {f(x), y} {:nopats g(y)} x < y ==> p)", "(exists<T> x: T :: {:weight 3} true)",
		"(lambda x: int :: x + 1)", "(var x, y := 1, 2; x + y)", "x is C && x->f == 1", "x->(f := 1)->f", "{ a: 1, b: x }!a",
		"(forall x: int :: ({ a: x }!a == x))", "|{ A: goto B; B: return x == 1; }|", "1.50 / 2e3", "7bv8 ++ 1bv1", `\old + \bv8`,
	} {
		p, err := Parse("f", []byte("axiom "+text+";"), Options{Dialect: DialectBoogie})
		require.NoError(t, err, text)
		want := strings.ReplaceAll(text, "- -", "--")
		require.Equal(t, want, ast.String(p.Declarations[0].(*ast.Axiom).Cond))
	}
}

// Literals that no source can say are printed as expressions of the same value.
func TestPrintNumbers(t *testing.T) {
	for want, e := range map[string]ast.Expr{
		"-5 - 1":              &ast.Binary{Op: ast.Sub, X: &ast.IntLiteral{Value: big.NewInt(-5)}, Y: &ast.IntLiteral{Value: big.NewInt(1)}},
		"m[(-5)[3:0]]":        &ast.Select{Map: &ast.Identifier{Name: "m"}, Index: []ast.Expr{&ast.Extract{X: &ast.IntLiteral{Value: big.NewInt(-5)}, High: 3}}},
		"0.25":                &ast.RealLiteral{Value: big.NewRat(1, 4)},
		"3.0":                 &ast.RealLiteral{Value: big.NewRat(3, 1)},
		"-0.5":                &ast.RealLiteral{Value: big.NewRat(-1, 2)},
		"x * (-1.0 / 3.0)":    &ast.Binary{Op: ast.Mul, X: &ast.Identifier{Name: "x"}, Y: &ast.RealLiteral{Value: big.NewRat(-1, 3)}},
		"(1.0 / 3.0) ** 2.50": &ast.Binary{Op: ast.Power, X: &ast.RealLiteral{Value: big.NewRat(1, 3)}, Y: &ast.RealLiteral{Value: big.NewRat(5, 2), Text: "2.50"}},
	} {
		require.Equal(t, want, ast.String(e))
	}
}

// Names that look like directives at the beginning of a line are not taken for them.
func TestPrintDirectives(t *testing.T) {
	src := "procedure p() { var #if0, #elsif, #endif: int; #line: #if0 := 1; #elsif := 2; #endif := 3; goto #line; #if: }"
	p, err := Parse("f", []byte(src), Options{})
	require.NoError(t, err)
	again, err := Parse("printed", []byte(printed(t, p)), Options{})
	require.NoError(t, err)
	require.Empty(t, difference(p.Declarations, again.Declarations))
}

// Parts of programs print by themselves.
func TestPrintParts(t *testing.T) {
	p, err := Read("f", []byte("type T _;\nvar m: <a>[T a]{ f: int }; procedure p() { while (*) invariant true; { return; } }"), Options{})
	require.NoError(t, err)
	m := p.Globals[0]
	require.Equal(t, "var m: <a>[T a]{ f: int };", ast.DeclarationString(m))
	m.Syntax = ast.SyntaxOf(m.Type)
	require.Equal(t, "var m: <a>[T a]{ f: int };", ast.DeclarationString(m))
	require.Equal(t, "<a>[T a]{ f: int }", m.Type.String())
	require.Equal(t, "while (*)\n  invariant true;\n{\n  return;\n}", ast.StatementString(p.Procedures[0].Body.Stmts[0]))
}
