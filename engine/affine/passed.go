package affine

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// passing is a number of an atom's parameters that grows with a loop's turns, and how: where it is greater than 0, two numbers on whose
// equality the loop branches have passed each other.
type passing struct {
	clause *chc.Clause
	atom   chc.App
	number *term.Term
}

// orders adds, where a loop branches on whether two numbers are equal that come closer with its turns, whether they have passed each other:
// an element at an arbitrary index has been visited or has not. It adds the same for the numbers that the loop begins with, and
// what it asks of the number that moves, for the one that stays: whether the element will ever be visited. Of several elements
// that are visited in a turn it adds the one that is passed last; the others are rest.
func (f *guardFinder) orders(rules []*chc.Clause) (rest []passing) {
	var last []passing
	for _, c := range rules {
		branches := branchesOf(c)
		for _, a := range c.Body {
			if a.Pred != c.Head.Pred {
				continue
			}
			for _, t := range branches {
				p, ok := f.passing(c, a, t)
				if !ok {
					continue
				}
				i := slices.IndexFunc(last, func(q passing) bool {
					return q.atom.Pred == a.Pred && f.sys.Pool.Sub(q.number, p.number).IsNumeral()
				})
				switch {
				case i < 0:
					last = append(last, p)
				case f.sys.Pool.Sub(last[i].number, p.number).Num().Sign() > 0:
					last[i], p = p, last[i]
					fallthrough
				default:
					rest = append(rest, p)
				}
			}
		}
	}
	for _, p := range last {
		f.pass(p)
	}
	return rest
}

// passing returns what grows, of an equality on which a clause branches that leads from an atom of its body to the same predicate.
func (f *guardFinder) passing(c *chc.Clause, a chc.App, equality *term.Term) (passing, bool) {
	pool := f.sys.Pool
	if equality.Op() != term.Eq || !equality.Arg(0).Sort().IsArith() {
		return passing{}, false
	}
	over := f.over(a, equality)
	if over == nil {
		return passing{}, false
	}
	before, after := f.arguments(a), f.arguments(*c.Head)
	number := pool.Sub(over.Arg(0), over.Arg(1))
	step := pool.Sub(pool.Substitute(number, after), pool.Substitute(number, before))
	if !step.IsNumeral() || step.Num().IsZero() {
		return passing{}, false
	}
	if step.Num().Sign() < 0 {
		number = pool.Neg(number)
	}
	return passing{c, a, number}, true
}

// pass adds the guards of a number that grows.
func (f *guardFinder) pass(p passing) {
	pool := f.sys.Pool
	sort := p.number.Sort()
	passed := pool.Gt(p.number, pool.Numeral(term.Num{}, sort))
	f.add(p.atom.Pred, passed)
	f.atEntries(p.atom.Pred, passed)
	before, after := f.arguments(p.atom), f.arguments(*p.clause.Head)
	sum := pool.Linear(p.number)
	for _, m := range sum.Monomials {
		if !m.Term.IsVar() || before[m.Term] == after[m.Term] || !m.Coef.IsOne() && !m.Coef.Neg().IsOne() {
			continue
		}
		other := sum.Without(m.Term).Scale(m.Coef.Neg())
		stays := map[*term.Term]*term.Term{m.Term: pool.FromLinear(other, sort)}
		for _, t := range f.comparisons(p.clause, p.atom) {
			f.addInstance(p.atom.Pred, t, stays)
		}
	}
}

// entries adds, where clauses without a body begin with certain values at certain indices, where these are.
func (f *guardFinder) entries(rules []*chc.Clause) {
	for _, c := range rules {
		if len(c.Body) > 0 {
			continue
		}
		for _, t := range c.Terms() {
			term.Walk(t, func(u *term.Term) bool {
				if !u.IsOr() {
					return true
				}
				for _, l := range u.Args() {
					if !l.IsNot() || !isComparison(l) {
						continue
					}
					if at := f.over(*c.Head, l.Arg(0)); at != nil {
						f.addOrder(c.Head.Pred, at)
					}
				}
				return true
			})
		}
	}
}

// asked adds, where a query is about tuples with certain numbers, which these are: that there are none may be all that is to be proved.
func (f *guardFinder) asked(queries []*chc.Clause) {
	for _, c := range queries {
		for _, a := range c.Body {
			for i, x := range witness.CanonicalParams(f.sys.Pool, a.Pred) {
				if a.Args[i].IsNumeral() {
					f.add(a.Pred, f.sys.Pool.Eq(x, a.Args[i]))
				}
			}
		}
	}
}

// addOrder adds a comparison, of integers that are equal whether they are less and whether they are greater.
func (f *guardFinder) addOrder(p *chc.Predicate, t *term.Term) {
	if t.Op() != term.Eq || t.Arg(0).Sort() != term.Int {
		f.add(p, t)
		return
	}
	f.add(p, f.sys.Pool.Le(t.Arg(0), t.Arg(1)))
	f.add(p, f.sys.Pool.Lt(t.Arg(0), t.Arg(1)))
}
