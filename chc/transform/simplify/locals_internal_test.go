package simplify

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// drawLiterals draws linear literals over x, y and z with small coefficients, strict, weak, equal and unequal; x is in
// most of them.
func drawLiterals(t *rapid.T, p *term.Pool, sort *term.Sort) []*term.Term {
	vars := []*term.Term{p.Var("x", sort), p.Var("y", sort), p.Var("z", sort)}
	zero := p.Numeral(term.NewInt(0), sort)
	coef := func(n int64) term.Num { return term.NewInt(rapid.Int64Range(-n, n).Draw(t, "coefficient")) }
	var lits []*term.Term
	for range rapid.IntRange(1, 4).Draw(t, "literals") {
		sum := p.Add(p.Numeral(coef(3), sort), p.Scale(coef(3), vars[0]), p.Scale(coef(1), vars[1]), p.Scale(coef(1), vars[2]))
		lits = append(lits, rapid.SampledFrom([]*term.Term{
			p.Le(sum, zero), p.Le(sum, zero), p.Lt(sum, zero), p.Lt(sum, zero), p.Ge(sum, zero), p.Gt(sum, zero),
			p.Ne(sum, zero), p.Eq(sum, zero),
		}).Draw(t, "literal"))
	}
	return lits
}

// candidates are values for x among which there is one that satisfies lits, given the others' values, if there is any:
// where a literal turns, between two such places, and beyond them.
func candidates(p *term.Pool, lits []*term.Term, x *term.Term, vals term.MapAssignment) []term.Num {
	var turns []term.Num
	for _, lit := range lits {
		atom, _ := lit.Atom()
		if !arithmetic(atom) {
			continue
		}
		l := p.Linear(p.Sub(atom.Arg(0), atom.Arg(1)))
		if c := l.Coef(x); !c.IsZero() {
			rest, _ := term.NewEvaluator(p, vals).Eval(p.FromLinear(l.Without(x), x.Sort()))
			turns = append(turns, rest.Num().Neg().Div(c))
		}
	}
	slices.SortFunc(turns, term.Num.Cmp)
	out := []term.Num{{}}
	for i, n := range turns {
		for d := range int64(7) {
			step := n.Add(term.NewInt(d - 3))
			out = append(out, step, step.Floor())
		}
		if i > 0 {
			out = append(out, n.Add(turns[i-1]).Div(term.NewInt(2)))
		}
	}
	return out
}

// Eliminating a numeric variable leaves exactly the values of the others for which it has one, and its definition is
// one such value.
func TestEliminateLocalsProjects(t *testing.T) {
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		eliminated := 0
		rapid.Check(t, func(t *rapid.T) {
			for range 20 {
				if eliminateAndCompare(t, sort) {
					eliminated++
				}
			}
		})
		require.Positive(t, eliminated)
	}
}

// eliminateAndCompare draws literals, eliminates x and compares; it reports false when there was nothing to eliminate.
func eliminateAndCompare(t *rapid.T, sort *term.Sort) bool {
	p := term.NewPool()
	x := p.Var("x", sort)
	lits := drawLiterals(t, p, sort)
	f := p.And(lits...)
	d := &Draft{pool: p, Constraint: f, scope: map[*term.Term]bool{x: true}}
	if !d.eliminateLocals() {
		return false
	}
	g := d.Constraint
	require.False(t, term.Contains(g, x), "%s", g)
	vals := drawValues(t, f, g)
	delete(vals, x)
	exists := false
	for _, n := range candidates(p, term.Conjuncts(f), x, vals) {
		if sort == term.Int && !n.IsInt() {
			continue
		}
		with := maps.Clone(vals)
		with[x] = term.NumValue(n, sort)
		exists = exists || term.NewEvaluator(p, with).True(f)
	}
	holds := term.NewEvaluator(p, vals).True(g)
	require.Equal(t, exists, holds, "%s\n%s\n%v", f, g, vals)
	if holds && len(d.Define) == 1 {
		val, ok := term.NewEvaluator(p, vals).Eval(d.Define[0].Value)
		require.True(t, ok)
		vals[x] = val
		require.True(t, term.NewEvaluator(p, vals).True(f), "%s with x = %s", f, d.Define[0].Value)
	}
	return true
}
