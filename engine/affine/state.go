package affine

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// mostColumns bounds the terms between which equations are looked for: in systems with larger predicates, what the first
// arguments have in common.
const mostColumns = 60

// mostFactors bounds the arguments of which there are products.
const mostFactors = 8

// group is the terms of one sort between which there are equations: arguments, then products of them.
type group struct {
	sort    *term.Sort
	columns []*term.Term
	space   *space
}

// state is what is known of a predicate.
type state struct {
	pred   *chc.Predicate
	params []*term.Term
	// empty says that nothing is derivable yet.
	empty     bool
	groups    []*group
	templates []*template
	// top says that nothing is known and nothing will be.
	top bool
	// points are tuples that are derivable.
	points [][]term.Value
}

// newState returns that of a predicate of which nothing is derivable, with equations of this degree.
func newState(pool *term.Pool, p *chc.Predicate, degree int, known map[*term.Sort][]term.Num) *state {
	s := &state{pred: p, params: witness.CanonicalParams(pool, p), empty: true}
	for _, sort := range []*term.Sort{term.Int, term.Real} {
		g := &group{sort: sort}
		for _, x := range s.params {
			if x.Sort() == sort {
				g.columns = append(g.columns, x)
			}
		}
		g.columns = g.columns[:min(len(g.columns), mostColumns)]
		if len(g.columns) <= mostFactors {
			g.addProducts(pool, degree)
		}
		if len(g.columns) > 0 {
			s.groups = append(s.groups, g)
		}
	}
	s.templates = templatesFor(pool, s.params, known)
	return s
}

// addProducts adds the products of so many of the columns at most.
func (g *group) addProducts(pool *term.Pool, degree int) {
	n := len(g.columns)
	type product struct {
		term *term.Term
		last int
	}
	last := make([]product, n)
	for i, x := range g.columns {
		last[i] = product{x, i}
	}
	for range degree - 1 {
		var next []product
		for _, p := range last {
			for i := p.last; i < n; i++ {
				next = append(next, product{pool.Mul(p.term, g.columns[i]), i})
			}
		}
		for _, p := range next {
			g.columns = append(g.columns, p.term)
		}
		last = next
	}
}

// equation is one of a group's, as a term.
func (g *group) equation(pool *term.Pool, row []term.Num) *term.Term {
	sum := term.Linear{Const: row[0]}
	for i, c := range row[1:] {
		if !c.IsZero() {
			sum = sum.AddTerm(c, g.columns[i])
		}
	}
	return pool.Compare(sum, term.EQ, g.sort)
}

// fact is something that is known, with what gives it up.
type fact struct {
	formula *term.Term
	drop    func()
}

// facts are what is known, over the canonical parameters: nothing but false where nothing is derivable.
func (s *state) facts(pool *term.Pool) []fact {
	if s.empty {
		return []fact{{formula: pool.False()}}
	}
	if s.top {
		return nil
	}
	var out []fact
	for _, g := range s.groups {
		for i, row := range g.space.rows {
			out = append(out, fact{g.equation(pool, row), func() { g.space.drop(i) }})
		}
	}
	for _, t := range s.templates {
		if t.low >= 0 {
			out = append(out, fact{pool.Ge(t.sum, pool.Numeral(t.thresholds[t.low], t.sum.Sort())), func() { t.low = -1 }})
		}
		if t.high < len(t.thresholds) {
			out = append(out, fact{pool.Le(t.sum, pool.Numeral(t.thresholds[t.high], t.sum.Sort())), func() { t.high = len(t.thresholds) }})
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
	number := func(t *term.Term) term.Num {
		v, _ := evaluator.Eval(t) // the tuple has a value for each parameter
		return v.Num()
	}
	changed := s.empty
	for _, g := range s.groups {
		point := make([]term.Num, len(g.columns))
		for i, t := range g.columns {
			point[i] = number(t)
		}
		if s.empty {
			g.space = newSpace(point)
		} else if g.space.add(point) {
			changed = true
		}
	}
	for _, t := range s.templates {
		if s.empty {
			t.meet(number(t.sum))
		} else if t.add(number(t.sum)) {
			changed = true
		}
	}
	s.empty = false
	return changed
}
