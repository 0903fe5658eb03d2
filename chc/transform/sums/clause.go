package sums

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/ghost"
)

// draft is a clause that is being told of the sums of its arrays.
type draft struct {
	*addition
	pool *term.Pool
	// sums are those of array terms; order has those that do not follow from others, and those of stores, in the order of their
	// discovery.
	sums  map[summand]*term.Term
	order []summand
	// same joins the array terms that share indices, and indices are theirs.
	same    transform.Partition[*term.Term]
	indices map[*term.Term][]*term.Term
	// wanted has the weights of the classes whose sums are arguments.
	wanted map[*term.Term][]weight
}

// summand is an array term with the weights that its elements have.
type summand struct {
	array  *term.Term
	weight weight
}

func (t *addition) draft() *draft {
	return &draft{addition: t, pool: t.old.Pool, sums: map[summand]*term.Term{},
		indices: map[*term.Term][]*term.Term{}, wanted: map[*term.Term][]weight{}}
}

// prepare finds the classes of the clause's arrays.
func (d *draft) prepare(c *chc.Clause) {
	d.findIndices(c)
	for _, a := range c.Atoms() {
		for _, m := range d.measures[a.Pred.ID] {
			if r := d.same.Find(a.Args[m.position]); !slices.Contains(d.wanted[r], m.weight) {
				d.wanted[r] = append(d.wanted[r], m.weight)
			}
		}
	}
}

// sum returns the sum of an array.
func (d *draft) sum(of summand) *term.Term {
	if s := d.sums[of]; s != nil {
		return s
	}
	p := d.pool
	a, w := of.array, of.weight
	var s *term.Term
	switch {
	case a.Op() == term.Store:
		base, i, v := a.Arg(0), a.Arg(1), a.Arg(2)
		changed := p.Sub(w.of(v), w.of(p.Select(base, i)))
		s = p.Add(d.sum(summand{base, w}), p.Ite(ghost.Within(i, w.end), changed, p.Int(0)))
		d.order = append(d.order, of)
	case a.Op() == term.ConstArray && isConstant(a.Arg(0)):
		s = p.Mul(w.of(a.Arg(0)), w.end)
	case a.Op() == term.Ite:
		s = p.Ite(a.Arg(0), d.sum(summand{a.Arg(1), w}), d.sum(summand{a.Arg(2), w}))
	default:
		s = p.Fresh(w.name(a.Sort()), term.Int)
		d.order = append(d.order, of)
	}
	d.sums[of] = s
	return s
}

// isConstant reports whether an element is a number or a truth value.
func isConstant(t *term.Term) bool { return t.IsNumeral() || t.IsTrue() || t.IsFalse() }

// equalities returns the formula with the equality of two arrays' sums beside that of the arrays, where f is true only if they are
// equal.
func (d *draft) equalities(f *term.Term) *term.Term {
	return ghost.Equalities(f, (*term.Sort).IsArray, func(t, u *term.Term) []*term.Term {
		var out []*term.Term
		for _, w := range d.wanted[d.same.Find(t)] {
			out = append(out, d.pool.Eq(d.sum(summand{t, w}), d.sum(summand{u, w})))
		}
		return out
	})
}

// facts are what the sums of the clause's arrays have to do with the elements that the clause reads and writes.
func (d *draft) facts() []*term.Term {
	p := d.pool
	var out []*term.Term
	for n := 0; n < len(d.order); n++ {
		a, w := d.order[n].array, d.order[n].weight
		sum := d.sum(d.order[n])
		out = append(out, p.Ge(sum, p.Int(0)))
		counts := w.counts(a.Sort())
		if counts {
			out = append(out, p.Le(sum, w.end))
		}
		indices := d.indices[d.same.Find(a)]
		indices = indices[:min(len(indices), maxIndices)]
		pairs := 0
		for k, i := range indices {
			element := w.of(p.Select(a, i))
			out = append(out, p.Or(p.Not(ghost.Within(i, w.end)), p.Le(element, sum)))
			if counts {
				// The others may all count.
				out = append(out, p.Or(p.Not(ghost.Within(i, w.end)), p.Le(sum, p.Add(element, p.Sub(w.end, p.Int(1))))))
			}
			for _, j := range indices[:k] {
				if pairs++; pairs > maxPairs || a.Op() == term.Store {
					break
				}
				both := p.Add(element, w.of(p.Select(a, j)))
				out = append(out, p.Or(p.Not(ghost.Within(i, w.end)), p.Not(ghost.Within(j, w.end)), p.Eq(i, j), p.Le(both, sum)))
			}
		}
	}
	return out
}

// findIndices finds the indices at which the clause reads and writes arrays.
func (d *draft) findIndices(c *chc.Clause) {
	ghost.JoinArrays(c, summed, d.same.Join)
	ghost.Each(c, func(t *term.Term) {
		if (t.Op() == term.Select || t.Op() == term.Store) && summed(t.Arg(0).Sort()) {
			if r := d.same.Find(t.Arg(0)); !slices.Contains(d.indices[r], t.Arg(1)) {
				d.indices[r] = append(d.indices[r], t.Arg(1))
			}
		}
	})
}
