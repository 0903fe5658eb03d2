package unfold

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// Two indices are the same exactly if they are equal, whatever they are sums of.
func TestSameIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		variables := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)}
		values := term.MapAssignment{}
		for _, v := range variables {
			values[v] = term.NumValue(term.NewInt(int64(rapid.IntRange(-3, 8).Draw(t, v.Name()))), term.Int)
		}
		index := func(name string) *term.Term {
			sum := []*term.Term{p.Int(int64(rapid.IntRange(-40, 40).Draw(t, name)))}
			for _, v := range variables {
				sum = append(sum, p.Scale(term.NewInt(int64(rapid.SampledFrom([]int{0, 0, 1, 1, 2, 4, 12, -1, -4}).Draw(t, name))), v))
			}
			return p.Add(sum...)
		}
		a, b := index("a"), index("b")
		e := term.NewEvaluator(p, values)
		require.Equal(t, e.True(p.Eq(a, b)), e.True(sameIndex(p, a, b)))
		require.Equal(t, e.False(p.Eq(a, b)), e.False(sameIndex(p, a, b)))
	})
}

// The element at a row and a column of a matrix is told by these.
func TestSameIndexOfAMatrix(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", term.Int), p.Var("y", term.Int)
	same := sameIndex(p, p.Int(75), p.Add(p.Scale(term.NewInt(30), x), y))
	require.Equal(t, term.Ite, same.Op())
	require.Equal(t, p.And(p.Eq(x, p.Int(2)), p.Eq(y, p.Int(15))), same.Arg(1))
}
