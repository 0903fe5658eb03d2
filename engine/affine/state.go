package affine

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// state is what is known of a predicate: something else of the tuples of each cell, which are told apart by which of the
// guards hold.
type state struct {
	pred   *chc.Predicate
	params []*term.Term
	guards []*term.Term
	// cells has the one of the tuples for which guard i holds where bit i of its index is set.
	cells []*cell
	// top says that nothing is known and nothing will be.
	top bool
	// points are tuples that are derivable.
	points [][]term.Value
}

// known is what is found in a system's clauses before: the thresholds, and whether remainders matter.
type known struct {
	thresholds map[*term.Sort][]term.Num
	divided    bool
	options    *options
}

// newState returns that of a predicate of which nothing is derivable, with equations of this degree.
func newState(pool *term.Pool, p *chc.Predicate, degree int, known known, guards []*term.Term) *state {
	s := &state{pred: p, params: witness.CanonicalParams(pool, p), guards: guards}
	for i := range 1 << len(guards) {
		condition := pool.True()
		for k, g := range guards {
			if i>>k&1 == 0 {
				g = pool.Not(g)
			}
			condition = pool.And(condition, g)
		}
		s.cells = append(s.cells, newCell(pool, condition, s.params, degree, known))
	}
	return s
}

// empty says that nothing is derivable yet.
func (s *state) empty() bool {
	if s.top {
		return false
	}
	for _, c := range s.cells {
		if !c.empty {
			return false
		}
	}
	return true
}

// fact is something that is known, with what gives it up.
type fact struct {
	formula *term.Term
	drop    func()
}

// facts are what is known, over the canonical parameters: nothing but false where nothing is derivable.
func (s *state) facts(pool *term.Pool) []fact {
	if s.top {
		return nil
	}
	if s.empty() {
		return []fact{{pool.False(), func() { s.top = true }}}
	}
	var out []fact
	for _, c := range s.cells {
		for _, f := range c.facts(pool) {
			f.formula = pool.Implies(c.condition, f.formula)
			out = append(out, f)
		}
	}
	return out
}

// formulas are the facts without what gives them up.
func (s *state) formulas(pool *term.Pool) []*term.Term {
	var out []*term.Term
	for _, f := range s.facts(pool) {
		out = append(out, f.formula)
	}
	return out
}

// add weakens what is known so that it allows a tuple. It reports whether it did not.
func (s *state) add(pool *term.Pool, tuple []term.Value) bool {
	values := term.MapAssignment{}
	for i, x := range s.params {
		values[x] = tuple[i]
	}
	evaluator := term.NewEvaluator(pool, values)
	index := 0
	for k, g := range s.guards {
		if evaluator.True(g) {
			index |= 1 << k
		}
	}
	return s.cells[index].add(evaluator)
}

// cell is what is known of the tuples of a predicate for which the condition holds.
type cell struct {
	condition *term.Term
	// empty says that none is derivable yet, top that nothing will be known of those that are.
	empty, top bool
	groups     []*group
	templates  []*template
}

func newCell(pool *term.Pool, condition *term.Term, params []*term.Term, degree int, known known) *cell {
	c := &cell{condition: condition, empty: true, templates: templatesFor(pool, params, known)}
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		if g := newGroup(pool, sort, params, degree, known.options); len(g.columns) > 0 {
			c.groups = append(c.groups, g)
		}
	}
	return c
}

// facts are what is known, but for the condition.
func (c *cell) facts(pool *term.Pool) []fact {
	if c.top {
		return nil
	}
	if c.empty {
		return []fact{{pool.False(), func() { c.top = true }}}
	}
	var out []fact
	for _, g := range c.groups {
		for i, row := range g.space.rows {
			out = append(out, fact{g.equation(pool, row), func() { g.space.drop(i) }})
		}
	}
	for _, t := range c.templates {
		out = append(out, t.facts(pool)...)
	}
	return out
}

// add weakens what is known so that it allows a tuple. It reports whether it did not.
func (c *cell) add(tuple *term.Evaluator) bool {
	if c.top {
		return false
	}
	number := func(t *term.Term) term.Num {
		v, _ := tuple.Eval(t) // the tuple has a value for each parameter
		return v.Num()
	}
	changed := c.empty
	for _, g := range c.groups {
		point := make([]term.Num, len(g.columns))
		for i, t := range g.columns {
			point[i] = number(t)
		}
		if c.empty {
			g.space = newSpace(point)
		} else if g.space.add(point) {
			changed = true
		}
	}
	for _, t := range c.templates {
		if c.empty {
			t.meet(number(t.sum))
		} else if t.add(number(t.sum)) {
			changed = true
		}
	}
	c.empty = false
	return changed
}
