package affine

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// fewGuards is how many guards a predicate has at the most of which all sets are told of one by one.
const fewGuards = 4

// state is what is known of a predicate: something else of the tuples of each cell, which are told apart by which of the
// guards hold.
type state struct {
	pred   *chc.Predicate
	params []*term.Term
	guards []*term.Term
	// cells are those of which a tuple is derivable. Most sets of guards contradict each other.
	cells []*cell
	// lost are other cells of which tuples may be derivable, anywhere says that tuples of all may, and top that nothing is known and
	// nothing will be.
	lost          map[uint]bool
	anywhere, top bool
	// degree is that of the equations, and width is that of congruences, which are instead of them where it is not 0. known is what they may
	// speak of, and sums, if not nil, what is known of sums, by the same guards.
	degree, width int
	known         known
	sums          *state
	// factors tells of which arguments there are products; nil is of all.
	factors []bool
	// points are tuples that are derivable.
	points [][]term.Value
}

// known is what is found in a system's clauses before: the thresholds, and whether remainders matter.
type known struct {
	thresholds map[*term.Sort][]term.Num
	divided    bool
	options    *options
}

// newState returns that of a predicate of which nothing is derivable.
func newState(pool *term.Pool, p *chc.Predicate, of scope, known known, sums *state) *state {
	return &state{pred: p, params: witness.CanonicalParams(pool, p), guards: of.guards[p.ID], degree: of.degree, width: of.width, known: known, sums: sums, lost: map[uint]bool{}}
}

// factor reports whether there are equations over products of an argument.
func (s *state) factor(x *term.Term) bool {
	return s.factors == nil || s.factors[slices.Index(s.params, x)]
}

// cell returns that of the tuples for which guard i holds where bit i of the index is set, nil where none is derivable yet.
func (s *state) cell(index uint) *cell {
	if i := slices.IndexFunc(s.cells, func(c *cell) bool { return c.index == index }); i >= 0 {
		return s.cells[i]
	}
	return nil
}

// begin adds the cell of a tuple, of which nothing was derivable.
func (s *state) begin(pool *term.Pool, index uint, tuple *term.Evaluator) {
	var sums *cell
	if s.sums != nil && !s.sums.top {
		sums = s.sums.cell(index)
	}
	c := newCell(pool, s, sums, tuple)
	c.index, c.condition = index, s.condition(pool, index)
	s.cells = append(s.cells, c)
}

// empty says that nothing is derivable yet.
func (s *state) empty() bool { return !s.top && len(s.cells) == 0 }

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
	out := s.outside(pool)
	for _, c := range s.cells {
		for _, f := range c.facts(pool) {
			f.formula = pool.Implies(c.condition, f.formula)
			out = append(out, f)
		}
	}
	return out
}

// outside says that no tuple of another cell is derivable: of each of the cells where these are few, so that one that is not proved leaves the
// others, else of all at once.
func (s *state) outside(pool *term.Pool) []fact {
	if s.anywhere || len(s.cells) == 1<<len(s.guards) {
		return nil
	}
	var out []fact
	if len(s.guards) <= fewGuards {
		for index := range uint(1 << len(s.guards)) {
			if s.cell(index) == nil && !s.lost[index] {
				out = append(out, fact{pool.Not(s.condition(pool, index)), func() { s.lost[index] = true }})
			}
		}
		return out
	}
	var conditions []*term.Term
	for _, c := range s.cells {
		conditions = append(conditions, c.condition)
	}
	return []fact{{pool.Or(conditions...), func() { s.anywhere = true }}}
}

// condition says that guard i holds where bit i of the index is set.
func (s *state) condition(pool *term.Pool, index uint) *term.Term {
	out := pool.True()
	for k, g := range s.guards {
		if index>>k&1 == 0 {
			g = pool.Not(g)
		}
		out = pool.And(out, g)
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
	index := uint(0)
	for k, g := range s.guards {
		if evaluator.True(g) {
			index |= 1 << k
		}
	}
	if c := s.cell(index); c != nil {
		return c.add(evaluator)
	}
	if s.anywhere || s.lost[index] {
		return false
	}
	s.begin(pool, index, evaluator)
	return true
}

// cell is what is known of the tuples of a predicate for which the condition holds.
type cell struct {
	index     uint
	condition *term.Term
	groups    []*group
	templates []*template
	// congruences are instead of both.
	congruences []*congruences
}

// newCell returns all that holds of one tuple of s.
func newCell(pool *term.Pool, s *state, sums *cell, tuple *term.Evaluator) *cell {
	c := &cell{}
	params, factor := s.params, s.factor
	if s.width > 0 {
		if sums != nil {
			params, _ = sums.independent(params, s.factor)
		}
		c.congruences = allCongruences(params, s.width, s.known.options.columns, tuple)
		return c
	}
	if sums == nil {
		c.templates = templatesFor(pool, params, s.known)
	} else {
		var givers map[*term.Term]bool
		params, givers = sums.independent(params, s.factor)
		factor = func(x *term.Term) bool { return s.factor(x) || givers[x] }
	}
	for _, t := range c.templates {
		t.meet(number(tuple, t.sum))
	}
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		if g := newGroup(pool, sort, params, s.degree, factor, s.known.options); len(g.columns) > 0 {
			g.space = newSpace(g.point(tuple))
			c.groups = append(c.groups, g)
		}
	}
	return c
}

// number is the value of a term in a tuple, which has one for each parameter.
func number(tuple *term.Evaluator, t *term.Term) term.Num {
	v, _ := tuple.Eval(t)
	return v.Num()
}

// facts are what is known, but for the condition.
func (c *cell) facts(pool *term.Pool) []fact {
	var out []fact
	for _, g := range c.groups {
		for i, row := range g.space.rows {
			out = append(out, fact{g.equation(pool, row), func() { g.space.drop(i) }})
		}
	}
	for _, t := range c.templates {
		out = append(out, t.facts(pool)...)
	}
	for _, g := range c.congruences {
		out = append(out, g.facts(pool)...)
	}
	return out
}

// add weakens what is known so that it allows a tuple. It reports whether it did not.
func (c *cell) add(tuple *term.Evaluator) bool {
	changed := false
	for _, g := range c.groups {
		changed = g.space.add(g.point(tuple)) || changed
	}
	for _, t := range c.templates {
		changed = t.add(number(tuple, t.sum)) || changed
	}
	for _, g := range c.congruences {
		changed = g.add(tuple) || changed
	}
	return changed
}

// independent returns the parameters that no equation gives from others, and which of them factors are given from.
func (c *cell) independent(params []*term.Term, factor func(*term.Term) bool) (out []*term.Term, givers map[*term.Term]bool) {
	given := map[*term.Term]bool{}
	givers = map[*term.Term]bool{}
	for _, g := range c.groups {
		for _, row := range g.space.rows {
			last := len(row) - 1
			for last > 0 && row[last].IsZero() {
				last--
			}
			if last == 0 {
				continue
			}
			x := g.columns[last-1]
			given[x] = true
			for i := 1; i < last && factor(x); i++ {
				if !row[i].IsZero() {
					givers[g.columns[i-1]] = true
				}
			}
		}
	}
	for _, x := range params {
		if !given[x] {
			out = append(out, x)
		}
	}
	return out, givers
}
