package spacer

import (
	"context"

	"hornbeam/chc/term"
)

// carried returns the parameters of a predicate that each rule from it to itself takes unchanged from an atom of its body, as the
// indices are to which the abstraction of arrays reduces them.
func (p *predicate) carried() map[*term.Term]bool {
	if p.carriedParams != nil {
		return p.carriedParams
	}
	p.carriedParams = map[*term.Term]bool{}
	for _, x := range p.Params {
		p.carriedParams[x] = p.recursive
	}
	for _, r := range p.Rules {
		own := false
		kept := make([]bool, len(p.Params))
		for _, a := range r.Clause.Body {
			if a.Pred != r.Clause.Head.Pred {
				continue
			}
			own = true
			for i, x := range r.Clause.Head.Args {
				kept[i] = kept[i] || x.IsVar() && a.Args[i] == x
			}
		}
		for i, x := range p.Params {
			if own && !kept[i] {
				p.carriedParams[x] = false
			}
		}
	}
	return p.carriedParams
}

// generaliseToCarried says of carried parameters what the obligation says of those that it equates with them, and leaves the
// equations out: what is unreachable for the element at a counter, or behind a pointer, often is so for the element at every index,
// which no single literal of the obligation can be dropped for. The weaker cube is tried at infinity and then at the obligation's
// level, and no longer after spacer.carried failures in a row. It reports whether the candidate was replaced.
func (pr *prover) generaliseToCarried(ctx context.Context, f *frame, o *obligation, c *candidate) (bool, error) {
	if !f.pred.recursive || f.pred.carriedFailures > pr.options.carried {
		return false, nil
	}
	cube := pr.ofCarried(f.pred, o.post)
	if len(cube) == 0 {
		return false, nil
	}
	for _, level := range []int{infinity, o.level} {
		found, err := pr.replace(ctx, f, c, cube, level)
		if err != nil {
			return false, err
		}
		if found {
			pr.count("carried", 1)
			f.pred.carriedFailures = 0
			return true, nil
		}
	}
	f.pred.carriedFailures++
	return false, nil
}

// ofCarried returns the cube with carried parameters in place of others that it equates with them, without these equations; nothing
// if there are none.
func (pr *prover) ofCarried(p *predicate, cube []*term.Term) []*term.Term {
	carried := p.carried()
	to := map[*term.Term]*term.Term{}
	var rest []*term.Term
	for _, t := range cube {
		x, y, ok := pr.equated(t)
		if ok && carried[x] {
			x, y = y, x
		}
		if ok && carried[y] && !carried[x] && to[x] == nil {
			to[x] = y
			continue
		}
		rest = append(rest, t)
	}
	if len(to) == 0 {
		return nil
	}
	weaker := pr.pool.NewSubstitution(to).Apply(pr.pool.And(rest...))
	if weaker.IsTrue() || weaker.IsFalse() {
		return nil
	}
	return term.Conjuncts(weaker)
}

// equated returns the two variables that a literal equates.
func (pr *prover) equated(t *term.Term) (x, y *term.Term, ok bool) {
	if t.Op() == term.Eq && t.Arg(0).IsVar() && t.Arg(1).IsVar() {
		return t.Arg(0), t.Arg(1), true
	}
	c, ok := pr.pool.AsConstraint(t)
	if !ok || c.Rel != term.EQ || !c.Linear.Const.IsZero() || len(c.Linear.Monomials) != 2 {
		return nil, nil, false
	}
	a, b := c.Linear.Monomials[0], c.Linear.Monomials[1]
	return a.Term, b.Term, a.Term.IsVar() && b.Term.IsVar() && a.Coef.Add(b.Coef).IsZero()
}
