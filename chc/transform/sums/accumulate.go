package sums

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/ghost"
)

// Accumulate reports whether some clause stores in an array of integers an element of such an array with something added, or a truth
// value in an array of these, which is what makes the sum of the elements worth knowing, or a numeral where a number is changed by a
// constant, which makes it worth knowing how many there are. What is stored may be named by variables that
// the clause equates with terms, and may be a field of an element that is stored whole. An index that the clause hands on is always
// the same, as that of a contract's own balance is, and its element says what there is to say.
func Accumulate(sys *chc.System) bool {
	for _, c := range sys.Clauses {
		if !slices.ContainsFunc(c.Terms(), (*term.Term).HasStore) {
			continue
		}
		a := newAccumulation(c)
		for _, s := range a.stores {
			if !handedOn(c, s.Arg(1)) && (s.Sort().Elem.IsDatatype() || summed(s.Sort()) && (a.store(s) || a.numeral(s.Arg(2)) && a.counts(c, s.Arg(1)))) {
				return true
			}
		}
	}
	return false
}

// handedOn reports whether a term is an argument of the clause's head and of its body.
func handedOn(c *chc.Clause, t *term.Term) bool {
	return c.Head != nil && slices.Contains(c.Head.Args, t) &&
		slices.ContainsFunc(c.Body, func(a chc.App) bool { return slices.Contains(a.Args, t) })
}

// accumulation looks for what the stores of a clause add to.
type accumulation struct {
	stores []*term.Term
	// equal are the terms that the clause equates a variable with.
	equal map[*term.Term][]*term.Term
	seen  map[visit]bool
}

// visit is a term on the way, and whether something was added to it.
type visit struct {
	term  *term.Term
	added bool
}

func newAccumulation(c *chc.Clause) *accumulation {
	a := &accumulation{equal: map[*term.Term][]*term.Term{}}
	ghost.Each(c, func(t *term.Term) {
		switch {
		case t.Op() == term.Store && t.Sort().Index == term.Int:
			a.stores = append(a.stores, t)
		case t.Op() == term.Eq && t.Arg(0).Sort() == term.Int:
			a.note(t)
		}
	})
	return a
}

// store reports whether a store in an array that has a sum accumulates.
func (a *accumulation) store(s *term.Term) bool {
	a.seen = map[visit]bool{}
	return s.Sort().Elem == term.Bool || a.from(s.Arg(2), false)
}

// numeral reports whether a term is a numeral, or a variable that is equated with one.
func (a *accumulation) numeral(t *term.Term) bool {
	return t.IsNumeral() || slices.ContainsFunc(a.equal[t], (*term.Term).IsNumeral)
}

// note notes an equation between sums as one for each of its variables with coefficient 1 or -1.
func (a *accumulation) note(t *term.Term) {
	l := t.Pool().Linear(t.Pool().Sub(t.Arg(0), t.Arg(1)))
	for _, m := range l.Monomials {
		if m.Term.IsVar() && m.Coef.Abs().IsOne() {
			a.equal[m.Term] = append(a.equal[m.Term], t.Pool().FromLinear(l.Without(m.Term).Scale(m.Coef.Neg()), term.Int))
		}
	}
}

// from reports whether a term is an element of an array with something added. The elements are positive mostly, so that one is not
// subtracted from something else.
func (a *accumulation) from(t *term.Term, added bool) bool {
	if a.seen[visit{t, added}] || t.Sort() != term.Int {
		return false
	}
	a.seen[visit{t, added}] = true
	l := t.Pool().Linear(t)
	alone := len(l.Monomials) == 1 && l.Const.Sign() == 0
	for _, m := range l.Monomials {
		switch u := m.Term; {
		case u.Op() == term.Select && summed(u.Arg(0).Sort()):
			if m.Coef.IsOne() && (added || !alone) {
				return true
			}
		case u.IsVar():
			for _, v := range a.equal[u] {
				if a.from(v, added || !alone) {
					return true
				}
			}
		case u.Op() == term.Ite:
			if a.from(u.Arg(1), added || !alone) || a.from(u.Arg(2), added || !alone) {
				return true
			}
		}
	}
	return false
}
