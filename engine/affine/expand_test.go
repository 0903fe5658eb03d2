package affine

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// TestExpand: what is multiplied out has the value of what it comes from.
func TestExpand(t *testing.T) {
	multiplied := 0
	rapid.Check(t, func(t *rapid.T) {
		pool := term.NewPool()
		vars := []*term.Term{pool.Var("x", term.Int), pool.Var("y", term.Int), pool.Var("z", term.Int)}
		var draw func(depth int) *term.Term
		draw = func(depth int) *term.Term {
			if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
				if rapid.Bool().Draw(t, "number") {
					return pool.Int(int64(rapid.IntRange(-3, 3).Draw(t, "value")))
				}
				return rapid.SampledFrom(vars).Draw(t, "variable")
			}
			x, y := draw(depth-1), draw(depth-1)
			switch rapid.IntRange(0, 4).Draw(t, "operation") {
			case 0:
				return pool.Add(x, y)
			case 1:
				return pool.Ite(pool.Lt(x, y), y, x)
			case 2:
				return pool.Mod(x, pool.Int(5))
			default:
				return pool.Mul(x, y)
			}
		}
		f := pool.Le(draw(3), draw(3))
		g := newExpander(pool, 64).expand(f)
		values := term.MapAssignment{}
		for _, v := range vars {
			values[v] = term.NumValue(term.NewInt(int64(rapid.IntRange(-4, 4).Draw(t, "of variable"))), term.Int)
		}
		evaluator := term.NewEvaluator(pool, values)
		require.Equal(t, evaluator.True(f), evaluator.True(g), "%v is not %v", g, f)
		require.Equal(t, evaluator.False(f), evaluator.False(g), "%v is not %v", g, f)
		if f != g {
			multiplied++
		}
	})
	require.Positive(t, multiplied)
	pool := term.NewPool()
	x, y := pool.Var("x", term.Int), pool.Var("y", term.Int)
	square := pool.Mul(pool.Add(x, y), pool.Add(x, y))
	require.Same(t, pool.Add(pool.Mul(x, x), pool.Scale(term.NewInt(2), pool.Mul(x, y)), pool.Mul(y, y)), newExpander(pool, 64).expand(square))
}
