package proof

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/frontend/boogie/ast"
)

// What could overflow, or divides what may be negative, is not said.
func TestConditions(t *testing.T) {
	n := func(x int64) ast.Expr { return &ast.IntLiteral{Value: big.NewInt(x)} }
	of := func(op ast.BinaryOp, a, b ast.Expr) ast.Expr { return &ast.Binary{Op: op, X: a, Y: b} }
	for _, c := range []struct {
		want string
		e    ast.Expr
	}{
		{"(7 % 2) == 1", of(ast.Eq, of(ast.Mod, n(7), n(2)), n(1))},
		{"((-7) & 1) == 1", of(ast.Eq, of(ast.Mod, n(-7), n(2)), n(1))},
		{"(((-7) - ((-7) & 1)) / 2) == (-4)", of(ast.Eq, of(ast.Div, n(-7), n(2)), n(-4))},
		{"(((-7) % 3 + 3) % 3) == 2", of(ast.Eq, of(ast.Mod, n(-7), n(3)), n(2))},
		{"(((-7) - (((-7) % 3 + 3) % 3)) / 3) == (-3)", of(ast.Eq, of(ast.Div, n(-7), n(3)), n(-3))},
		{"", of(ast.Eq, of(ast.Div, n(7), n(0)), n(1))},
		{"(2147483647LL + 1LL) > 0LL", of(ast.Greater, of(ast.Add, n(2147483647), n(1)), n(0))},
		{"", of(ast.Greater, of(ast.Add, n(1<<62), n(1<<62)), n(0))},
		{"", of(ast.Greater, of(ast.Sub, of(ast.Mul, n(1<<62), n(4)), n(1<<62)), n(0))},
		{"!(1 < 2) || (3 != 4)", of(ast.Implies, of(ast.Less, n(1), n(2)), of(ast.Neq, n(3), n(4)))},
	} {
		text, err := (&expresser{}).condition(c.e)
		require.Equal(t, c.want, text)
		require.Equal(t, c.want != "", err == nil)
	}
}
