package inline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// derivation is a way through the tree that a model of it takes: for each node on it a rule, such that as few calls as
// possible lead to open sites.
type derivation struct {
	// rules has the chosen rule of every node that was looked at, -1 where the model chooses none.
	rules map[*node]int
	costs map[*node]int
}

// impassable is more than any number of open sites.
const impassable = 1 << 40

// cheapest reads the derivation with the fewest open sites from a model.
func (t *tree) cheapest(m *smt.Model) *derivation {
	d := &derivation{rules: map[*node]int{}, costs: map[*node]int{}}
	d.cost(t.root, m)
	return d
}

// cost is the number of open sites that n's derivation needs. Several rules may share n's callees, and several may hold,
// so that costs are kept.
func (d *derivation) cost(n *node, m *smt.Model) int {
	if c, ok := d.costs[n]; ok {
		return c
	}
	best, least := -1, impassable
	for i, selector := range n.selectors {
		if selector == nil || !holds(m, selector) {
			continue
		}
		sum := 0
		for _, slot := range n.pred.Rules[i].Slots {
			switch s := n.sites[slot]; {
			case s.child != nil:
				sum += d.cost(s.child, m)
			case s.impossible:
				sum += impassable
			default:
				sum++
			}
			if sum >= least {
				break
			}
		}
		if sum < least {
			best, least = i, sum
		}
	}
	d.rules[n], d.costs[n] = best, least
	return least
}

// holds reports whether a literal of the tree is true in the model.
func holds(m *smt.Model, literal *term.Term) bool {
	if literal.IsTrue() {
		return true
	}
	v, ok := m.Lookup(literal)
	return ok && v.Bool()
}

// openSites returns the open sites on the derivation, in the order of its nodes.
func (d *derivation) openSites(root *node) []*site {
	var out []*site
	d.visit(root, func(n *node, rule int) {
		for _, slot := range n.pred.Rules[rule].Slots {
			if s := n.sites[slot]; s.child == nil {
				out = append(out, s)
			}
		}
	})
	return out
}

// visit calls f for the nodes of the derivation with their rules, callees before callers.
func (d *derivation) visit(n *node, f func(n *node, rule int)) {
	rule := d.rules[n]
	for _, slot := range n.pred.Rules[rule].Slots {
		if c := n.sites[slot].child; c != nil {
			d.visit(c, f)
		}
	}
	f(n, rule)
}

// refuted is the answer for a derivation without open sites in a model of the tree: its refutation; none when arguments
// are abstracted and it was spurious, in which case more of them are tracked now.
func (h *hunter) refuted(ctx context.Context, d *derivation, m *smt.Model) (*engine.Answer, error) {
	if h.tracking != nil {
		return h.concretise(ctx, d, m)
	}
	return answered(h.unsafe(ctx, d, m))
}

// unsafe is the answer for a derivation without open sites: its refutation, checked. Where the model's values do not
// make one, since a model may leave partial operations to chance, the derivation's own formulas are solved once more.
func (h *hunter) unsafe(ctx context.Context, d *derivation, m *smt.Model) (engine.Answer, error) {
	refutation, err := h.checked(ctx, d, m)
	if err != nil && ctx.Err() == nil {
		h.count("inline.repairs", 1)
		if m, err = h.resolve(ctx, d); err == nil {
			refutation, err = h.checked(ctx, d, m)
		}
	}
	if err != nil {
		return engine.Answer{}, err
	}
	return engine.Answer{Verdict: engine.Unsat, Refutation: refutation}, nil
}

// checked is the refutation that a derivation without open sites is under a model. One that the checker cannot decide
// is returned too: whoever asked may know more.
func (h *hunter) checked(ctx context.Context, d *derivation, m *smt.Model) (*witness.Refutation, error) {
	refutation, err := h.ground(d, m)
	if err == nil {
		err = witness.CheckRefutation(ctx, h.sys, refutation)
	}
	if err != nil && !errors.Is(err, witness.ErrUndecided) {
		return nil, fmt.Errorf("make a derivation ground: %w", err)
	}
	return refutation, nil
}

// ground evaluates a derivation without open sites under a model.
func (h *hunter) ground(d *derivation, m *smt.Model) (*witness.Refutation, error) {
	eval := term.NewEvaluator(h.pool, term.Complete(h.pool, m))
	b := witness.NewRefutationBuilder(h.pool)
	steps := map[*node]int{}
	var failure error
	d.visit(h.root, func(n *node, rule int) {
		if failure != nil {
			return
		}
		r := n.pred.Rules[rule]
		premises := make([]int, len(r.Slots))
		for i, slot := range r.Slots {
			premises[i] = steps[n.sites[slot].child]
		}
		step, err := r.Step(func(t *term.Term) (term.Value, bool) { return eval.Eval(n.inst.values.Apply(t)) }, premises)
		if err != nil {
			failure = &engine.Incomplete{Reason: engine.Unfounded(err.Error())}
			return
		}
		steps[n] = b.Add(step.Clause, step.Values, step.Premises)
	})
	if failure != nil {
		return nil, failure
	}
	return b.Refutation(steps[h.root]), nil
}

// resolve finds another model of a derivation's formulas, without the rest of the tree.
func (h *hunter) resolve(ctx context.Context, d *derivation) (*smt.Model, error) {
	var formulas []*term.Term
	d.visit(h.root, func(n *node, rule int) {
		formulas = append(formulas, h.whole(n.pred.Rules[rule], n.inst.values))
		for _, slot := range n.pred.Rules[rule].Slots {
			for _, e := range h.equationsOf(n.sites[slot]) {
				formulas = append(formulas, e.formula(h.pool))
			}
		}
	})
	tunings := h.tunings()
	slices.Reverse(tunings)
	h.count("checks", 1)
	m, err := smt.Satisfy(ctx, h.smt, tunings, h.options.checkLimit(), h.pool, formulas)
	if err == nil && m == nil {
		err = &engine.Incomplete{Reason: engine.Unfounded("no solver found values for the refutation")}
	}
	return m, err
}

// satisfied reports whether the formulas hold in a model. One that is undetermined does: what became of it is found when
// the derivation is checked.
func (h *hunter) satisfied(m *smt.Model, formulas []*term.Term) bool {
	eval := term.NewEvaluator(h.pool, term.Complete(h.pool, m))
	return !slices.ContainsFunc(formulas, eval.False)
}
