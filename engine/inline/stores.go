package inline

import (
	"slices"

	"hornbeam/chc/term"
)

// storeChain is an array as stores at known indices over a base.
type storeChain struct {
	base *term.Term
	// indices are those of the stores, the outermost first.
	indices []*term.Term
}

// chainOf reads an array as a chain; one that is no store at a known index is its own base.
func chainOf(a *term.Term) storeChain {
	var c storeChain
	for ; a.Op() == term.Store && a.Arg(1).IsValue(); a = a.Arg(0) {
		c.indices = append(c.indices, a.Arg(1))
	}
	c.base = a
	return c
}

// joinStores takes apart arrays that one way of a rule makes by stores at known indices and another way by others from the
// same array, as an exchange does that is made or not: the array has a variable for each element that they do not have in
// common, and what else it has is not chosen anew. It puts the arrays into own, in place of the instance's own variables, and
// reports whether there are any.
func (pr *program) joinStores(p *predicate, in *instance, own map[*term.Term]*term.Term) bool {
	found := false
	for i, r := range p.rules {
		template := map[*term.Term]*term.Term{}
		for _, v := range r.locals {
			template[own[v]] = v
		}
		for _, k := range r.body {
			if p.slots[k].users > 1 {
				continue // other rules may say something else
			}
			for _, v := range p.slots[k].vars {
				if x := own[v]; x != nil {
					template[x] = v
				}
			}
		}
		for _, c := range term.Conjuncts(in.formulas[i]) {
			ways := []*term.Term{c}
			if c.IsOr() {
				ways = c.Args()
			}
			for _, e := range term.Conjuncts(ways[0]) {
				x, _ := definition(e, template)
				if x == nil || !own[template[x]].IsVar() {
					continue
				}
				if a := pr.joined(x, ways, template); a != nil {
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

// joined is the array that every way says x is, with variables for the elements in which they differ; nil when one of them does
// not say what x is, or makes it from another array.
func (pr *program) joined(x *term.Term, ways []*term.Term, template map[*term.Term]*term.Term) *term.Term {
	var arrays []*term.Term
	for _, d := range ways {
		at := slices.IndexFunc(term.Conjuncts(d), func(e *term.Term) bool { y, _ := definition(e, template); return y == x })
		if at < 0 {
			return nil
		}
		_, a := definition(term.Conjuncts(d)[at], template)
		arrays = append(arrays, a)
	}
	base := chainOf(arrays[0]).base
	var indices []*term.Term
	seen := map[*term.Term]bool{}
	for _, a := range arrays {
		c := chainOf(a)
		if c.base != base || template[base] != nil {
			return nil
		}
		for _, i := range c.indices {
			if !seen[i] {
				seen[i] = true
				indices = append(indices, i)
			}
		}
	}
	// What they have in common stays as it is.
	out := arrays[0]
	for _, i := range indices {
		first := pr.pool.Select(arrays[0], i)
		if slices.ContainsFunc(arrays, func(a *term.Term) bool { return pr.pool.Select(a, i) != first }) {
			out = pr.pool.Store(out, i, pr.pool.Fresh(x.Name(), x.Sort().Elem))
		}
	}
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
	c, d := chainOf(a), chainOf(b)
	if c.base != d.base {
		return nil
	}
	var parts []*term.Term
	seen := map[*term.Term]bool{}
	for _, i := range slices.Concat(c.indices, d.indices) {
		if !seen[i] {
			seen[i] = true
			parts = append(parts, pr.pool.Eq(pr.pool.Select(a, i), pr.pool.Select(b, i)))
		}
	}
	return pr.pool.And(parts...)
}
