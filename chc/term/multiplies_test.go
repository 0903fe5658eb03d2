package term_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

func TestMultiplies(t *testing.T) {
	p := term.NewPool()
	x, y, r := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("r", term.Real)
	for _, c := range []struct {
		t    *term.Term
		want bool
	}{
		{p.Le(p.Mul(x, y), x), true},
		{p.Eq(p.IntDiv(x, y), x), true},
		{p.Eq(p.Mod(p.Int(7), y), x), true},
		{p.Lt(p.Div(r, p.ToReal(x)), r), true},
		{p.Le(p.Add(p.Scale(term.NewInt(3), x), y), p.IntDiv(x, p.Int(4))), false},
		{p.Lt(p.Div(r, p.Real(term.NewInt(2))), r), false},
	} {
		require.Equal(t, c.want, term.Multiplies(c.t), "%s", c.t)
	}
}
