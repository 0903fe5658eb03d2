package term

import "slices"

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
		return p.intern(key{op: Select, sort: a.sort.Elem, args: []*Term{a, i}})
	}
}

// differ reports whether two terms of one sort have different values whatever their variables' values.
func (p *Pool) differ(a, b *Term) bool {
	if a.flags&b.flags&flagValue != 0 {
		return a != b
	}
	if a.sort.IsArith() {
		return p.Eq(a, b) == p.fls
	}
	return a.op == Construct && b.op == Construct && a.ext != b.ext
}

// Store returns array a with v at index i. A chain of stores at value indices is kept sorted by index, one store for
// an index, and without stores of the default over a constant array.
func (p *Pool) Store(a, i, v *Term) *Term {
	p.check(a.sort.Kind == ArrayKind && a.sort.Index == i.sort && a.sort.Elem == v.sort, "store", a, i, v)
	if v.op == Select && v.args[0] == a && v.args[1] == i {
		return a
	}
	if !i.IsValue() {
		if a.op == Store && a.args[1] == i {
			a = a.args[0]
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
	if a.op != ConstArray && !(a.op == Store && a.args[1].IsValue()) || !p.isDefault(a, v) {
		a = p.store(a, i, v)
	}
	for _, s := range slices.Backward(above) {
		a = p.store(a, s.args[1], s.args[2])
	}
	return p.canonicalArray(a)
}

func (p *Pool) store(a, i, v *Term) *Term {
	return p.intern(key{op: Store, sort: a.sort, args: []*Term{a, i, v}})
}

// isDefault reports whether v is the constant below a chain of stores at value indices.
func (p *Pool) isDefault(a, v *Term) bool {
	for a.op == Store && a.args[1].IsValue() {
		a = a.args[0]
	}
	return a.op == ConstArray && a.args[0] == v
}

// ConstArray returns the array of sort s (an array sort) that is v everywhere.
func (p *Pool) ConstArray(s *Sort, v *Term) *Term {
	p.check(s.Kind == ArrayKind && s.Elem == v.sort, "constant array", v)
	return p.intern(key{op: ConstArray, sort: s, args: []*Term{v}})
}
