package inline

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// candidates are formulas over the predicates' parameters that may hold of all that the clauses derive.
type candidates struct {
	// most bounds the candidates of a predicate; the first ones are kept.
	most  int
	of    map[*predicate][]*term.Term
	known map[*predicate]map[*term.Term]bool
}

func newCandidates(most int) *candidates {
	return &candidates{most: most, of: map[*predicate][]*term.Term{}, known: map[*predicate]map[*term.Term]bool{}}
}

// add makes the conjuncts of a formula candidates.
func (c *candidates) add(p *predicate, formula *term.Term) {
	if p.Source == nil {
		return
	}
	if c.known[p] == nil {
		c.known[p] = map[*term.Term]bool{}
	}
	for _, f := range term.Conjuncts(formula) {
		if len(c.of[p]) < c.most && !f.IsTrue() && !f.IsFalse() && !c.known[p][f] {
			c.known[p][f] = true
			c.of[p] = append(c.of[p], f)
		}
	}
}

// addLabels makes candidates of the labels that the calls have so far.
func (c *candidates) addLabels(p *proof) {
	if p.top == nil {
		return
	}
	for _, d := range p.calls() {
		if d.label != nil {
			c.add(d.pred, p.labelOf(d))
		}
	}
}

// addAtoms makes candidates of the atoms of the clauses, and their negations, that are about a head's arguments only or
// about those of one call.
func (c *candidates) addAtoms(pr *program) {
	for _, p := range pr.preds {
		for _, r := range p.Rules {
			var atoms []*term.Term
			collect := func(t *term.Term) bool {
				if t.IsBool() && !t.IsVar() && !isConnective(t) {
					atoms = append(atoms, t)
					return false
				}
				return true
			}
			term.Walk(r.Constraint, collect)
			for e := range r.Equations() {
				term.Walk(pr.pool.Eq(e.Var, e.Arg), collect)
			}
			for _, a := range atoms {
				c.addAt(pr, p, p.Params, a)
				for _, i := range r.Slots {
					c.addAt(pr, p.slots[i], p.Slots[i].Args, a)
				}
			}
		}
	}
}

// addAt makes candidates of an atom and its negation when they are about the arguments of a call of p only.
func (c *candidates) addAt(pr *program, p *predicate, args []*term.Term, atom *term.Term) {
	m := make(map[*term.Term]*term.Term, len(args))
	for i, v := range args {
		m[v] = p.Params[i]
	}
	vars := term.Vars(atom)
	if len(vars) == 0 || slices.ContainsFunc(vars, func(v *term.Term) bool { return m[v] == nil }) {
		return
	}
	atom = pr.pool.Substitute(atom, m)
	c.add(p, atom)
	c.add(p, pr.pool.Not(atom))
	if atom.Op() == term.Eq && atom.Arg(0).Sort().IsArith() {
		c.add(p, pr.pool.Le(atom.Arg(0), atom.Arg(1)))
		c.add(p, pr.pool.Ge(atom.Arg(0), atom.Arg(1)))
	}
}

// candidates are the labels so far and the atoms of the clauses.
func (p *proof) candidates() *candidates {
	c := newCandidates(p.options.candidates)
	c.addLabels(p)
	c.addAtoms(p.program)
	return c
}

// inductive returns those of the candidates that together are preserved by the clauses, so that they hold of all that is
// derivable; nil when there is nobody to ask.
func (h *hunter) inductive(ctx context.Context, c *candidates) (map[*predicate][]*term.Term, error) {
	if h.settings.Inductive == nil {
		return nil, nil
	}
	asked := map[*chc.Predicate][]*term.Term{}
	for _, p := range h.preds {
		if p.Source != nil && len(c.of[p]) > 0 {
			asked[p.Source] = c.of[p]
		}
	}
	h.count("inline.induction.runs", 1)
	found, err := h.settings.Inductive(ctx, h.sys, asked)
	if err != nil {
		return nil, fmt.Errorf("find what is inductive: %w", err)
	}
	survivors := map[*predicate][]*term.Term{}
	for _, p := range h.preds {
		survivors[p] = found[p.Source]
	}
	return survivors, nil
}

// induce returns the model that the inductive part of the candidates is, together with the summaries, when that excludes
// the queries; nil when it does not.
func (h *hunter) induce(ctx context.Context, c *candidates) (*witness.Model, error) {
	survivors, err := h.inductive(ctx, c)
	if err != nil || survivors == nil {
		return nil, err
	}
	if excluded, err := h.excludesQueries(ctx, h.said(survivors)); err != nil || !excluded {
		return nil, err
	}
	return h.checkedModel(ctx, survivors)
}

// said is what survivors and summaries say of the predicates' parameters.
func (h *hunter) said(survivors map[*predicate][]*term.Term) map[*predicate][]*term.Term {
	said := map[*predicate][]*term.Term{}
	for _, p := range h.preds {
		said[p] = append([]*term.Term{p.summary}, survivors[p]...)
		if len(p.Rules) == 0 {
			said[p] = []*term.Term{h.pool.False()}
		}
	}
	return said
}

// checkedModel is the model that survivors and summaries make, nil when its check is left open.
func (h *hunter) checkedModel(ctx context.Context, survivors map[*predicate][]*term.Term) (*witness.Model, error) {
	m := h.interpretation(h.said(survivors))
	switch err := witness.CheckModel(ctx, h.settings.Open, h.asked, m, smt.Limit{}); {
	case err != nil && unproved(ctx, err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	h.count("inline.induction.models", 1)
	return m, nil
}

// excludesQueries reports whether the premises of every query contradict its constraint under an interpretation.
func (h *hunter) excludesQueries(ctx context.Context, said map[*predicate][]*term.Term) (bool, error) {
	in := h.instantiate(h.goal, nil, false)
	var ways []*term.Term
	for i, r := range h.goal.Rules {
		parts := []*term.Term{in.formulas[i]}
		for _, slot := range r.Slots {
			q := h.goal.slots[slot]
			parts = append(parts, q.At(h.pool.And(said[q]...), in.slots[slot]))
		}
		ways = append(ways, h.pool.And(parts...))
	}
	solver, err := h.smt.NewSolver(h.tunings()[h.tuning])
	if err != nil {
		return false, fmt.Errorf("open a solver for the queries: %w", err)
	}
	defer solver.Close()
	if err := solver.Assert(h.pool.Or(ways...)); err != nil {
		return false, fmt.Errorf("assert the queries: %w", err)
	}
	solver.SetLimit(h.options.checkLimit())
	h.count("checks", 1)
	status, err := solver.Check(ctx)
	if err != nil {
		return false, fmt.Errorf("check the queries: %w", err)
	}
	return status == smt.Unsat, nil
}

// isConnective reports whether a term combines Booleans.
func isConnective(t *term.Term) bool {
	switch t.Op() {
	case term.Not, term.And, term.Or, term.True, term.False:
		return true
	case term.Ite, term.Eq:
		return t.Arg(1).IsBool()
	}
	return false
}
