package assume

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/qe"
	"hornbeam/chc/witness"
)

// Pass returns the pass "assume-safe".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "assume-safe",
		Doc: "Assumes in the bodies of rules that no query with one atom is violated there: an unrolling from the queries is the inductive " +
			"step of k-induction then.",
		Run: assumeSafe,
	}
}

// assumeSafe conjoins to each clause, for each atom p(t) of its body, that t violates no query whose only atom is one of p. These
// queries themselves stay as they are. A query with variables that cannot be eliminated exactly is not assumed.
//
// Both witnesses stay as they are. A model of the new clauses satisfies the queries, so that its interpretation of p implies what
// was conjoined. A refutation of the new clauses is one of the old, whose constraints are weaker. None is lost, since a smallest
// refutation violates a query at its root only.
func assumeSafe(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	violations, err := violationsOf(ctx, sys)
	if err != nil || len(violations) == 0 {
		return sys, nil, err
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	translator := &transform.ClauseTranslator{Env: env, Old: sys, Origins: make([][]transform.Origin, len(sys.Clauses))}
	changed := false
	for i, c := range sys.Clauses {
		clauses[i] = c
		translator.Origins[i] = []transform.Origin{{Clause: c}}
		if isBound(c) {
			continue
		}
		safe := []*term.Term{c.Constraint}
		for _, a := range c.Body {
			if v, ok := violations[a.Pred]; ok {
				safe = append(safe, sys.Pool.Not(v.Apply(sys.Pool, a.Args)))
			}
		}
		if constraint := sys.Pool.And(safe...); constraint != c.Constraint {
			strengthened := *c
			strengthened.Constraint = constraint
			clauses[i], changed = &strengthened, true
		}
	}
	if !changed {
		return sys, nil, nil
	}
	translator.New = transform.Rebuild(sys, sys.Predicates, clauses)
	translator.Replacements = transform.Identity(translator.New)
	return translator.New, translator, nil
}

// isBound reports whether a clause is a query with one atom, which bounds what its predicate may mean.
func isBound(c *chc.Clause) bool { return c.IsQuery() && len(c.Body) == 1 }

// violationsOf has, by predicate, when its queries are violated. The error is ctx's.
func violationsOf(ctx context.Context, sys *chc.System) (map[*chc.Predicate]witness.Interpretation, error) {
	violations := map[*chc.Predicate]witness.Interpretation{}
	for _, c := range sys.Clauses {
		if !isBound(c) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a := c.Body[0]
		v, ok := violations[a.Pred]
		if !ok {
			v = witness.Interpretation{Params: transform.Parameters(sys.Pool, a.Pred), Body: sys.Pool.False()}
		}
		conjuncts := []*term.Term{c.Constraint}
		for i, t := range a.Args {
			conjuncts = append(conjuncts, sys.Pool.Eq(v.Params[i], t))
		}
		when, exact := qe.NewProjector(sys.Pool, v.Params, qe.DefaultWork, qe.DefaultNodes).Exists(conjuncts...)
		if !exact {
			continue
		}
		v.Body = sys.Pool.Or(v.Body, when)
		violations[a.Pred] = v
	}
	return violations, nil
}
