package spacer

import (
	"slices"

	"hornbeam/chc/term"
)

// gap is two bounds of a cube, one parameter's from above and another's from below, that leave numbers between them out: x is at most
// a, y is at least b, and a+1 < b. Or the other way round, with above set. It is x whose bound is moved.
type gap struct {
	x, y  *term.Term
	above bool
}

// withoutGap returns an obligation in whose place that for a blocked cube is looked at: the cube with a gap closed, x at most b-1. That
// a step takes a number across b says more of what it does than how far it takes it: a half-space between the cube and what is
// reached says that, and a summary of steps one after the other needs another one at each level. The obligation is one more, whatever
// comes of it; its parent asks again. It returns nil where there is no gap, or it was not met spacer.gaps-after times, or not again a
// power of two times as often.
func (pr *prover) withoutGap(o *obligation, core []*term.Term, level int) *obligation {
	if pr.options.gapsAfter <= 0 || level >= infinity || o.parent == nil || o.whole {
		return nil
	}
	var bounds []bound
	var places []int // where they are in the core
	for i, t := range core {
		if b, ok := pr.asBound(t); ok {
			bounds, places = append(bounds, b), append(places, i)
		}
	}
	for i, moved := range bounds {
		for _, other := range bounds {
			if other.x == moved.x || other.above == moved.above {
				continue
			}
			closed := pr.closeGap(moved, other)
			if closed == nil {
				continue
			}
			g := gap{moved.x, other.x, moved.above}
			o.pred.gaps[g]++
			if !due(o.pred.gaps[g], pr.options.gapsAfter) {
				continue
			}
			pr.count("gaps", 1)
			cube := slices.Clone(core)
			cube[places[i]] = closed
			out := pr.obligationFor(o.pred, cube, o.level, o.parent)
			out.whole = true
			return out
		}
	}
	return nil
}

// bound is a bound of an integer parameter: at most at, or with above set at least.
type bound struct {
	x     *term.Term
	at    term.Num
	above bool
}

// asBound reads a bound.
func (pr *prover) asBound(t *term.Term) (bound, bool) {
	c, ok := pr.pool.AsConstraint(t)
	if !ok || c.Rel != term.LE || c.Sort != term.Int || len(c.Linear.Monomials) != 1 {
		return bound{}, false
	}
	m := c.Linear.Monomials[0]
	switch {
	case !m.Term.IsVar():
		return bound{}, false
	case m.Coef.IsOne():
		return bound{m.Term, c.Linear.Const.Neg(), false}, true
	case m.Coef.Neg().IsOne():
		return bound{m.Term, c.Linear.Const, true}, true
	}
	return bound{}, false
}

// closeGap returns the first bound moved as near to the second one as that the two have no number in common, or nil if it is that near.
func (pr *prover) closeGap(b, other bound) *term.Term {
	one := term.NewInt(1)
	if b.above {
		to := other.at.Add(one)
		if to.Cmp(b.at) >= 0 {
			return nil
		}
		return pr.pool.Ge(b.x, pr.pool.IntNum(to))
	}
	to := other.at.Sub(one)
	if to.Cmp(b.at) <= 0 {
		return nil
	}
	return pr.pool.Le(b.x, pr.pool.IntNum(to))
}
