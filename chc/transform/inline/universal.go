package inline

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/transform/qe"
	"hornbeam/chc/transform/resolve"
	"hornbeam/chc/witness"
)

// universal finds a formula in the gap when interpretations of neighbours have quantifiers, for which there are no
// interpolants; it returns nil when none has. What the definitions derive is best when that needs no other quantifier.
// Next is what the uses allow: when their other premises have no quantifiers, that is universal as well. The last is what
// the definitions derive with as few existential quantifiers as possible.
func (b *interpreter) universal(e elimination, g *gap, strong *term.Term) *term.Term {
	if !b.quantifiedNeighbours(e) {
		return nil
	}
	if strong != nil {
		return strong
	}
	if weak := b.allowed(e, g); weak != nil {
		return weak
	}
	derived := make([]*term.Term, len(g.derived))
	for i, f := range g.derived {
		f = b.projectPartly(g.params, f)
		derived[i] = b.pool.Exists(variablesBut(f, g.params), f)
	}
	return b.pool.Or(derived...)
}

// allowed returns the weakest formula that the uses allow, or nil when it is not universal.
func (b *interpreter) allowed(e elimination, g *gap) *term.Term {
	if !usedOnce(e) {
		return nil
	}
	var allowed []*term.Term
	for _, u := range e.uses {
		at := resolve.Position(u.Body, e.pred)
		for i, a := range u.Body {
			if i != at && b.known[a.Pred].Body.HasQuantifier() {
				return nil
			}
		}
		f := b.instance(u, u.Body[at].Args, g.params, b.violation(u, at, nil))
		f = b.projectPartly(g.params, b.openExistentials(f))
		allowed = append(allowed, b.pool.Forall(variablesBut(f, g.params), b.pool.Not(f)))
	}
	return b.pool.And(allowed...)
}

// projectPartly eliminates those variables but params from f for which that takes no quantifier and little work: f is
// equivalent to the result when the variables that are left are read existentially.
func (b *interpreter) projectPartly(params []*term.Term, f *term.Term) *term.Term {
	p := qe.NewProjector(b.pool, params, qe.DefaultWork, qe.DefaultNodes)
	conjuncts, ok := p.Flatten([]*term.Term{f})
	if !ok {
		return b.pool.False()
	}
	var out, open []*term.Term
	for _, c := range p.WithoutReads(p.Equalities(conjuncts)) {
		if p.Local(c) {
			open = append(open, c)
		} else {
			out = append(out, c)
		}
	}
	for _, part := range p.Components(open) {
		if t, ok := p.Component(part); ok {
			part = []*term.Term{t}
		}
		out = append(out, part...)
	}
	return b.pool.And(out...)
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
