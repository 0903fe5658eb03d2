package folds

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/ghost"
)

// addend is what an element e at an index k adds to a sum: e + slope * k where test, a formula over elementVar, holds or is nil, and 0
// elsewhere; with count it is 1 where test holds.
type addend struct {
	slope term.Num
	test  *term.Term
	count bool
}

// elementVar is the variable of an addend's test.
func elementVar(p *term.Pool) *term.Term { return p.Var("folds.element", term.Int) }

// of is what an element at an index adds.
func (a addend) of(element, index *term.Term) *term.Term {
	p := element.Pool()
	out := p.Add(element, p.Scale(a.slope, index))
	if a.count {
		out = p.Int(1)
	}
	if a.test == nil {
		return out
	}
	return p.Ite(p.Substitute(a.test, map[*term.Term]*term.Term{elementVar(p): element}), out, p.Int(0))
}

func (a addend) equal(b addend) bool {
	return a.slope.Equal(b.slope) && a.test == b.test && a.count == b.count
}

// addition says that a clause adds up elements of an array.
type addition struct {
	array  *term.Term
	addend addend
}

// additions returns what the clause of a loop adds up: the elements of arrays at indices that it moves by a constant. The loop may have
// other clauses.
func additions(c *chc.Clause, others bool) []addition {
	if c.Head == nil {
		return nil
	}
	var out []addition
	add := func(a addition) {
		for _, b := range out {
			if a.array == b.array && a.addend.equal(b.addend) {
				return
			}
		}
		out = append(out, a)
	}
	indices := movedIndices(c)
	p := c.Constraint.Pool()
	sum := func(l term.Linear, numbers int) {
		for _, m := range l.Monomials {
			i, ok := elementAt(m.Term, indices)
			if !ok || !accumulates(c, l, i) || len(l.Without(i).Monomials) <= numbers {
				continue
			}
			if slope := l.Coef(i).Div(m.Coef); slope.IsInt() {
				add(addition{m.Term.Arg(0), addend{slope: slope}})
			}
		}
	}
	ghost.Each(c, func(t *term.Term) {
		if t.Op() == term.Eq && t.Arg(0).Sort() == term.Int {
			// The number after the round, the one before it, and the element.
			sum(p.Linear(p.Sub(t.Arg(0), t.Arg(1))), 2)
		}
	})
	for _, t := range c.Head.Args {
		if t.Sort() == term.Int {
			sum(p.Linear(t), 1)
		}
	}
	sums := slices.Clone(out)
	counting := counts(c, others, indices)
	for _, t := range tests(c, indices) {
		if counting {
			add(addition{t.array, addend{test: t.addend.test, count: true}})
		}
		for _, s := range sums {
			if s.array == t.array {
				add(addition{t.array, addend{slope: s.addend.slope, test: t.addend.test}})
			}
		}
	}
	return out
}

// tests returns the atoms of the clause about nothing but an element at one of the indices, as formulas over elementVar, with the
// arrays. Of an atom and its negation the first one is returned.
func tests(c *chc.Clause, indices map[*term.Term]term.Num) []addition {
	p := c.Constraint.Pool()
	var out []addition
	ghost.Each(c, func(t *term.Term) {
		if t.Sort() != term.Bool || len(t.Args()) == 0 || t.Arg(0).Sort() != term.Int {
			return
		}
		var element *term.Term
		term.Walk(t, func(u *term.Term) bool {
			if _, ok := elementAt(u, indices); ok && element == nil {
				element = u
			}
			return element == nil
		})
		if element == nil {
			return
		}
		e := elementVar(p)
		test := p.Substitute(t, map[*term.Term]*term.Term{element: e})
		if vars := term.Vars(test); len(vars) != 1 || vars[0] != e {
			return
		}
		for _, a := range out {
			if a.array == element.Arg(0) && (a.addend.test == test || a.addend.test == p.Not(test)) {
				return
			}
		}
		out = append(out, addition{element.Arg(0), addend{test: test}})
	})
	return out
}

// counts reports whether the clause adds a constant to an integer of its body that is not one of the indices, in some cases only or
// beside other clauses of the same loop: what is added in each round says nothing about elements.
func counts(c *chc.Clause, others bool, indices map[*term.Term]term.Num) bool {
	found := false
	inCases := map[*term.Term]bool{}
	ghost.Each(c, func(t *term.Term) {
		if t.Op() == term.Ite || t.Op() == term.Or {
			for _, a := range t.Args() {
				term.Walk(a, func(u *term.Term) bool {
					known := inCases[u]
					inCases[u] = true
					return !known && !u.IsQuantifier()
				})
			}
		}
	})
	ghost.Each(c, func(t *term.Term) {
		if !others && !inCases[t] {
			return
		}
		if found || t.Op() != term.Add {
			return
		}
		l := t.Pool().Linear(t)
		if len(l.Monomials) != 1 || !l.Monomials[0].Coef.IsOne() {
			return
		}
		x := l.Monomials[0].Term
		found = slices.ContainsFunc(c.Body, func(a chc.App) bool { return slices.Contains(a.Args, x) }) && !isIndex(c, x, indices)
	})
	return found
}

// isIndex reports whether one of the indices is read or written at.
func isIndex(c *chc.Clause, x *term.Term, indices map[*term.Term]term.Num) bool {
	if _, ok := indices[x]; !ok {
		return false
	}
	found := false
	ghost.Each(c, func(t *term.Term) {
		found = found || (t.Op() == term.Select || t.Op() == term.Store) && term.Contains(t.Arg(1), x)
	})
	return found
}

// movedIndices are the integer variables that the clause takes from its body and hands on with a constant added, with the constant.
func movedIndices(c *chc.Clause) map[*term.Term]term.Num {
	p := c.Constraint.Pool()
	moved := map[*term.Term]term.Num{}
	if c.Head == nil {
		return moved
	}
	for _, b := range c.Body {
		for _, x := range b.Args {
			if x.Sort() != term.Int || !x.IsVar() {
				continue
			}
			for _, t := range c.Head.Args {
				if t.Sort() != term.Int || t == x {
					continue
				}
				if d := p.Linear(p.Sub(t, x)); d.IsConst() {
					moved[x] = d.Const
				}
			}
		}
	}
	return moved
}

// elementAt returns the variable i of a term that reads an array of integers at i with a constant added, where i is one of the
// indices.
func elementAt(t *term.Term, indices map[*term.Term]term.Num) (*term.Term, bool) {
	if t.Op() != term.Select || !folded(t.Arg(0).Sort()) {
		return nil, false
	}
	l := t.Pool().Linear(t.Arg(1))
	if len(l.Monomials) != 1 || !l.Monomials[0].Coef.IsOne() {
		return nil, false
	}
	if _, ok := indices[l.Monomials[0].Term]; !ok {
		return nil, false
	}
	return l.Monomials[0].Term, true
}

// accumulates reports whether a sum has an integer of the clause's body that is not the index.
func accumulates(c *chc.Clause, l term.Linear, index *term.Term) bool {
	for _, b := range c.Body {
		for _, x := range b.Args {
			if x.IsVar() && x.Sort() == term.Int && x != index && l.Coef(x).Abs().IsOne() {
				return true
			}
		}
	}
	return false
}

// folded reports whether arrays of the sort have sums.
func folded(s *term.Sort) bool { return s.IsArray() && s.Index == term.Int && s.Elem == term.Int }
