package inline

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
)

// sumRange is the range of a sum of variables, false where nothing is known of one.
func (pr *program) sumRange(l term.Linear) (term.Interval, bool) {
	s := l.Range(func(t *term.Term) term.Interval { return pr.ranges[t] })
	return s, s.Bounded()
}

// apart reports whether two integers differ wherever they are in their ranges.
func (pr *program) apart(a, b *term.Term) bool {
	if a.Sort() != term.Int {
		return false
	}
	s, ok := pr.sumRange(pr.pool.Linear(a).Sub(pr.pool.Linear(b)))
	return ok && (s.Low.Sign() > 0 || s.High.Sign() < 0)
}

// narrow simplifies a formula for the ranges that are known of variables: comparisons that they decide, and stores that a
// select looks through. An equation is never true for that alone, since the ranges may come from it.
func (pr *program) narrow(f *term.Term) *term.Term {
	if len(pr.ranges) == 0 {
		return f
	}
	return pr.narrowed(f, map[*term.Term]*term.Term{})
}

func (pr *program) narrowed(t *term.Term, done map[*term.Term]*term.Term) *term.Term {
	if out := done[t]; out != nil {
		return out
	}
	out := pr.narrowOnce(t, done)
	done[t] = out
	return out
}

func (pr *program) narrowOnce(t *term.Term, done map[*term.Term]*term.Term) *term.Term {
	p := pr.pool
	if len(t.Args()) == 0 || t.IsQuantifier() || t.Sort().IsArray() {
		// Arrays may be long, and what is read from them is simplified where it is read.
		return t
	}
	if t.Op() == term.Select {
		i := pr.narrowed(t.Arg(1), done)
		a := t.Arg(0)
		for a.Op() == term.Store && a.Arg(1) != i && pr.apart(a.Arg(1), i) {
			a = a.Arg(0)
		}
		if a == t.Arg(0) && i == t.Arg(1) {
			return t
		}
		if out := p.Select(a, i); out != t {
			return pr.narrowed(out, done)
		}
		return t
	}
	out := p.MapArgs(t, func(a *term.Term) *term.Term { return pr.narrowed(a, done) })
	switch {
	case out.Op() == term.Le && out.Arg(0).Sort() == term.Int:
		switch s, ok := pr.sumRange(p.Linear(out.Arg(0)).Sub(p.Linear(out.Arg(1)))); {
		case ok && s.High.Sign() <= 0:
			return p.True()
		case ok && s.Low.Sign() > 0:
			return p.False()
		}
	case out.Op() == term.Eq && pr.apart(out.Arg(0), out.Arg(1)):
		return p.False()
	}
	return out
}

// findRanges notes the ranges of the instance's own integers that its formulas compute from others of known ranges: a rule's locals,
// and variables of calls where all rules that can be used and make the call say something. It adds them to those of their
// rules, and reports whether there are any.
func (pr *program) findRanges(p *predicate, in *instance, own map[*term.Term]*term.Term, ranged [][]*term.Term) bool {
	implied := make([]map[*term.Term]term.Interval, len(p.Rules))
	for i, f := range in.formulas {
		implied[i] = pr.impliedRanges(f)
	}
	found := false
	for i, r := range p.Rules {
		for _, v := range r.Locals {
			if s, ok := implied[i][own[v]]; ok {
				pr.ranges[own[v]], found = s, true
				ranged[i] = append(ranged[i], own[v])
			}
		}
	}
	for k, a := range p.Slots {
		for _, v := range a.Args {
			x := own[v]
			if x == nil || !x.IsVar() {
				continue
			}
			var makers []int
			var all term.Interval
			for i, r := range p.Rules {
				if in.formulas[i].IsFalse() || !slices.Contains(r.Slots, k) {
					continue
				}
				s, ok := implied[i][x]
				if !ok {
					makers = nil
					break
				}
				if makers == nil {
					all = s
				}
				makers, all = append(makers, i), all.Hull(s)
			}
			if makers != nil {
				pr.ranges[x], found = all, true
			}
			for _, i := range makers {
				ranged[i] = append(ranged[i], x)
			}
		}
	}
	return found
}

// impliedRanges has the ranges of variables without one that a formula computes from others, in all disjuncts of a disjunction.
func (pr *program) impliedRanges(f *term.Term) map[*term.Term]term.Interval {
	out := map[*term.Term]term.Interval{}
	for _, c := range term.Conjuncts(f) {
		switch {
		case c.Op() == term.Eq && c.Arg(0).Sort() == term.Int:
			if x, s, ok := pr.computed(c); ok {
				out[x] = s
			}
		case c.IsOr():
			common := pr.impliedRanges(c.Arg(0))
			for _, d := range c.Args()[1:] {
				if len(common) == 0 {
					break
				}
				others := pr.impliedRanges(d)
				maps.DeleteFunc(common, func(x *term.Term, _ term.Interval) bool { _, ok := others[x]; return !ok })
				for x, s := range common {
					common[x] = s.Hull(others[x])
				}
			}
			maps.Copy(out, common)
		}
	}
	return out
}

// computed reads an equation as what computes the one variable in it whose range is not known.
func (pr *program) computed(e *term.Term) (*term.Term, term.Interval, bool) {
	l := pr.pool.Linear(e.Arg(0)).Sub(pr.pool.Linear(e.Arg(1)))
	var x *term.Term
	for _, m := range l.Monomials {
		if _, ok := pr.ranges[m.Term]; ok {
			continue
		}
		if x != nil || !m.Term.IsVar() || !m.Coef.Abs().IsOne() {
			return nil, term.Interval{}, false
		}
		x = m.Term
	}
	if x == nil {
		return nil, term.Interval{}, false
	}
	// x is the rest, or its negation.
	rest := l.Without(x)
	if l.Coef(x).Sign() > 0 {
		rest = rest.Scale(term.NewInt(-1))
	}
	s, ok := pr.sumRange(rest)
	return x, s, ok
}

// bound adds the ranges that were found in the formulas of an instance to these, since a solver would have to find them by case
// splits.
func (pr *program) bound(in *instance, ranged [][]*term.Term) {
	for i, xs := range ranged {
		parts := []*term.Term{in.formulas[i]}
		for _, x := range xs {
			s := pr.ranges[x]
			parts = append(parts, pr.pool.Ge(x, pr.pool.Numeral(*s.Low, term.Int)), pr.pool.Le(x, pr.pool.Numeral(*s.High, term.Int)))
		}
		in.formulas[i] = pr.pool.And(parts...)
	}
}
