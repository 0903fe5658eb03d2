package unfold

import (
	"slices"

	"hornbeam/chc/term"
)

// readThrough returns a formula that is equivalent to f and does not read stores and choices between arrays: a read of a store is a
// choice between what is stored and a read of the array below, and a read of a choice is a choice between reads. What is left to be
// read are variables and results of functions. It reports false when that makes more than limit terms.
//
// A read at an index that is one of a few constants is a choice between the elements there, each of which is read once for all: a buffer
// becomes as many numbers as it has elements, and no index is compared with another one.
func readThrough(p *term.Pool, f *term.Term, limit int) (*term.Term, bool) {
	var out *term.Term
	for _, elements := range []bool{true, false} {
		r := reader{pool: p, done: map[*term.Term]*term.Term{}, reads: map[[2]*term.Term]*term.Term{}, left: limit}
		if elements {
			r.values = &valueSets{pool: p, done: map[*term.Term][]*term.Term{}}
		}
		if out = r.rewrite(f); r.left > 0 {
			return out, true
		}
	}
	return out, false
}

// reader reads through stores; left is how many terms more it may make.
type reader struct {
	pool  *term.Pool
	done  map[*term.Term]*term.Term
	reads map[[2]*term.Term]*term.Term
	left  int
	// values are those that indices may have; nil where they do not count.
	values *valueSets
}

func (r *reader) rewrite(t *term.Term) *term.Term {
	if len(t.Args()) == 0 || t.HasQuantifier() || r.left <= 0 {
		return t
	}
	if u, ok := r.done[t]; ok {
		return u
	}
	r.left--
	u := r.pool.MapArgs(t, r.rewrite)
	if u.Op() == term.Select {
		u = r.read(u.Arg(0), u.Arg(1))
	}
	r.done[t] = u
	return u
}

// read returns the element of an array at an index.
func (r *reader) read(a, i *term.Term) *term.Term {
	key := [2]*term.Term{a, i}
	if t, ok := r.reads[key]; ok {
		return t
	}
	r.left--
	t := r.pool.Select(a, i)
	if t.Op() == term.Select && r.left > 0 {
		a, i := t.Arg(0), t.Arg(1)
		switch at := r.valuesOf(i); {
		case len(at) > 1:
			t = r.element(a, i, at)
		case len(at) == 1 && a.Op() == term.Store && r.elsewhere(a.Arg(1), i):
			t = r.read(a.Arg(0), i)
		case a.Op() == term.Store:
			t = r.pool.Ite(sameIndex(r.pool, a.Arg(1), i), a.Arg(2), r.read(a.Arg(0), i))
		case a.Op() == term.Ite:
			t = r.pool.Ite(a.Arg(0), r.read(a.Arg(1), i), r.read(a.Arg(2), i))
		case a.Op() == term.ConstArray:
			t = a.Arg(0)
		}
		if t.Op() == term.Select {
			t = r.nested(t)
		}
	}
	r.reads[key] = t
	return t
}

// nested reads through an array that was read from another.
func (r *reader) nested(t *term.Term) *term.Term {
	if a := r.rewrite(t.Arg(0)); a != t.Arg(0) {
		return r.read(a, t.Arg(1))
	}
	return t
}

// valuesOf are the values that an index may have, or nil.
func (r *reader) valuesOf(i *term.Term) []*term.Term {
	if r.values == nil {
		return nil
	}
	return r.values.of(i)
}

// elsewhere reports whether an index never is a number.
func (r *reader) elsewhere(i, number *term.Term) bool {
	values := r.valuesOf(i)
	return values != nil && !slices.Contains(values, number)
}

// element returns the element of an array at an index that has one of several values.
func (r *reader) element(a, i *term.Term, values []*term.Term) *term.Term {
	out := r.read(a, values[len(values)-1])
	for _, value := range slices.Backward(values[:len(values)-1]) {
		out = r.pool.Ite(r.pool.Eq(i, value), r.read(a, value), out)
	}
	return out
}
