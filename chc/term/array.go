package term

import (
	"cmp"
	"slices"
)

// Select returns the element of array a at index i. It looks through stores at the same index, at indices that are
// known to differ, and at constant arrays.
func (p *Pool) Select(a, i *Term) *Term {
	p.check(a.sort.Kind == ArrayKind && a.sort.Index == i.sort, "select", a, i)
	for {
		switch a.op {
		case ConstArray:
			return a.args[0]
		case Store:
			if a.args[1] == i {
				return a.args[2]
			}
			if p.differ(a.args[1], i) {
				a = a.args[0]
				continue
			}
		}
		return p.intern(Select, a.sort.Elem, nil, a, i)
	}
}

// differ reports whether two terms of one sort have different values whatever their variables' values.
func (p *Pool) differ(a, b *Term) bool {
	if a.flags&b.flags&flagValue != 0 {
		return a != b
	}
	if a.sort.IsArith() && (a.op == Add || b.op == Add) {
		d := p.Linear(a).Sub(p.Linear(b))
		return d.IsConst() && !d.Const.IsZero()
	}
	return a.op == Construct && b.op == Construct && a.ext != b.ext
}

// Store returns array a with v at index i. A chain of stores at value indices is kept sorted by index, one store for
// an index, and without stores that change nothing.
func (p *Pool) Store(a, i, v *Term) *Term {
	p.check(a.sort.Kind == ArrayKind && a.sort.Index == i.sort && a.sort.Elem == v.sort, "store", a, i, v)
	if !i.IsValue() {
		if a.op == Store && a.args[1] == i {
			a = a.args[0]
		}
		if p.holds(a, i, v) {
			return a
		}
		return p.store(a, i, v)
	}
	var above []*Term // the stores at greater indices, outermost first
	for a.op == Store && a.args[1].IsValue() && CompareValues(a.args[1], i) > 0 {
		above = append(above, a)
		a = a.args[0]
	}
	if a.op == Store && a.args[1] == i {
		a = a.args[0]
	}
	if !p.holds(a, i, v) {
		a = p.store(a, i, v)
	}
	for _, s := range slices.Backward(above) {
		a = p.store(a, s.args[1], s.args[2])
	}
	return p.canonicalArray(a)
}

func (p *Pool) store(a, i, v *Term) *Term {
	return p.intern(Store, a.sort, nil, a, i, v)
}

// holds reports whether a[i] simplifies to v.
func (p *Pool) holds(a, i, v *Term) bool {
	for {
		switch a.op {
		case ConstArray:
			return a.args[0] == v
		case Store:
			if a.args[1] == i {
				return a.args[2] == v
			}
			if p.differ(a.args[1], i) {
				a = a.args[0]
				continue
			}
		}
		return v.op == Select && v.args[0] == a && v.args[1] == i
	}
}

// ConstArray returns the array of sort s (an array sort) that is v everywhere.
func (p *Pool) ConstArray(s *Sort, v *Term) *Term {
	p.check(s.Kind == ArrayKind && s.Elem == v.sort, "constant array", v)
	return p.intern(ConstArray, s, nil, v)
}

// canonicalArray gives a chain of stores at value indices over a constant array one form when the index sort is small and
// finite: the constant is the most frequent element, of several the first in the order of lessElement. Inner parts of
// the chain then have this form too. Other chains have only one form.
func (p *Pool) canonicalArray(a *Term) *Term {
	size := p.finiteSize(a.sort.Index)
	if size == 0 {
		return a
	}
	stores := 0
	root := a
	for ; root.op == Store && root.args[1].IsValue(); root = root.args[0] {
		stores++
	}
	if root.op != ConstArray || 2*stores < size {
		return a // a constant that is left at more than half of the indices is the most frequent element
	}
	values := map[*Term]*Term{}
	count := map[*Term]int{root.args[0]: size - stores}
	for c := a; c != root; c = c.args[0] {
		values[c.args[1]] = c.args[2]
		count[c.args[2]]++
	}
	best := root.args[0]
	for c := a; c != root; c = c.args[0] {
		v := c.args[2]
		if n := cmp.Compare(count[v], count[best]); n > 0 || n == 0 && lessElement(v, best) {
			best = v
		}
	}
	if best == root.args[0] {
		return a
	}
	out := p.ConstArray(a.sort, best)
	for _, idx := range p.finiteValues(a.sort.Index) {
		v, ok := values[idx]
		if !ok {
			v = root.args[0]
		}
		if v != best {
			out = p.store(out, idx, v)
		}
	}
	return out
}

// lessElement orders values before other terms, values by CompareValues, other terms by ID.
func lessElement(a, b *Term) bool {
	if a.IsValue() != b.IsValue() {
		return a.IsValue()
	}
	if a.IsValue() {
		return CompareValues(a, b) < 0
	}
	return a.id < b.id
}
