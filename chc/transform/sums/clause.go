package sums

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// draft is a clause that is being told of the sums of its arrays.
type draft struct {
	*addition
	pool *term.Pool
	// sums are those of array terms; order has the arrays without a sum that follows from others, and the stores, in the order of
	// their discovery.
	sums  map[*term.Term]*term.Term
	order []*term.Term
	// same joins the array terms that share indices, and indices are theirs.
	same    transform.Partition[*term.Term]
	indices map[*term.Term][]*term.Term
	// wanted are the classes whose sums are arguments.
	wanted map[*term.Term]bool
}

func (t *addition) draft() *draft {
	return &draft{addition: t, pool: t.old.Pool, sums: map[*term.Term]*term.Term{},
		indices: map[*term.Term][]*term.Term{}, wanted: map[*term.Term]bool{}}
}

// prepare finds the classes of the clause's arrays.
func (d *draft) prepare(c *chc.Clause) {
	d.findIndices(c)
	for _, a := range c.Atoms() {
		for _, i := range d.arrays[a.Pred.ID] {
			d.wanted[d.same.Find(a.Args[i])] = true
		}
	}
}

// sum returns the sum of an array.
func (d *draft) sum(a *term.Term) *term.Term {
	if s := d.sums[a]; s != nil {
		return s
	}
	p := d.pool
	var s *term.Term
	switch {
	case a.Op() == term.Store:
		base, i, v := a.Arg(0), a.Arg(1), a.Arg(2)
		changed := p.Sub(weight(v), weight(p.Select(base, i)))
		s = p.Add(d.sum(base), p.Ite(within(i, d.end), changed, p.Int(0)))
		d.order = append(d.order, a)
	case a.Op() == term.ConstArray && isConstant(a.Arg(0)):
		s = p.Mul(weight(a.Arg(0)), d.end)
	case a.Op() == term.Ite:
		s = p.Ite(a.Arg(0), d.sum(a.Arg(1)), d.sum(a.Arg(2)))
	default:
		s = p.Fresh("sum", term.Int)
		d.order = append(d.order, a)
	}
	d.sums[a] = s
	return s
}

// isConstant reports whether an element is a number or a truth value.
func isConstant(t *term.Term) bool { return t.IsNumeral() || t.IsTrue() || t.IsFalse() }

// weight is what an element adds to a sum: itself where it is positive, 0 where it is not, and 1 for true.
func weight(t *term.Term) *term.Term {
	p := t.Pool()
	if t.IsBool() {
		return p.Ite(t, p.Int(1), p.Int(0))
	}
	return p.Ite(p.Ge(t, p.Int(0)), t, p.Int(0))
}

// within says that an index is one of those whose elements are summed.
func within(i, end *term.Term) *term.Term {
	p := i.Pool()
	return p.And(p.Ge(i, p.Int(0)), p.Lt(i, end))
}

// equalities returns the formula with the equality of two arrays' sums beside that of the arrays, where f is true only if they are
// equal.
func (d *draft) equalities(f *term.Term) *term.Term {
	p := d.pool
	switch {
	case f.Op() == term.Eq && d.wanted[d.same.Find(f.Arg(0))]:
		return p.And(f, p.Eq(d.sum(f.Arg(0)), d.sum(f.Arg(1))))
	case f.IsAnd() || f.IsOr():
		return p.MapArgs(f, d.equalities)
	case f.Op() == term.Ite && f.IsBool():
		return p.Ite(f.Arg(0), d.equalities(f.Arg(1)), d.equalities(f.Arg(2)))
	}
	return f
}

// facts are what the sums of the clause's arrays have to do with the elements that the clause reads and writes.
func (d *draft) facts() []*term.Term {
	p := d.pool
	var out []*term.Term
	for n := 0; n < len(d.order); n++ {
		a := d.order[n]
		sum := d.sum(a)
		out = append(out, p.Ge(sum, p.Int(0)))
		if a.Sort().Elem == term.Bool {
			out = append(out, p.Le(sum, d.end))
		}
		indices := d.indices[d.same.Find(a)]
		indices = indices[:min(len(indices), maxIndices)]
		pairs := 0
		for k, i := range indices {
			element := weight(p.Select(a, i))
			out = append(out, p.Or(p.Not(within(i, d.end)), p.Le(element, sum)))
			if a.Sort().Elem == term.Bool {
				// The others may all be true.
				out = append(out, p.Or(p.Not(within(i, d.end)), p.Le(sum, p.Add(element, p.Sub(d.end, p.Int(1))))))
			}
			for _, j := range indices[:k] {
				if pairs++; pairs > maxPairs || a.Op() == term.Store {
					break
				}
				both := p.Add(element, weight(p.Select(a, j)))
				out = append(out, p.Or(p.Not(within(i, d.end)), p.Not(within(j, d.end)), p.Eq(i, j), p.Le(both, sum)))
			}
		}
	}
	return out
}

// findIndices finds the indices at which the clause reads and writes arrays.
func (d *draft) findIndices(c *chc.Clause) {
	joinArrays(c, d.same.Join)
	each(c, func(t *term.Term) {
		if (t.Op() == term.Select || t.Op() == term.Store) && summed(t.Arg(0).Sort()) {
			if r := d.same.Find(t.Arg(0)); !slices.Contains(d.indices[r], t.Arg(1)) {
				d.indices[r] = append(d.indices[r], t.Arg(1))
			}
		}
	})
}
