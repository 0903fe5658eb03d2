package flatten

import (
	"cmp"
	"encoding/binary"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// interpretation returns p's interpretation, given that of its successor.
func (f *flattener) interpretation(p *chc.Predicate, in witness.Interpretation) (witness.Interpretation, error) {
	if f.predicate(p) == p {
		return in, nil
	}
	params := make([]*term.Term, p.Arity())
	j := &joiner{
		pool: f.pool, layouts: f.layouts, views: map[*term.Term]view{}, cells: map[*term.Term]*term.Term{},
		done: map[*term.Term]*term.Term{}, readings: map[reading]*term.Term{},
	}
	rest := in.Params
	for i, s := range p.Sorts {
		l := f.layout(s)
		if l == nil {
			params[i] = rest[0]
			rest = rest[1:]
			continue
		}
		params[i] = f.pool.Fresh("a", s)
		for _, c := range l.components {
			v := view{base: params[i], path: c.path, dimensions: c.dimensions()}
			j.views[rest[0]] = v
			if v.dimensions == 0 {
				j.done[rest[0]] = v.at(f.pool, nil)
			}
			rest = rest[1:]
		}
	}
	return witness.Interpretation{Params: params, Body: j.formula(in.Body)}, nil
}

// view is the term of which a parameter of the flattened predicate is a component.
type view struct {
	base *term.Term
	path []*term.Selector
	// dimensions is the number of indices that it takes to get from base to the component's elements.
	dimensions int
}

// at returns the component's element at the indices, one for each dimension.
func (v view) at(pool *term.Pool, indices []*term.Term) *term.Term {
	t := v.base
	for _, sel := range v.path {
		if sel == nil {
			t = pool.Select(t, indices[0])
			indices = indices[1:]
		} else {
			t = pool.Field(sel, t)
		}
	}
	return t
}

// joiner rewrites a formula over components into one over the values that the components are of. A component inside an
// array, such as the array of all first fields, is no term over the array; but each of its elements is, so that most
// formulas need no more than that. Equations of all components of an array become an equation of arrays (junction), one of
// some components becomes "at every index, ...", and where a component stands as an argument of anything else it is
// described by a quantified variable.
type joiner struct {
	pool    *term.Pool
	layouts *layouts
	views   map[*term.Term]view
	// done maps terms over components to what they became.
	done map[*term.Term]*term.Term
	// readings keeps the results of read.
	readings map[reading]*term.Term
	// cells are the variables that stand for components, by the component.
	cells map[*term.Term]*term.Term
}

// formula rewrites a formula; array components that had to be described by variables are bound around it.
func (j *joiner) formula(f *term.Term) *term.Term {
	body := j.rewrite(f)
	if len(j.cells) == 0 {
		return body
	}
	var names []*term.Term
	for c := range j.cells {
		names = append(names, c)
	}
	slices.SortFunc(names, func(a, b *term.Term) int { return cmp.Compare(a.ID(), b.ID()) })
	vars := make([]*term.Term, len(names))
	parts := []*term.Term{body}
	for i, c := range names {
		vars[i] = j.cells[c]
		v := j.views[c]
		indices := j.indices(c.Sort(), v.dimensions)
		parts = append(parts, j.pool.Not(j.pool.Forall(indices, j.pool.Eq(selectAll(j.pool, vars[i], indices), v.at(j.pool, indices)))))
	}
	return j.pool.Forall(vars, j.pool.Or(parts...))
}

// indices returns n fresh indices into an array of sort s.
func (j *joiner) indices(s *term.Sort, n int) []*term.Term {
	out := make([]*term.Term, n)
	for i := range out {
		out[i] = j.pool.Fresh("k", s.Index)
		s = s.Elem
	}
	return out
}

func selectAll(pool *term.Pool, t *term.Term, indices []*term.Term) *term.Term {
	for _, i := range indices {
		t = pool.Select(t, i)
	}
	return t
}

// rewrite rewrites a term in which array components are read at enough indices, or introduces variables for them.
func (j *joiner) rewrite(t *term.Term) *term.Term {
	if out, ok := j.done[t]; ok {
		return out
	}
	out := j.step(t)
	j.done[t] = out
	return out
}

func (j *joiner) step(t *term.Term) *term.Term {
	switch t.Op() {
	case term.Var:
		if _, component := j.views[t]; component {
			x := j.pool.Fresh(t.Name(), t.Sort())
			j.cells[t] = x
			return x
		}
		return t
	case term.Select:
		if out, ok := j.read(t, nil); ok {
			return out
		}
	case term.And, term.Or:
		return j.junction(t)
	case term.Eq:
		if t.Arg(0).Sort().IsArray() {
			return j.equation(t.Arg(0), t.Arg(1))
		}
	}
	if len(t.Args()) == 0 {
		return t
	}
	return j.pool.MapArgs(t, j.rewrite)
}

// equation rewrites the equation of two arrays, reading them at so many indices that both sides are terms.
func (j *joiner) equation(a, b *term.Term) *term.Term {
	s := a.Sort()
	var indices []*term.Term
	for {
		if x, ok := j.read(a, indices); ok {
			if y, ok := j.read(b, indices); ok {
				return j.pool.Forall(indices, j.pool.Eq(x, y))
			}
		}
		if !s.IsArray() {
			return j.pool.Eq(j.rewrite(a), j.rewrite(b))
		}
		indices = append(indices, j.pool.Fresh("k", s.Index))
		s = s.Elem
	}
}

// read rewrites the element of t, an array unless there are no indices, at the indices; false when a component is left
// whose elements are not reached.
func (j *joiner) read(t *term.Term, indices []*term.Term) (*term.Term, bool) {
	key := reading{of: t}
	var at []byte
	for _, i := range indices {
		at = binary.BigEndian.AppendUint32(at, i.ID())
	}
	key.at = string(at)
	out, known := j.readings[key]
	if !known {
		out, _ = j.readStep(t, indices)
		j.readings[key] = out
	}
	return out, out != nil
}

// reading is a term with the IDs of the indices at which it is read.
type reading struct {
	of *term.Term
	at string
}

// readStep is read without memory; a nil term where read has none.
func (j *joiner) readStep(t *term.Term, indices []*term.Term) (*term.Term, bool) {
	switch t.Op() {
	case term.Var:
		v, component := j.views[t]
		if !component {
			return selectAll(j.pool, t, indices), true
		}
		if len(indices) < v.dimensions {
			return nil, false
		}
		return selectAll(j.pool, v.at(j.pool, indices[:v.dimensions]), indices[v.dimensions:]), true
	case term.Select:
		return j.read(t.Arg(0), append([]*term.Term{j.rewrite(t.Arg(1))}, indices...))
	case term.Store:
		if len(indices) == 0 {
			break
		}
		old, ok := j.read(t.Arg(0), indices)
		if !ok {
			return nil, false
		}
		elem, ok := j.read(t.Arg(2), indices[1:])
		if !ok {
			return nil, false
		}
		return j.pool.Ite(j.pool.Eq(j.rewrite(t.Arg(1)), indices[0]), elem, old), true
	case term.ConstArray:
		if len(indices) == 0 {
			break
		}
		return j.read(t.Arg(0), indices[1:])
	case term.Ite:
		a, ok := j.read(t.Arg(1), indices)
		if !ok {
			return nil, false
		}
		b, ok := j.read(t.Arg(2), indices)
		if !ok {
			return nil, false
		}
		return j.pool.Ite(j.rewrite(t.Arg(0)), a, b), true
	}
	if t.Sort().IsArray() && slices.ContainsFunc(t.Args(), j.open) {
		return nil, false
	}
	return selectAll(j.pool, j.rewrite(t), indices), true
}

// open reports whether the array t is made of components that are no terms.
func (j *joiner) open(t *term.Term) bool {
	if !t.Sort().IsArray() {
		return false
	}
	_, ok := j.read(t, nil)
	return !ok
}
