package sums

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/ghost"
	"hornbeam/chc/witness"
)

// Pass returns the pass "sums".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "sums",
		Doc: "Gives predicates, for each array of integers whose elements have something added and each array of truth values, the " +
			"sum of its positive elements or how many are true, and how many are a constant that is stored or asked for where numbers " +
			"change by constants; models come back with a recursive function for it.",
		Run: func(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return addSums(ctx, sys)
		},
	}
}

// summed reports whether arrays of the sort have sums.
func summed(s *term.Sort) bool {
	return s.IsArray() && s.Index == term.Int && (s.Elem == term.Int || s.Elem == term.Bool)
}

// addition is one run of the pass and its Translator. The sum of an array is over the weights of its elements from index 0 to before
// the weight's end. That weights are not negative has consequences for every array, such as that none is greater than the sum. Every clause of the new system has the same
// variables as the old one and more, and its constraint implies the old one; whatever is true of the sums of arrays satisfies what is
// added. So each system has a model, or a refutation, when the other one has.
type addition struct {
	old, new *chc.System
	// measures are the sums of the arguments of the old predicates, by ID.
	measures [][]measure
}

func addSums(ctx context.Context, sys *chc.System) (*chc.System, transform.Translator, error) {
	t := &addition{old: sys, measures: measures(sys)}
	arguments := make([][]ghost.Argument, len(t.measures))
	for i, sums := range t.measures {
		for _, m := range sums {
			arguments[i] = append(arguments[i], ghost.Argument{Array: m.position, Suffix: m.weight.suffix()})
		}
	}
	next, err := ghost.Extend(ctx, sys, arguments, t.clause)
	if err != nil || next == sys {
		return next, nil, err
	}
	t.new = next
	return next, t, nil
}

// clause returns the clause with sums for its arrays.
func (t *addition) clause(c *chc.Clause, preds []*chc.Predicate) *chc.Clause {
	d := t.draft()
	d.prepare(c)
	out := c.MapAtoms(func(a chc.App) chc.App {
		args := slices.Clone(a.Args)
		for _, m := range t.measures[a.Pred.ID] {
			args = append(args, d.sum(summand{a.Args[m.position], m.weight}))
		}
		return chc.App{Pred: preds[a.Pred.ID], Args: args}
	})
	constraint := d.equalities(c.Constraint)
	out.Constraint = d.pool.And(append([]*term.Term{constraint}, d.facts()...)...)
	return out
}

// Refutation forgets the sums.
func (t *addition) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return transform.RecodeSteps(t.old.Pool, r, t.old.Clauses, t.new.Clauses, nil)
}
