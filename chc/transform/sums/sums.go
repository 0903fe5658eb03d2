package sums

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
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
	preds := make([]*chc.Predicate, len(sys.Predicates))
	changed := false
	for i, p := range sys.Predicates {
		preds[i] = p
		if len(t.measures[i]) > 0 {
			preds[i] = withSums(p, t.measures[i])
			changed = true
		}
	}
	if !changed {
		return sys, nil, nil
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		clauses[i] = t.clause(c, preds)
	}
	t.new = transform.Rebuild(sys, preds, clauses)
	return t.new, t, nil
}

// withSums is p with an argument for each of the sums after its own.
func withSums(p *chc.Predicate, sums []measure) *chc.Predicate {
	q := *p
	q.Sorts, q.ArgNames = slices.Clone(p.Sorts), slices.Clone(p.ArgNames)
	for _, m := range sums {
		q.Sorts = append(q.Sorts, term.Int)
		if p.ArgNames != nil {
			q.ArgNames = append(q.ArgNames, p.ArgNames[m.position]+m.weight.suffix())
		}
	}
	return &q
}

// clause returns the clause with sums for its arrays.
func (t *addition) clause(c *chc.Clause, preds []*chc.Predicate) *chc.Clause {
	d := t.draft()
	d.prepare(c)
	out := *c
	app := func(a chc.App) chc.App {
		args := slices.Clone(a.Args)
		for _, m := range t.measures[a.Pred.ID] {
			args = append(args, d.sum(summand{a.Args[m.position], m.weight}))
		}
		return chc.App{Pred: preds[a.Pred.ID], Args: args}
	}
	out.Body = nil
	for _, a := range c.Body {
		out.Body = append(out.Body, app(a))
	}
	if c.Head != nil {
		h := app(*c.Head)
		out.Head = &h
	}
	constraint := d.equalities(c.Constraint)
	out.Constraint = d.pool.And(append([]*term.Term{constraint}, d.facts()...)...)
	return &out
}

// Refutation forgets the sums.
func (t *addition) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return transform.RecodeSteps(t.old.Pool, r, t.old.Clauses, t.new.Clauses, nil)
}
