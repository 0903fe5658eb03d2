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
// becomes as many numbers as it has elements, and no index is compared with another one. Where the index may be something else as well,
// the array is read once more for that, through those stores only that are not at one of the constants.
func readThrough(p *term.Pool, f *term.Term, limit int) (*term.Term, bool) {
	var out *term.Term
	for _, elements := range []bool{true, false} {
		r := newReader(p, limit)
		if elements {
			r.values = newValueSets(p)
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
	// others are reads at indices that have none of their constants.
	others map[[2]*term.Term]*term.Term
	left   int
	// values are those that indices may have; nil where they do not count.
	values *valueSets
	// arbitrary makes others variables.
	arbitrary bool
}

func newReader(p *term.Pool, limit int) *reader {
	return &reader{
		pool: p, done: map[*term.Term]*term.Term{}, reads: map[[2]*term.Term]*term.Term{}, others: map[[2]*term.Term]*term.Term{}, left: limit,
	}
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
	switch u.Op() {
	case term.Select:
		u = r.read(u.Arg(0), u.Arg(1))
	case term.Eq:
		if r.values != nil {
			u = r.values.equal(u.Arg(0), u.Arg(1), u)
		}
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
		at := r.valuesOf(i)
		switch constants := len(at.values); {
		case constants > 1 || constants == 1 && at.open:
			t = r.element(a, i, at)
		case constants == 1 && a.Op() == term.Store && r.elsewhere(a.Arg(1), i):
			t = r.read(a.Arg(0), i)
		default:
			t = r.descend(t, r.read)
		}
	}
	r.reads[key] = t
	return t
}

// other returns the element of an array at an index whose value is none of the constants of its set.
func (r *reader) other(a, i *term.Term) *term.Term {
	key := [2]*term.Term{a, i}
	if t, ok := r.others[key]; ok {
		return t
	}
	r.left--
	t := r.pool.Select(a, i)
	if r.arbitrary {
		t = r.pool.Fresh("unknown", t.Sort())
	} else if t.Op() == term.Select && r.left > 0 {
		if a := t.Arg(0); a.Op() == term.Store && slices.Contains(r.valuesOf(i).values, a.Arg(1)) {
			t = r.other(a.Arg(0), i)
		} else {
			t = r.descend(t, r.other)
		}
	}
	r.others[key] = t
	return t
}

// descend returns what is read, by a store or choice, or an array read from another one; below reads the arrays that it is made of.
func (r *reader) descend(t *term.Term, below func(a, i *term.Term) *term.Term) *term.Term {
	switch a, i := t.Arg(0), t.Arg(1); a.Op() {
	case term.Store:
		return r.pool.Ite(r.sameIndex(a.Arg(1), i), a.Arg(2), below(a.Arg(0), i))
	case term.Ite:
		return r.pool.Ite(a.Arg(0), below(a.Arg(1), i), below(a.Arg(2), i))
	case term.ConstArray:
		return a.Arg(0)
	default:
		// An array that was read from another one may have become a store or a choice.
		if b := r.rewrite(a); b != a {
			return below(b, i)
		}
		return t
	}
}

// sameIndex says that two indices are equal.
func (r *reader) sameIndex(a, b *term.Term) *term.Term {
	equation := sameIndex(r.pool, a, b)
	if r.values == nil {
		return equation
	}
	return r.values.equal(a, b, equation)
}

// valuesOf are the values that an index may have.
func (r *reader) valuesOf(i *term.Term) valueSet {
	if r.values == nil {
		return anything
	}
	return r.values.of(i)
}

// elsewhere reports whether an index never is a number.
func (r *reader) elsewhere(i, number *term.Term) bool {
	at := r.valuesOf(i)
	return !at.open && !slices.Contains(at.values, number)
}

// element returns the element of an array at an index that has one of several values, or something else where they are open.
func (r *reader) element(a, i *term.Term, at valueSet) *term.Term {
	values := at.values
	var out *term.Term
	if at.open {
		out = r.other(a, i)
	} else {
		out, values = r.read(a, values[len(values)-1]), values[:len(values)-1]
	}
	for _, value := range slices.Backward(values) {
		out = r.pool.Ite(r.values.equals(i, value), r.read(a, value), out)
	}
	return out
}
