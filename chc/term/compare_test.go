package term

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A formula that is solved for a variable is true with the term in the variable's place.
func TestSolve(t *testing.T) {
	p := NewPool()
	x, y, b := p.Var("x", Int), p.Var("y", Int), p.Var("b", Bool)
	a := p.Var("a", p.Array(Int, Int))
	only := func(v *Term) func(*Term) bool { return func(u *Term) bool { return u == v } }
	for _, f := range []*Term{
		p.Eq(x, p.Add(y, p.Int(1))), p.Eq(p.Add(x, y), p.Int(3)), p.Eq(p.Scale(NewInt(2), x), p.Sub(y, p.Int(5))), b, p.Not(b),
		p.Eq(a, p.Store(p.Var("c", a.Sort()), x, y)),
	} {
		v, value := p.Solve(f, nil)
		require.NotNil(t, v, f)
		require.True(t, p.Substitute(f, map[*Term]*Term{v: value}).IsTrue(), f)
	}
	v, _ := p.Solve(p.Eq(x, p.Add(y, p.Int(1))), only(y))
	require.Equal(t, y, v)
	for _, f := range []*Term{
		p.Eq(p.Scale(NewInt(2), x), p.Add(p.Scale(NewInt(3), y), p.Int(1))), p.Le(x, y), p.Eq(a, p.Store(a, x, y)), p.Or(b, p.Le(x, y)),
	} {
		v, _ := p.Solve(f, nil)
		require.Nil(t, v, f)
	}
}
