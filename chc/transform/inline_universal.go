package transform

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// universal finds a formula in the gap when interpretations of neighbours have universal quantifiers, for which there
// are no interpolants: what the definitions derive, when that needs no other quantifier, or else what the uses allow.
// When the uses' other premises have no quantifiers, that is universally quantified as well. It returns nil when neither
// is the case, and when nothing is quantified.
func (b *interpreter) universal(e elimination, g *gap, strong *term.Term) *term.Term {
	if !b.quantifiedNeighbours(e) {
		return nil
	}
	if strong != nil {
		return strong
	}
	if !usedOnce(e) {
		return nil
	}
	var allowed []*term.Term
	for _, u := range e.uses {
		at := position(u.Body, e.pred)
		for i, a := range u.Body {
			if i != at && b.known[a.Pred].Body.HasQuantifier() {
				return nil
			}
		}
		f := b.instance(u, u.Body[at].Args, g.params, b.violation(u, at, nil))
		if t := b.project(g.params, []*term.Term{f}); t != nil {
			allowed = append(allowed, b.pool.Not(t))
			continue
		}
		f = b.withoutEquated(g.params, b.openExistentials(f))
		allowed = append(allowed, b.pool.Forall(variablesBut(f, g.params), b.pool.Not(f)))
	}
	return b.pool.And(allowed...)
}

// withoutEquated eliminates those variables but params from f that its conjuncts equate to terms.
func (b *interpreter) withoutEquated(params []*term.Term, f *term.Term) *term.Term {
	p := newProjector(b.pool, params, projectWork, projectNodes)
	conjuncts, ok := p.flatten([]*term.Term{f})
	if !ok {
		return b.pool.False()
	}
	return b.pool.And(p.equalities(conjuncts)...)
}

// quantifiedNeighbours reports whether the interpretation of another predicate in e's clauses has a quantifier.
func (b *interpreter) quantifiedNeighbours(e elimination) bool {
	quantified := func(in witness.Interpretation, known bool) bool { return known && in.Body.HasQuantifier() }
	for _, c := range slices.Concat(e.defs, e.uses) {
		for _, a := range c.Body {
			if in, known := b.known[a.Pred]; quantified(in, known) {
				return true
			}
		}
		if c.Head != nil {
			if in, known := b.known[c.Head.Pred]; quantified(in, known) {
				return true
			}
		}
	}
	return false
}

// openExistentials replaces the negated universal quantifiers at the top of f, below conjunctions and disjunctions, by
// their bodies with fresh variables, which are to be read existentially.
func (b *interpreter) openExistentials(f *term.Term) *term.Term {
	p := b.pool
	if !f.HasQuantifier() {
		return f
	}
	open := func(parts []*term.Term, negated bool) []*term.Term {
		out := make([]*term.Term, len(parts))
		for i, t := range parts {
			if negated {
				t = p.Not(t)
			}
			out[i] = b.openExistentials(t)
		}
		return out
	}
	inner, positive := f.Atom()
	switch {
	case f.IsAnd():
		return p.And(open(f.Args(), false)...)
	case f.IsOr():
		return p.Or(open(f.Args(), false)...)
	case !positive && inner.IsAnd():
		return p.Or(open(inner.Args(), true)...)
	case !positive && inner.IsOr():
		return p.And(open(inner.Args(), true)...)
	case f.Op() == term.Exists, !positive && inner.Op() == term.Forall:
		m := map[*term.Term]*term.Term{}
		for _, x := range inner.Bound() {
			m[x] = p.Fresh(x.Name(), x.Sort())
		}
		body := p.Substitute(inner.Arg(0), m)
		if !positive {
			body = p.Not(body)
		}
		return b.openExistentials(body)
	}
	return f
}
