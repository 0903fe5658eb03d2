package masks

import "hornbeam/chc/term"

// relation is how a comparison relates its left side to its right side.
type relation int

const (
	equal relation = iota
	atMost
	below
)

// comparison is an atom that compares two Int terms, neither of which is a sum.
type comparison struct {
	relation    relation
	left, right *term.Term
}

// comparisonOf reads an atom; the second result is false for one that is no comparison, or of sums.
func comparisonOf(p *term.Pool, atom *term.Term) (comparison, bool) {
	l, ok := p.AsConstraint(atom)
	if !ok || l.Sort != term.Int || len(l.Monomials) > 2 {
		return comparison{}, false
	}
	c := comparison{relation: atMost}
	if l.Rel == term.EQ {
		c.relation = equal
	}
	for _, m := range l.Monomials {
		side := &c.left
		if m.Coef.Sign() < 0 {
			side = &c.right
		}
		if *side != nil || !m.Coef.Abs().IsOne() {
			return comparison{}, false
		}
		*side = m.Term
	}
	switch {
	case c.right == nil:
		c.right = p.IntNum(l.Const.Neg())
	case c.left == nil:
		c.left = p.IntNum(l.Const)
	case l.Const.IsZero():
	case l.Const.IsOne() && c.relation == atMost:
		c.relation = below
	default:
		return comparison{}, false
	}
	return c, true
}

// variable returns the variable that is compared with a number; nil for another comparison.
func (c comparison) variable() *term.Term {
	switch {
	case c.left.IsVar() && c.right.IsNumeral():
		return c.left
	case c.right.IsVar() && c.left.IsNumeral():
		return c.right
	}
	return nil
}

// holdsFrom reports whether a comparison with a number is true of all numbers from 0 to high.
func (c comparison) holdsFrom(high term.Num) bool {
	switch {
	case c.relation != atMost:
		return false
	case c.left.IsNumeral():
		return c.left.Num().Sign() <= 0
	}
	return high.Cmp(c.right.Num()) <= 0
}
