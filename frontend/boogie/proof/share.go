package proof

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// let is a term that a let expression names.
type let struct {
	term *term.Term
	name string
	used bool
}

// scope writes a formula, in which the bound variables are new, with names for what occurs often in it.
func (x *expresser) scope(f *term.Term, bound []*term.Term) ast.Expr {
	lets := x.choose(f, bound)
	inner := *x
	inner.shared = maps.Clone(x.shared)
	for _, l := range lets {
		l.name = x.freshName(nil)
		inner.shared[l.term] = l
	}
	e := inner.formula(f, false)
	for _, l := range slices.Backward(lets) {
		if !l.used {
			continue
		}
		delete(inner.shared, l.term)
		e = &ast.Let{Bound: []*ast.Variable{{Kind: ast.Bound, Name: l.name}}, Values: []ast.Expr{inner.expression(l.term, nil)}, Body: e}
	}
	return e
}

// choose finds the parts of a formula that are worth a name, the smaller ones before those that they are part of: those
// that occur several times and depend on one of the bound variables, if there are any, but on none that is bound inside.
func (x *expresser) choose(f *term.Term, bound []*term.Term) []*let {
	sizes := map[*term.Term]int{}
	parents := map[*term.Term]int{}
	var order []*term.Term
	if treeSize(f, sizes, parents, &order) <= readable {
		return nil
	}
	inside := map[*term.Term]bool{}
	for _, t := range order {
		for _, v := range t.Bound() {
			inside[v] = true
		}
	}
	var out []*let
	for _, t := range order {
		if t == f || parents[t] < 2 || sizes[t] < nameable || t.IsValue() || x.shared[t] != nil || !x.hasOwnType(t) {
			continue
		}
		if term.HasAny(t, inside) || len(bound) > 0 && !slices.ContainsFunc(bound, func(v *term.Term) bool { return term.Contains(t, v) }) {
			continue
		}
		out = append(out, &let{term: t})
	}
	return out
}

// hasOwnType reports whether a term has a type wherever it stands.
func (x *expresser) hasOwnType(t *term.Term) bool {
	return x.typeOf(t) != nil && (!t.Sort().IsArray() || x.complete(t))
}

// treeSize is the size of a term as text, up to a bound; it notes the sizes of its parts, how often each occurs in
// others, and the parts in order, the smaller ones first.
func treeSize(t *term.Term, sizes, parents map[*term.Term]int, order *[]*term.Term) int {
	const enough = 1 << 30
	if n, ok := sizes[t]; ok {
		return n
	}
	n := 1
	for _, a := range t.Args() {
		parents[a]++
		n = min(n+treeSize(a, sizes, parents, order), enough)
	}
	sizes[t] = n
	*order = append(*order, t)
	return n
}
