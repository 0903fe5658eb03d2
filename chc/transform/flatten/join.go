package flatten

import (
	"slices"

	"hornbeam/chc/term"
)

// arrayPart is the side of an equation between array components: a term that is made of the component number index of the
// array at.
type arrayPart struct {
	term *term.Term
	// at is the array, of a flattened sort, whose component it is, or from which it comes by stores; its path stops before
	// the array's elements.
	at    view
	sort  *term.Sort
	index int
}

// junction rewrites a conjunction, or a disjunction of negated equations: equations of all components of an array become
// one equation of arrays, which is shorter than one quantified formula for each component and needs no quantifier.
func (j *joiner) junction(t *term.Term) *term.Term {
	type group struct {
		sides [2]arrayPart
		// equations holds for each component the place of its equation among t's arguments and whether its sides are
		// swapped.
		equations []int
		swapped   []bool
	}
	var groups []*group
	for i, a := range t.Args() {
		eq := a
		if t.IsOr() {
			if !a.IsNot() {
				continue
			}
			eq = a.Arg(0)
		}
		if eq.Op() != term.Eq || !j.open(eq.Arg(0)) && !j.open(eq.Arg(1)) {
			continue
		}
		x, ok := j.part(eq.Arg(0))
		y, other := j.part(eq.Arg(1))
		swapped := false
		if !ok {
			x, y, ok, other = y, x, other, ok
			swapped = true
		}
		if !ok || other && (x.index != y.index || x.sort != y.sort) {
			continue
		}
		var g *group
		for _, h := range groups {
			same := func(p, q arrayPart) bool { return p.at.same(q.at) }
			straight := same(h.sides[0], x) && same(h.sides[1], y)
			crossed := same(h.sides[0], y) && same(h.sides[1], x)
			if (straight || crossed) && h.equations[x.index] < 0 {
				g = h
				swapped = swapped != !straight
				break
			}
		}
		if g == nil {
			n := len(j.layouts.layout(x.sort).components)
			g = &group{sides: [2]arrayPart{x, y}, equations: slices.Repeat([]int{-1}, n), swapped: make([]bool, n)}
			groups = append(groups, g)
		}
		g.equations[x.index], g.swapped[x.index] = i, swapped
	}
	done := make([]bool, len(t.Args()))
	var out []*term.Term
	for _, g := range groups {
		if slices.Contains(g.equations, -1) {
			continue
		}
		var sides [2][]*term.Term
		for k, i := range g.equations {
			eq, _ := t.Arg(i).Atom()
			a, b := eq.Arg(0), eq.Arg(1)
			if g.swapped[k] {
				a, b = b, a
			}
			sides[0], sides[1] = append(sides[0], a), append(sides[1], b)
		}
		a, ok := j.join(g.sides[0].sort, sides[0])
		if !ok {
			continue
		}
		b, ok := j.join(g.sides[0].sort, sides[1])
		if !ok {
			continue
		}
		eq := j.pool.Eq(a, b)
		if t.IsOr() {
			eq = j.pool.Not(eq)
		}
		out = append(out, eq)
		for _, i := range g.equations {
			done[i] = true
		}
	}
	for i, a := range t.Args() {
		if !done[i] {
			out = append(out, j.rewrite(a))
		}
	}
	return j.pool.Rebuild(t, out)
}

// same reports whether two views are of the same place.
func (v view) same(w view) bool {
	return v.base == w.base && slices.Equal(v.path, w.path)
}

// part finds of which array the term is a component, looking below stores and choices.
func (j *joiner) part(t *term.Term) (arrayPart, bool) {
	at := t
	for at.Op() == term.Store || at.IsIte() {
		if at.IsIte() {
			at = at.Arg(1)
		} else {
			at = at.Arg(0)
		}
	}
	depth := 0
	for ; at.Op() == term.Select; at = at.Arg(0) {
		depth++
	}
	v, ok := j.views[at]
	if !ok {
		return arrayPart{}, false
	}
	// The path up to the array whose elements are not reached, and that array's sort.
	s := v.base.Sort()
	for i, sel := range v.path {
		switch {
		case sel != nil:
			s = sel.Sort
		case depth > 0:
			depth--
			s = s.Elem
		default:
			for k, c := range j.layouts.layout(s).components {
				if slices.Equal(c.path, v.path[i:]) {
					return arrayPart{term: t, at: view{base: v.base, path: v.path[:i], dimensions: v.dimensions}, sort: s, index: k}, true
				}
			}
			return arrayPart{}, false
		}
	}
	return arrayPart{}, false
}

// join returns the term of sort s that has the components, terms over components; false when there is none.
func (j *joiner) join(s *term.Sort, parts []*term.Term) (*term.Term, bool) {
	l := j.layouts.layout(s)
	switch {
	case l == nil:
		if j.open(parts[0]) {
			return nil, false
		}
		return j.rewrite(parts[0]), true
	case s.IsDatatype():
		c := s.Data.Constructors[0]
		args := make([]*term.Term, len(c.Selectors))
		for i, sel := range c.Selectors {
			a, ok := j.join(sel.Sort, parts[l.starts[i]:][:j.layouts.width(sel.Sort)])
			if !ok {
				return nil, false
			}
			args[i] = a
		}
		return construct(j.pool, c, args), true
	case len(parts) == 0:
		return nil, false
	}
	if i := slices.IndexFunc(parts, func(p *term.Term) bool { return p.Op() == term.Store }); i >= 0 {
		return j.joinStores(s, parts, parts[i].Arg(1))
	}
	if !slices.ContainsFunc(parts, func(p *term.Term) bool { return p.Op() != term.ConstArray }) {
		elems := make([]*term.Term, len(parts))
		for i, p := range parts {
			elems[i] = p.Arg(0)
		}
		elem, ok := j.join(s.Elem, elems)
		if !ok {
			return nil, false
		}
		return j.pool.ConstArray(s, elem), true
	}
	return j.joinReads(s, parts)
}

// joinStores joins components some of which have a store at the index; the others are stored there what they have there.
func (j *joiner) joinStores(s *term.Sort, parts []*term.Term, index *term.Term) (*term.Term, bool) {
	arrays, elems := make([]*term.Term, len(parts)), make([]*term.Term, len(parts))
	for i, p := range parts {
		if p.Op() == term.Store && p.Arg(1) == index {
			arrays[i], elems[i] = p.Arg(0), p.Arg(2)
		} else {
			arrays[i], elems[i] = p, j.pool.Select(p, index)
		}
	}
	array, ok := j.join(s, arrays)
	if !ok {
		return nil, false
	}
	elem, ok := j.join(s.Elem, elems)
	if !ok {
		return nil, false
	}
	return j.pool.Store(array, j.rewrite(index), elem), true
}

// joinReads joins the components, in order, of one array that is an argument or an element of one.
func (j *joiner) joinReads(s *term.Sort, parts []*term.Term) (*term.Term, bool) {
	var first arrayPart
	var indices []*term.Term
	for i, p := range parts {
		var at []*term.Term
		for t := p; t.Op() == term.Select; t = t.Arg(0) {
			at = append(at, t.Arg(1))
		}
		q, ok := j.part(p)
		if i == 0 {
			first, indices = q, at
		}
		if !ok || p.Op() == term.Store || p.IsIte() || q.sort != s || q.index != i || !q.at.same(first.at) || !slices.Equal(at, indices) {
			return nil, false
		}
	}
	slices.Reverse(indices)
	for i, t := range indices {
		indices[i] = j.rewrite(t)
	}
	return first.at.at(j.pool, indices), true
}
