package folds

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/ghost"
	"hornbeam/chc/witness"
)

// Pass returns the pass "folds".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "folds",
		Doc: "Gives predicates, for each array of integers whose elements a loop adds up or counts, the sums of the elements before " +
			"the loops' indices and their ends, and the elements at the indices; models come back with recursive functions for them.",
		Run: func(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return addFolds(ctx, sys)
		},
	}
}

// folding is one run of the pass and its Translator. Every clause of the new system has the same variables as the old one and more, and
// its constraint implies the old one; what the arrays' true sums are satisfies what is added. So each system has a model, or a
// refutation, when the other one has.
type folding struct {
	old, new *chc.System
	// measures are the new arguments of the old predicates, by ID.
	measures [][]measure
}

func addFolds(ctx context.Context, sys *chc.System) (*chc.System, transform.Translator, error) {
	t := &folding{old: sys, measures: measures(sys)}
	arguments := make([][]ghost.Argument, len(t.measures))
	for i, of := range t.measures {
		for _, m := range of {
			arguments[i] = append(arguments[i], ghost.Argument{Array: m.array, Suffix: m.suffix()})
		}
	}
	next, err := ghost.Extend(ctx, sys, arguments, t.clause)
	if err != nil || next == sys {
		return next, nil, err
	}
	t.new = next
	return next, t, nil
}

// clause returns the clause with the sums of its arrays.
func (t *folding) clause(c *chc.Clause, preds []*chc.Predicate) *chc.Clause {
	d := t.draft(c)
	out := c.MapAtoms(func(a chc.App) chc.App {
		args := slices.Clone(a.Args)
		for _, m := range t.measures[a.Pred.ID] {
			args = append(args, d.measure(m, a.Args))
		}
		return chc.App{Pred: preds[a.Pred.ID], Args: args}
	})
	constraint := d.equalities(c.Constraint)
	out.Constraint = d.pool.And(append([]*term.Term{constraint}, d.facts()...)...)
	return out
}

// Refutation forgets the sums.
func (t *folding) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return transform.RecodeSteps(t.old.Pool, r, t.old.Clauses, t.new.Clauses, nil)
}
