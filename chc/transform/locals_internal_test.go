package transform

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// drawLiterals draws linear literals over x, y and z with small coefficients, strict, weak, equal and unequal.
func drawLiterals(t *rapid.T, p *term.Pool, sort *term.Sort) []*term.Term {
	vars := []*term.Term{p.Var("x", sort), p.Var("y", sort), p.Var("z", sort)}
	var lits []*term.Term
	for range rapid.IntRange(1, 4).Draw(t, "literals") {
		sum := p.Numeral(term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "constant")), sort)
		for _, v := range vars {
			sum = p.Add(sum, p.Scale(term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "coefficient")), v))
		}
		zero := p.Numeral(term.NewInt(0), sort)
		lits = append(lits, rapid.SampledFrom([]*term.Term{
			p.Le(sum, zero), p.Lt(sum, zero), p.Ge(sum, zero), p.Gt(sum, zero), p.Ne(sum, zero), p.Eq(sum, zero),
		}).Draw(t, "literal"))
	}
	return lits
}

// Eliminating a numeric variable leaves exactly the values of the others for which it has one, and its definition is
// one such value.
func TestEliminateLocalsProjects(t *testing.T) {
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		eliminated := 0
		rapid.Check(t, func(t *rapid.T) {
			p := term.NewPool()
			x := p.Var("x", sort)
			f := p.And(drawLiterals(t, p, sort)...)
			d := &draft{pool: p, constraint: f, scope: map[*term.Term]bool{x: true}}
			if !d.eliminateLocals() {
				return
			}
			eliminated++
			g := d.constraint
			require.False(t, term.Contains(g, x), "%s", g)

			vals := drawValues(t, f, g)
			delete(vals, x)
			fixed := []*term.Term{f}
			for v, val := range vals {
				fixed = append(fixed, p.Eq(v, val.Term(p)))
			}
			holds := term.NewEvaluator(p, vals).True(g)
			require.Equal(t, satisfiable(t, p, p.And(fixed...)), holds, "%s\n%s", f, g)
			if holds && len(d.define) == 1 {
				val, ok := term.NewEvaluator(p, vals).Eval(d.define[0].value)
				require.True(t, ok)
				vals[x] = val
				require.True(t, term.NewEvaluator(p, vals).True(f), "%s with x = %s", f, d.define[0].value)
			}
		})
		require.Positive(t, eliminated)
	}
}
