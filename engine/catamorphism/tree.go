package catamorphism

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/internal/smt"
)

// tree is the shape of a refutation, with the clauses of the source and a copy of their variables for each node.
type tree struct {
	*witness.Skeleton
	pool *term.Pool
	// formulas hold together, where the terms of each link are equal, exactly when the tree is a refutation of the source
	// for some values of the variables.
	formulas []*term.Term
}

// newTree reads the shape of a refutation of the abstract system off its steps: clause i stands for clause i of sys. facts
// are those of abstractSystem. In trees of more than so many nodes, steps that several others use stay one step.
func newTree(sys *chc.System, r *witness.Refutation, facts [][]*term.Term, most int) (*tree, error) {
	skeleton, err := witness.NewSkeleton(sys, r, most)
	if err != nil {
		return nil, err
	}
	t := &tree{Skeleton: skeleton, pool: sys.Pool}
	for _, n := range t.Nodes {
		own := sys.Pool.NewSubstitution(n.Own)
		t.formulas = append(t.formulas, own.Apply(n.Clause.Constraint))
		for _, f := range facts[n.Clause.ID] {
			t.formulas = append(t.formulas, own.Apply(f))
		}
	}
	return t, nil
}

// overComponents is what the tree says over components: it is a refutation of the abstract system when that can hold.
// Links are between components, as they are there: that equal constructor terms have equal fields is lost.
func (t *tree) overComponents(e *encoding) *term.Term {
	a := newAbstraction(e)
	var equal []*term.Term
	for _, n := range t.Nodes {
		for _, l := range n.Links {
			equal = append(equal, a.equal(a.value(l[0]), a.value(l[1])))
		}
	}
	return t.pool.And(append(equal, a.conjunction(t.formulas))...)
}

// refutation asks whether the tree is a refutation of the source: it returns one that passed its check, or whether it is
// spurious; neither when that stays open.
func (t *tree) refutation(ctx context.Context, q *querier, sys *chc.System) (r *witness.Refutation, spurious bool, err error) {
	formulas := slices.Clone(t.formulas)
	for _, n := range t.Nodes {
		for _, l := range n.Links {
			formulas = append(formulas, t.pool.Eq(l[0], l[1]))
		}
	}
	err = smt.Within(q.solver, formulas, func() error {
		status, err := q.solver.Check(ctx)
		if err != nil || status != smt.Sat {
			spurious = status == smt.Unsat
			return err
		}
		m, err := q.solver.Model()
		if err == nil {
			r = t.Refutation(m)
		}
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("checking a refutation on datatypes: %w", err)
	}
	if r == nil || witness.CheckRefutation(ctx, sys, r) != nil {
		return nil, spurious, nil
	}
	return r, false, nil
}
