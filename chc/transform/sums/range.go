package sums

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/ghost"
)

// lastIndex is the largest number that a clause bounds an index of some arrays by, and where none is bounded, the largest number in
// the clauses. It is at least 0.
func lastIndex(sys *chc.System, of func(clause int, array *term.Term) bool) term.Num {
	last, largest := term.NewInt(0), term.NewInt(0)
	bounded := false
	for n, c := range sys.Clauses {
		indices := map[*term.Term]bool{}
		ghost.Each(c, func(t *term.Term) {
			switch {
			case (t.Op() == term.Select || t.Op() == term.Store) && summed(t.Arg(0).Sort()) && of(n, t.Arg(0)):
				indices[t.Arg(1)] = true
			case t.IsNumeral() && t.Sort() == term.Int && t.Num().Cmp(largest) > 0:
				largest = t.Num()
			}
		})
		ghost.Each(c, func(t *term.Term) {
			con, ok := sys.Pool.AsConstraint(t)
			if !ok || con.Rel == term.EQ || len(con.Monomials) != 1 || !indices[con.Monomials[0].Term] || !con.Monomials[0].Coef.IsOne() {
				return
			}
			bounded = true
			if bound := con.Const.Neg(); bound.Cmp(last) > 0 {
				last = bound
			}
		})
	}
	if !bounded {
		return largest
	}
	return last
}
