package abstraction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/itp"
)

// derived looks at the abstract derivation of a query: it returns the refutation that it is, or learns why it is none.
func (x *explorer) derived(ctx context.Context, goal *node) (*witness.Refutation, error) {
	d, err := unfold(goal, nil)
	if err != nil {
		return nil, err
	}
	x.count("refinements", 1)
	x.set("level", int64(goal.depth))
	interpolants, err := x.interpolate(ctx, x.tree(d))
	if errors.Is(err, itp.ErrNotDisjoint) || errors.Is(err, itp.ErrModel) {
		return x.refutation(ctx, d)
	}
	if errors.Is(err, itp.ErrBudget) && ctx.Err() == nil || errors.Is(err, itp.ErrUnverified) {
		return nil, &engine.Incomplete{Reason: "no interpolants were found for a spurious derivation of a query; try --engine spacer"}
	}
	if err != nil {
		return nil, err
	}
	if x.tracing() {
		for i, at := range d.places {
			if !interpolants[i].IsTrue() {
				x.emit("interpolant", engine.Field{Name: "predicate", Value: at.node.pred.Name}, engine.Field{Name: "depth", Value: at.node.depth},
					engine.Field{Name: "formula", Value: interpolants[i].String()})
			}
		}
	}
	err = x.refine(x, ctx, d, interpolants)
	x.remove(goal)
	return nil, err
}

// interpolate returns the interpolants of a derivation.
func (x *explorer) interpolate(ctx context.Context, tree []itp.Node) ([]*term.Term, error) {
	defer x.spent("interpolate", time.Now())
	interpolants, err := x.interpolator.Tree(ctx, tree)
	if err != nil {
		return nil, fmt.Errorf("interpolate a derivation: %w", err)
	}
	return interpolants, nil
}

// strengthen conjoins the interpolants to the labels of the derivation's nodes.
func (x *explorer) strengthen(ctx context.Context, d *derivation, interpolants []*term.Term) error {
	var stronger []*node
	for i, at := range d.places {
		n := at.node
		if n.pred == x.system.Goal || at.end || n.removed {
			continue
		}
		if interpolants[i].IsFalse() {
			x.remove(n)
			continue
		}
		changed, err := x.conjoin(ctx, n, interpolants[i])
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
func (x *explorer) track(_ context.Context, d *derivation, interpolants []*term.Term) error {
	var cut []*node
	for i, at := range d.places {
		n := at.node
		if n.pred == x.system.Goal {
			continue
		}
		for _, c := range term.Conjuncts(interpolants[i]) {
			if c.IsTrue() || slices.Contains(n.label, c) {
				continue
			}
			// Tracking conjuncts as a whole is what makes sure that the derivation does not come back.
			x.count("predicates.tracked", int64(x.precision[n.pred.ID].refine(c)))
			if !slices.Contains(cut, n) {
				cut = append(cut, n)
			}
		}
	}
	if len(cut) == 0 {
		return &engine.Incomplete{Reason: "a query is excluded by the labels of its derivation, but the solver does not see it; try --engine spacer"}
	}
	for _, n := range cut {
		x.remove(n)
	}
	for _, n := range cut {
		x.again(n.edge)
	}
	return nil
}
