package abstraction

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/itp"
)

// derived looks at the abstract derivation of a query: it returns the refutation that it is, or learns why it is none.
func (x *explorer) derived(ctx context.Context, goal *node) (*witness.Refutation, error) {
	d, err := x.unfold(goal, nil)
	if err != nil {
		return nil, err
	}
	x.count("refinements", 1)
	x.set("level", int64(goal.depth))
	interpolants, err := x.interpolate(ctx, d)
	if errors.Is(err, itp.ErrNotDisjoint) || errors.Is(err, itp.ErrModel) {
		return x.refutation(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	if interpolants == nil {
		return nil, &incomplete{"no interpolants were found for a spurious derivation of a query; try --engine spacer"}
	}
	if x.tracing() {
		x.emit("refine", engine.Field{Name: "instances", Value: len(d.instances)}, engine.Field{Name: "depth", Value: goal.depth})
	}
	err = x.refine(x, ctx, d, interpolants)
	x.remove(goal)
	return nil, err
}

// interpolate returns the interpolants of a derivation, nil where none are found.
func (x *explorer) interpolate(ctx context.Context, d *derivation) ([]*term.Term, error) {
	interpolants, err := x.interpolator.Tree(ctx, d.tree(x.pool))
	if err != nil && ctx.Err() == nil && (errors.Is(err, itp.ErrBudget) || errors.Is(err, itp.ErrUnverified)) {
		x.count("interpolations.failed", 1)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("interpolate a derivation: %w", err)
	}
	return interpolants, nil
}

// overParams is a formula over an instance's arguments over the parameters.
func (in *instance) overParams(p *term.Pool, formula *term.Term) *term.Term {
	m := make(map[*term.Term]*term.Term, len(in.args))
	for i, v := range in.args {
		m[v] = in.node.pred.Params[i]
	}
	return p.Substitute(formula, m)
}

// strengthen conjoins the interpolants to the labels of the derivation's nodes.
func (x *explorer) strengthen(ctx context.Context, d *derivation, interpolants []*term.Term) error {
	var stronger []*node
	for i, in := range d.instances {
		n := in.node
		if n.pred == x.system.Goal || in.formula == nil || n.removed {
			continue
		}
		label := in.overParams(x.pool, interpolants[i])
		if label.IsFalse() {
			x.remove(n)
			continue
		}
		changed, err := x.conjoin(ctx, n, label)
		if err != nil {
			return err
		}
		if changed && !slices.Contains(stronger, n) {
			stronger = append(stronger, n)
		}
	}
	for _, n := range stronger {
		for _, m := range slices.Clone(n.covered) {
			implied, err := x.implies(ctx, m, n.label)
			if err != nil {
				return err
			}
			if !implied && m.cover == n {
				x.uncover(m)
			}
		}
	}
	slices.SortFunc(stronger, func(a, b *node) int { return a.id - b.id })
	for _, n := range stronger {
		if n.active {
			if _, err := x.implied(ctx, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// track adds the interpolants' conjuncts and atoms to the precision, and takes the nodes out of the graph that were labelled
// without them: their hyperedges wait again.
func (x *explorer) track(ctx context.Context, d *derivation, interpolants []*term.Term) error {
	var cut []*node
	for i, in := range d.instances {
		n := in.node
		if n.pred == x.system.Goal {
			continue
		}
		p := &x.precision[n.pred.ID]
		for _, c := range term.Conjuncts(in.overParams(x.pool, interpolants[i])) {
			if c.IsTrue() || slices.Contains(n.label, c) {
				continue
			}
			// Tracking conjuncts as a whole is what makes sure that the derivation does not come back.
			x.track1(p, c)
			if !slices.Contains(cut, n) {
				cut = append(cut, n)
			}
		}
	}
	if len(cut) == 0 {
		return &incomplete{"a query is excluded by the labels of its derivation, but the solver does not see it; try --engine spacer"}
	}
	for _, n := range cut {
		x.remove(n)
	}
	for _, n := range cut {
		x.again(n.edge)
	}
	return nil
}

// track1 tracks a formula and its atoms.
func (x *explorer) track1(p *precision, formula *term.Term) {
	if p.add(formula) {
		x.count("predicates.tracked", 1)
	}
	if formula.IsLiteral() {
		return
	}
	term.Walk(formula, func(t *term.Term) bool {
		if t.IsBool() && t.IsLiteral() && !t.IsNot() {
			if p.add(t) {
				x.count("predicates.tracked", 1)
			}
			return false
		}
		return true
	})
}
