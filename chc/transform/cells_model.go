package transform

import (
	"context"
	"fmt"
	"strconv"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// ghostWork and ghostNodes are the budget for eliminating the ghosts from one conjunct of an interpretation.
const ghostWork, ghostNodes = 20, 200

// Model puts the quantifiers over the ghosts back, but for the conjuncts from which the ghosts can be eliminated.
func (t *cellAbstraction) Model(_ context.Context, m *witness.Model) (*witness.Model, error) {
	out := witness.NewModel()
	out.Definitions, out.Lemmas = m.Definitions, m.Lemmas
	for i, q := range t.predicates {
		in, ok := m.Interpretations[t.new.Predicates[i]]
		if !ok {
			return nil, fmt.Errorf("translating a model: predicate %s has no interpretation", q.old.Name)
		}
		if len(q.groups) > 0 {
			in = t.quantified(q, in)
		}
		out.Interpretations[q.old] = in
	}
	return out, nil
}

// quantified returns the interpretation of a predicate with arrays from that of its cells.
func (t *cellAbstraction) quantified(q *cellPredicate, in witness.Interpretation) witness.Interpretation {
	p := t.old.Pool
	params := parameters(p, q.old)
	args := make([]*term.Term, 0, len(in.Params))
	for _, i := range q.scalars {
		args = append(args, params[i])
	}
	var ghosts, keep []*term.Term
	guard := []*term.Term{}
	keep = append(keep, params...)
	for _, g := range q.groups {
		ks := make([]*term.Term, g.ghosts)
		for i := range ks {
			ks[i] = p.Var(t.ghostName(len(ghosts)+i), g.index)
		}
		if len(ks) == 2 {
			guard = append(guard, p.Not(p.Le(ks[0], ks[1])))
		}
		ghosts = append(ghosts, ks...)
		args = append(args, ks...)
		for _, k := range ks {
			for _, i := range g.arrays {
				args = append(args, p.Select(params[i], k))
			}
		}
	}
	isGhost := map[*term.Term]bool{}
	for _, k := range ghosts {
		isGhost[k] = true
	}
	var plain, open []*term.Term
	for _, c := range flatten(p, in.Apply(p, args)) {
		if !term.HasAny(c, isGhost) {
			plain = append(plain, c)
			continue
		}
		c = p.Or(append(guard, c)...)
		for _, k := range ghosts {
			c = onePoint(p, k, c)
		}
		if without, ok := newProjector(p, keep, ghostWork, ghostNodes).exists(p.Not(c)); ok && !term.HasAny(without, isGhost) {
			plain = append(plain, p.Not(without))
			continue
		}
		open = append(open, c)
	}
	body := p.And(append(plain, p.Forall(ghosts, p.And(open...)))...)
	return witness.Interpretation{Params: params, Body: body}
}

// ghostName names the n-th bound variable of an interpretation, for its readers: k, k2, k3 and so on for the first round of
// the abstraction, l, l2, l3 for the arrays within arrays.
func (t *cellAbstraction) ghostName(n int) string {
	name := string(rune('k' + min(t.round, 10)))
	if n > 0 {
		name += strconv.Itoa(n + 1)
	}
	return name
}

// onePoint returns a formula that is equivalent to c when k, an Int, is bound universally: c with the term t for k when c
// holds anyway where k differs from t, as in "k < t or k > t or ...".
func onePoint(p *term.Pool, k, c *term.Term) *term.Term {
	if k.Sort() != term.Int {
		return c
	}
	above, below := map[*term.Term]bool{}, map[*term.Term]bool{}
	for _, l := range flatten(p, p.Not(c)) {
		con, ok := p.AsConstraint(l)
		if !ok {
			continue
		}
		coef := con.Coef(k)
		rest := con.Without(k)
		if !coef.Abs().IsOne() || con.Rel == term.LT {
			continue
		}
		// coef*k + rest <= 0, or = 0: k is at most -rest, or at least rest.
		bound := p.FromLinear(rest.Scale(coef.Neg()), term.Int)
		if term.Contains(bound, k) {
			continue
		}
		if con.Rel == term.EQ || coef.Sign() > 0 {
			below[bound] = true
		}
		if con.Rel == term.EQ || coef.Sign() < 0 {
			above[bound] = true
		}
		if below[bound] && above[bound] {
			return p.Substitute(c, map[*term.Term]*term.Term{k: bound})
		}
	}
	return c
}
