package inline

import (
	"slices"

	"hornbeam/chc/term"
)

// aChain reports whether an array is a store at a known index. The pool keeps a chain of them sorted, the greatest index
// outermost, with one store for an index, and without stores that change nothing.
func aChain(a *term.Term) bool { return a.Op() == term.Store && a.Arg(1).IsValue() }

// baseOf is the array below a chain of stores at known indices, the array itself where there are none.
func baseOf(a *term.Term) *term.Term {
	for aChain(a) {
		a = a.Arg(0)
	}
	return a
}

// differences are the known indices at which two arrays may have different elements; they are all where these may be, unless
// the second result is false: the arrays are made from different ones. It takes no longer than what the chains do not have in
// common.
func differences(a, b *term.Term) ([]*term.Term, bool) {
	var out []*term.Term
	for a != b {
		switch order := compareChains(a, b); {
		case !aChain(a) && !aChain(b):
			return nil, false
		case order > 0:
			out, a = append(out, a.Arg(1)), a.Arg(0)
		case order < 0:
			out, b = append(out, b.Arg(1)), b.Arg(0)
		default:
			if a.Arg(2) != b.Arg(2) {
				out = append(out, a.Arg(1))
			}
			a, b = a.Arg(0), b.Arg(0)
		}
	}
	return out, true
}

// compareChains compares the greatest indices of two chains; an array without one comes first.
func compareChains(a, b *term.Term) int {
	switch {
	case aChain(a) && aChain(b):
		return term.CompareValues(a.Arg(1), b.Arg(1))
	case aChain(a):
		return 1
	case aChain(b):
		return -1
	}
	return 0
}

// joinStores takes apart arrays that one case of a rule makes by stores at known indices and another case by others from the
// same array, as an exchange does that is made or not: the array has a variable for each element that they do not have in
// common, and what else it has is not chosen anew. It puts the arrays into own, in place of the instance's own variables, and
// reports whether there are any.
func (pr *program) joinStores(p *predicate, in *instance, own map[*term.Term]*term.Term) bool {
	found := false
	for i, r := range p.Rules {
		template := map[*term.Term]*term.Term{}
		for _, v := range r.Locals {
			template[own[v]] = v
		}
		for _, k := range r.Slots {
			if p.users[k] > 1 {
				continue // other rules may say something else
			}
			for _, v := range p.Slots[k].Args {
				if x := own[v]; x != nil {
					template[x] = v
				}
			}
		}
		for _, c := range term.Conjuncts(in.formulas[i]) {
			cases := []*term.Term{c}
			if c.IsOr() {
				cases = c.Args()
			}
			for _, e := range term.Conjuncts(cases[0]) {
				x, _ := definition(e, template)
				if x == nil || !own[template[x]].IsVar() {
					continue
				}
				if a := pr.joined(x, cases, template); a != nil {
					own[template[x]], found = a, true
				}
			}
		}
	}
	return found
}

// definition reads an equation that says what one of the instance's own arrays is.
func definition(e *term.Term, template map[*term.Term]*term.Term) (x, a *term.Term) {
	if e.Op() != term.Eq || !e.Arg(0).Sort().IsArray() {
		return nil, nil
	}
	for side := range 2 {
		if x, a := e.Arg(side), e.Arg(1-side); x.IsVar() && template[x] != nil && !term.Contains(a, x) {
			return x, a
		}
	}
	return nil, nil
}

// joined is the array that every case says x is, with variables for the elements in which they differ; nil when a case does
// not say what x is, or makes it from another array.
func (pr *program) joined(x *term.Term, cases []*term.Term, template map[*term.Term]*term.Term) *term.Term {
	var arrays []*term.Term
	for _, d := range cases {
		at := slices.IndexFunc(term.Conjuncts(d), func(e *term.Term) bool { y, _ := definition(e, template); return y == x })
		if at < 0 {
			return nil
		}
		_, a := definition(term.Conjuncts(d)[at], template)
		arrays = append(arrays, a)
	}
	for _, a := range arrays {
		if out := pr.joinedLike(a, arrays, x, template); out != nil {
			return out
		}
	}
	return nil
}

// join is an array that was made for several cases: over an array that has variables at the known indices where the cases differ,
// there are stores of variables at the indices, the innermost first, where one of the cases stores something.
type join struct{ over []layer }

// layer is a store at an index that is not known.
type layer struct{ index, element *term.Term }

// peeled takes the n outermost stores off an array, all at unknown indices; they are returned with the innermost first, and
// false when there are fewer.
func peeled(a *term.Term, n int) (*term.Term, []layer, bool) {
	var out []layer
	for range n {
		if a.Op() != term.Store || a.Arg(1).IsValue() {
			return nil, nil, false
		}
		out = append(out, layer{a.Arg(1), a.Arg(2)})
		a = a.Arg(0)
	}
	slices.Reverse(out)
	return a, out, true
}

// aligned peels from an array as many stores as it has in common with those of the indices, beginning with the innermost, such
// that it is made from the base below.
func aligned(a, base *term.Term, indices []layer) (*term.Term, []layer, bool) {
	for n := range len(indices) + 1 {
		rest, own, ok := peeled(a, n)
		if !ok {
			break
		}
		if baseOf(rest) == base && slices.EqualFunc(own, indices[:n], func(a, b layer) bool { return a.index == b.index }) {
			return rest, own, true
		}
	}
	return nil, nil, false
}

// joinedLike is what joined returns, when the array like has the stores at unknown indices of all the others.
func (pr *program) joinedLike(like *term.Term, arrays []*term.Term, x *term.Term, template map[*term.Term]*term.Term) *term.Term {
	own := func(v *term.Term) bool { return template[v] != nil }
	if !slices.ContainsFunc(arrays, func(a *term.Term) bool { return a != like }) {
		if own(baseOf(like)) {
			return nil
		}
		return like
	}
	n := 0
	for a := like; n < mostUnknownStores && a.Op() == term.Store && !a.Arg(1).IsValue(); a = a.Arg(0) {
		n++
	}
	rest, stores, _ := peeled(like, n)
	base := baseOf(rest)
	if own(base) || slices.ContainsFunc(stores, func(o layer) bool { return slices.ContainsFunc(term.Vars(o.index), own) }) {
		return nil
	}
	// What they have in common stays as it is.
	var indices []*term.Term
	seen := map[*term.Term]bool{}
	for _, a := range arrays {
		other, _, ok := aligned(a, base, stores)
		if !ok {
			return nil
		}
		more, same := differences(rest, other)
		if !same {
			return nil
		}
		for _, i := range more {
			if !seen[i] {
				seen[i] = true
				indices = append(indices, i)
			}
		}
	}
	out := rest
	for _, i := range indices {
		out = pr.pool.Store(out, i, pr.pool.Fresh(x.Name(), x.Sort().Elem))
	}
	if n == 0 {
		return out
	}
	j := join{}
	for _, o := range stores {
		e := pr.pool.Fresh(x.Name(), x.Sort().Elem)
		j.over = append(j.over, layer{o.index, e})
		out = pr.pool.Store(out, o.index, e)
	}
	if _, made, ok := peeled(out, n); !ok || !slices.Equal(made, j.over) {
		return nil // the pool has made fewer stores of them
	}
	pr.joins[out] = j
	return out
}

// splitStores replaces equations of arrays that are made from the same array by stores at known indices: they are equations
// of their elements.
func (pr *program) splitStores(f *term.Term) *term.Term {
	split := map[*term.Term]*term.Term{}
	seen := map[*term.Term]bool{}
	term.Walk(f, func(t *term.Term) bool {
		if seen[t] || !t.IsBool() {
			return false
		}
		seen[t] = true
		if t.Op() == term.Eq && t.Arg(0).Sort().IsArray() {
			if e := pr.elementwise(t.Arg(0), t.Arg(1)); e != nil {
				split[t] = e
			}
		}
		return true
	})
	if len(split) == 0 {
		return f
	}
	return pr.pool.Substitute(f, split)
}

// elementwise is the equation of two arrays as equations of elements; nil when they are not made from the same array by stores
// at known indices.
func (pr *program) elementwise(a, b *term.Term) *term.Term {
	for side, t := range []*term.Term{a, b} {
		if j, ok := pr.joins[t]; ok {
			if e := pr.ofCase(t, j, []*term.Term{b, a}[side]); e != nil {
				return e
			}
		}
	}
	indices, same := differences(a, b)
	if !same {
		return nil
	}
	parts := make([]*term.Term, len(indices))
	for k, i := range indices {
		parts[k] = pr.pool.Eq(pr.pool.Select(a, i), pr.pool.Select(b, i))
	}
	return pr.pool.And(parts...)
}

// ofCase says that the array a, which was made for several cases, is that of one of them. That is more than their equation when
// indices are the same, but the variables in a occur for this only: whoever is in that case has them as they have to be.
func (pr *program) ofCase(a *term.Term, j join, array *term.Term) *term.Term {
	rest, _, _ := peeled(a, len(j.over))
	other, own, ok := aligned(array, baseOf(rest), j.over)
	if !ok {
		return nil
	}
	e := pr.elementwise(rest, other)
	if e == nil {
		return nil
	}
	parts := []*term.Term{e}
	for k, o := range j.over {
		if k < len(own) {
			parts = append(parts, pr.pool.Eq(o.element, own[k].element))
		} else {
			parts = append(parts, pr.pool.Eq(o.element, pr.pool.Select(array, o.index)))
		}
	}
	return pr.pool.And(parts...)
}
