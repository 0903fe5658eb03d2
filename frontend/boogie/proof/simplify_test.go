package proof

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

func TestTidy(t *testing.T) {
	p := term.NewPool()
	x, y, a, b := p.Var("x", term.Int), p.Var("y", term.Int), p.Var("a", term.Bool), p.Var("b", term.Bool)
	r := p.Var("r", term.Real)
	for _, c := range []struct{ from, to *term.Term }{
		{p.And(p.Le(x, y), p.Ge(x, y), a), p.And(p.Eq(x, y), a)},
		{p.Or(p.Lt(x, y), p.Gt(x, y), a), p.Or(p.Ne(x, y), a)},
		{p.Or(p.Lt(x, y), p.Ge(x, p.Add(y, p.Int(2)))), p.Or(p.Lt(x, y), p.Ge(x, p.Add(y, p.Int(2))))},
		{p.Or(p.And(a, b), p.And(p.Not(a), p.Not(b))), p.Eq(a, b)},
		{p.Or(p.And(a, b), p.Not(p.Or(a, b))), p.Eq(a, b)},
		{p.And(p.Or(a, b), p.Or(p.Not(a), p.Not(b))), p.Eq(a, p.Not(b))},
		{p.Or(p.And(p.Lt(x, y), a), p.And(p.Gt(x, y), a), b), p.Or(p.And(p.Lt(x, y), a), p.And(p.Gt(x, y), a), b)},
		{p.And(p.Le(r, p.Real(term.NewInt(1))), p.Ge(r, p.Real(term.NewInt(1)))), p.Eq(r, p.Real(term.NewInt(1)))},
	} {
		require.Equal(t, c.to.String(), simplify(p, c.from).String(), c.from.String())
	}
}

// A simplified formula has the same value everywhere.
func TestTidyKeepsTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		x, y := p.Var("x", term.Int), p.Var("y", term.Int)
		atoms := []*term.Term{p.Var("a", term.Bool), p.Var("b", term.Bool)}
		for k := range int64(3) {
			atoms = append(atoms, p.Le(x, p.Int(k)), p.Ge(x, p.Int(k)), p.Le(p.Sub(x, y), p.Int(k)))
		}
		var formula func(depth int) *term.Term
		formula = func(depth int) *term.Term {
			if depth == 0 {
				f := rapid.SampledFrom(atoms).Draw(t, "atom")
				if rapid.Bool().Draw(t, "negated") {
					return p.Not(f)
				}
				return f
			}
			var parts []*term.Term
			for range rapid.IntRange(2, 3).Draw(t, "parts") {
				parts = append(parts, formula(depth-1))
			}
			if rapid.Bool().Draw(t, "or") {
				return p.Or(parts...)
			}
			return p.And(parts...)
		}
		f := formula(rapid.IntRange(1, 3).Draw(t, "depth"))
		g := simplify(p, f)
		for i := range int64(5) {
			for j := range int64(5) {
				for k := range 4 {
					e := term.NewEvaluator(p, term.MapAssignment{
						x: term.NumValue(term.NewInt(i-1), term.Int), y: term.NumValue(term.NewInt(j-1), term.Int),
						atoms[0]: term.BoolValue(k&1 == 0), atoms[1]: term.BoolValue(k&2 == 0),
					})
					require.Equal(t, e.True(f), e.True(g), "%s\n%s", f, g)
				}
			}
		}
	})
}
