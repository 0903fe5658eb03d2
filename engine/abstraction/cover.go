package abstraction

import (
	"context"
	"errors"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
)

// implied covers a node by the first active one, made earlier, whose label its own implies. None of these follows from the node.
func (x *explorer) implied(ctx context.Context, n *node) (bool, error) {
	for _, by := range x.of[n.pred.ID] {
		if by.id >= n.id {
			break
		}
		if !by.active {
			continue
		}
		implied, err := x.implies(ctx, n, by.label)
		if err != nil {
			return false, err
		}
		if implied {
			x.setCover(n, by)
			x.count("covers", 1)
			return true, nil
		}
	}
	return false, nil
}

// implies reports whether a node's label implies a formula. Tuples of which the label is known to hold are asked first.
func (x *explorer) implies(ctx context.Context, n *node, formula []*term.Term) (bool, error) {
	open := slices.DeleteFunc(slices.Clone(formula), func(t *term.Term) bool { return slices.Contains(n.label, t) })
	if len(open) == 0 {
		return true, nil
	}
	if len(n.label) == 0 {
		return false, nil
	}
	denied := x.pool.Not(x.pool.And(open...))
	for _, m := range n.models {
		if term.NewEvaluator(x.pool, m).True(denied) {
			x.count("cover.evaluated", 1)
			return false, nil
		}
	}
	var err error
	if x.plain, err = x.opened(x.plain); err != nil {
		return false, err
	}
	x.count("cover.checks", 1)
	var status smt.Status
	var m *smt.Model
	err = x.plain.given(append(slices.Clone(n.label), denied), func() (err error) {
		status, m, err = x.plain.ask(ctx)
		return err
	})
	if err != nil {
		return false, err
	}
	if m != nil && len(n.models) < mostModels {
		n.models = append(n.models, term.Complete(x.pool, m))
	}
	return status == smt.Unsat, nil
}

// conjoin makes a node's label stronger, and reports whether it was not so strong before.
func (x *explorer) conjoin(ctx context.Context, n *node, formula *term.Term) (bool, error) {
	changed := false
	for _, c := range term.Conjuncts(formula) {
		implied, err := x.implies(ctx, n, []*term.Term{c})
		if err != nil {
			return changed, err
		}
		if implied {
			continue
		}
		changed = true
		n.label = append(slices.Clip(n.label), c)
		n.models = slices.DeleteFunc(n.models, func(m term.Assignment) bool { return !term.NewEvaluator(x.pool, m).True(c) })
	}
	return changed, nil
}

// forced is implied, and tries then to make the node's label, and those of the nodes that it follows from, so strong that it is.
func (x *explorer) forced(ctx context.Context, n *node) (bool, error) {
	covered, err := x.implied(ctx, n)
	if err != nil || covered {
		return covered, err
	}
	tried := 0
	for _, by := range slices.Backward(x.of[n.pred.ID]) {
		if by.id >= n.id || !by.active || tried == mostForced {
			continue
		}
		tried++
		forced, err := x.force(ctx, n, by)
		if err != nil || forced {
			return forced, err
		}
	}
	return false, nil
}

// force covers a node by another one where the derivation of the node, from the nodes that the other one follows from too,
// implies the other one's label.
func (x *explorer) force(ctx context.Context, n, by *node) (bool, error) {
	x.count("cover.forcing", 1)
	d, err := unfold(n, by.ancestors())
	if err != nil {
		return false, err
	}
	// The node's own interpolant is the other one's label: what is above it denies that.
	up := itp.Node{Formula: x.pool.Not(x.pool.And(by.label...)), Children: []int{len(d.places) - 1}, Slots: [][]*term.Term{n.pred.Params}}
	interpolants, err := x.interpolate(ctx, append(x.tree(d), up))
	switch {
	case err != nil && ctx.Err() == nil && slices.ContainsFunc([]error{itp.ErrNotDisjoint, itp.ErrModel, itp.ErrBudget, itp.ErrUnverified}, func(e error) bool { return errors.Is(err, e) }):
		return false, nil
	case err != nil:
		return false, err
	}
	x.count("cover.forced", 1)
	interpolants[len(d.places)-1] = x.pool.And(by.label...)
	if err := x.strengthen(ctx, d, interpolants); err != nil {
		return false, err
	}
	if n.removed || n.cover != nil || !n.edge.active() {
		return true, nil
	}
	return x.implied(ctx, n)
}

// ancestors are the nodes that a node follows from.
func (n *node) ancestors() map[*node]bool {
	out := map[*node]bool{}
	var visit func(*node)
	visit = func(m *node) {
		for _, b := range m.body {
			if !out[b] {
				out[b] = true
				visit(b)
			}
		}
	}
	visit(n)
	return out
}
