package proof

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

const objects = `extern int nd(void);
struct s { int n, d; };
int m[3][4], far[100];
static int inner(int *a, int *b, struct s *p, int n, int i, int j) {
  while (nd()) { a[0] = b[0]; p->n = p->d + n; n = m[i][j] + far[i]; }
  return n;
}
int main(void) {
  int x[3], y[3];
  struct s s = {0};
  x[0] = y[1] = nd();
  return inner(x, &y[1], &s, 1, nd(), nd()) + x[0] + s.n;
}
`

func numeral(n int64) ast.Expr { return &ast.IntLiteral{Value: big.NewInt(n)} }

func binary(op ast.BinaryOp, a, b ast.Expr) ast.Expr { return &ast.Binary{Op: op, X: a, Y: b} }

// vectors applies an operator of SMT-LIB.
func vectors(op string, result ast.Type, args ...ast.Expr) ast.Expr {
	return &ast.Application{Name: op, Args: args, Function: &ast.Function{
		Name: op, Attributes: ast.Attributes{{Name: "bvbuiltin", Args: []ast.Expr{&ast.StringLiteral{Text: op}}}}, Result: &ast.Variable{Type: result},
	}}
}

// What variables of a translation are is written as the parts of objects, in either style, or not at all.
func TestPlacesOfVariables(t *testing.T) {
	p, err := c.Read(context.Background(), "p.c", []byte(objects), c.Options{Model: c.LP64})
	require.NoError(t, err)
	r, err := translate.Translate(context.Background(), p, translate.Options{})
	require.NoError(t, err)
	var procedure *ast.Procedure
	for _, d := range r.Program.Declarations {
		if q, ok := d.(*ast.Procedure); ok && q.Name == "inner" {
			procedure = q
		}
	}
	require.NotNil(t, procedure)
	variables := map[string]*ast.Variable{}
	for _, v := range slices.Concat(procedure.In, procedure.Out, procedure.Body.Locals) {
		variables[v.Name] = v
	}
	named := func(name string) ast.Expr { return &ast.Identifier{Name: name, Decl: variables[name]} }
	element := func(m string, i ast.Expr) ast.Expr { return &ast.Select{Map: named(m), Index: []ast.Expr{i}} }
	i, j := named("i"), named("j")
	four := func(e ast.Expr) ast.Expr { return binary(ast.Mul, numeral(4), e) }
	k := &ast.Variable{Kind: ast.Bound, Name: "k", Type: ast.Int}
	all := func(map_ string) ast.Expr {
		return &ast.Quantifier{Bound: []*ast.Variable{k}, Body: binary(ast.Eq, element(map_, &ast.Identifier{Name: "k", Decl: k}), numeral(0))}
	}
	v8 := func(n int64) ast.Expr { return &ast.BitVectorLiteral{Value: big.NewInt(n), Width: 8} }
	sum := vectors("bvadd", &ast.BitVector{Width: 8}, v8(100), v8(100))
	const guards = "!((long long)j >= 0 && (long long)j < 4) || (!((long long)i >= 0 && (long long)i < 3) || (m[(long long)i][(long long)j] == 0))"
	for _, x := range []struct {
		e                   ast.Expr
		executable, logical string
	}{
		{binary(ast.Eq, element("m", binary(ast.Add, four(i), j)), numeral(0)), guards, "m[i][j] == 0"},
		{binary(ast.Eq, element("m", numeral(6)), numeral(0)), "m[1][2] == 0", "m[1][2] == 0"},
		{binary(ast.Eq, element("m", numeral(12)), numeral(0)), "", ""},
		{binary(ast.Eq, element("far", i), numeral(0)), "!((long long)i >= 0 && (long long)i < 100) || (far[(long long)i] == 0)", "far[i] == 0"},
		{binary(ast.Eq, element("a^", numeral(2)), numeral(0)), "a[2] == 0", "a[2] == 0"},
		{binary(ast.Eq, element("a^", numeral(3)), numeral(0)), "", ""},
		// The pointer does not lead to the beginning.
		{binary(ast.Eq, element("b^in", numeral(1)), numeral(0)), "", ""},
		{binary(ast.Eq, named("p^.n"), numeral(0)), "p->n == 0", "p->n == 0"},
		{binary(ast.Eq, named("n^in"), numeral(1)), "", `\at(n, Pre) == 1`},
		{binary(ast.Eq, named("n"), numeral(1)), "n == 1", "n == 1"},
		{binary(ast.Eq, named("$t1"), numeral(1)), "", ""},
		{binary(ast.Eq, &ast.Old{X: element("m", numeral(0))}, numeral(1)), "", `\at(m[0][0], Pre) == 1`},
		// What holds of all holds of some, but what does not hold of all may hold of some.
		{binary(ast.Implies, all("a^"), binary(ast.Less, i, j)), "", `(\forall integer k; a[k] == 0) ==> i < j`},
		{binary(ast.Implies, binary(ast.Less, i, j), all("a^")), "!(i < j) || ((a[0] == 0) && (a[1] == 0) && (a[2] == 0))", `i < j ==> (\forall integer k; a[k] == 0)`},
		{&ast.Unary{Op: ast.Not, X: all("a^")}, "", `!(\forall integer k; a[k] == 0)`},
		{binary(ast.Iff, all("a^"), binary(ast.Less, i, j)), "", `(\forall integer k; a[k] == 0) <==> (i < j)`},
		{vectors("bvslt", ast.Bool, sum, v8(0)), "(((100ULL + 100ULL) & 255ULL) ^ 128ULL) < (0ULL ^ 128ULL)", "(((100ULL + 100ULL) & 255ULL) ^ 128ULL) < (0ULL ^ 128ULL)"},
		{vectors("bvult", ast.Bool, sum, v8(9)), "((100ULL + 100ULL) & 255ULL) < 9ULL", "((100ULL + 100ULL) & 255ULL) < 9ULL"},
	} {
		for style, want := range map[Style]string{Executable: x.executable, Logical: x.logical} {
			text, err := (&expresser{
				source: r.Origins, procedure: procedure, style: style, kind: boogie.Invariant, visible: func(*tree.Object) bool { return true },
			}).condition(x.e)
			require.Equal(t, want, text, "%s, style %d", ast.String(x.e), style)
			require.Equal(t, want != "", err == nil)
		}
	}
}

// What a map of memory has at the number of an element is the element at the address that is so many times its size.
func TestElementsOfMemory(t *testing.T) {
	const text = `extern int nd(void);
int a[9], b[9];
int main(void) { int i = nd(); int *p = nd() ? a : b; p[i] = 1; return a[i] + b[i]; }
`
	p, err := c.Read(context.Background(), "p.c", []byte(text), c.Options{Model: c.LP64})
	require.NoError(t, err)
	r, err := translate.Translate(context.Background(), p, translate.Options{})
	require.NoError(t, err)
	require.Len(t, r.Origins.Memory, 1)
	var memory *ast.Variable
	for _, v := range r.Origins.Memory {
		memory = v
	}
	r.Origins.Elements = map[string]int64{memory.Name: 4}
	from := map[string]int64{}
	for o, address := range r.Origins.Addresses {
		from[o.Name] = address
	}
	var procedure *ast.Procedure
	var i *ast.Variable
	for _, d := range r.Program.Declarations {
		if q, ok := d.(*ast.Procedure); ok && q.Name == "main" {
			procedure = q
			for _, v := range q.Body.Locals {
				if v.Name == "i" {
					i = v
				}
			}
		}
	}
	require.NotNil(t, i)
	for _, x := range []struct {
		index ast.Expr
		want  string
	}{
		{numeral(from["a"] / 4), "a[0] == 1"},
		{numeral(from["b"]/4 + 8), "b[8] == 1"},
		{numeral(from["a"]), ""},
		{binary(ast.Add, numeral(from["b"]/4-1), &ast.Identifier{Name: "i", Decl: i}), ""},
		{binary(ast.Add, numeral(from["b"]/4+1), &ast.Identifier{Name: "i", Decl: i}), "b[i + 1] == 1"},
		{binary(ast.Div, &ast.Identifier{Name: "i", Decl: i}, numeral(4)), ""},
	} {
		e := binary(ast.Eq, &ast.Select{Map: &ast.Identifier{Name: memory.Name, Decl: memory}, Index: []ast.Expr{x.index}}, numeral(1))
		text, err := (&expresser{
			source: r.Origins, procedure: procedure, style: Logical, kind: boogie.Invariant, visible: func(*tree.Object) bool { return true },
		}).condition(e)
		require.Equal(t, x.want, text, ast.String(e))
		require.Equal(t, x.want != "", err == nil)
	}
}
