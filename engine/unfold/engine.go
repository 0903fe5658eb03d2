package unfold

import (
	"cmp"
	"context"
	"errors"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/unfold"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// Engine answers sat with the least model, which the clauses define, and unsat with the derivation that the query's model chooses.
func Engine() engine.Engine {
	return engine.Engine{
		Name: "unfold",
		Doc: "Clauses without recursion as one formula: all derivations of a query, asked of Z3's tactics, which decides programs " +
			"whose loops are written out.",
		Fragment: fragment,
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			answer, err := decide(ctx, sys, s)
			return engine.Ended(ctx, "unfold", answer, err)
		},
	}
}

// fragment refuses systems in which a predicate depends on itself.
func fragment(sys *chc.System) error {
	if !chc.NewGraph(sys).Acyclic() {
		return errors.New("unfold is for clauses without recursion")
	}
	return nil
}

// longest is the limit of the last questions, if none before is answered.
const longest = 20 * time.Minute

// decide lets the checker ask whether a query can be derived, and reads the answer: where none can, its question was the proof.
func decide(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	told := func(u *unfold.Unfolding) { s.Stats.Set("unfold.nodes", int64(u.Formula.Size())) }
	limit := s.CheckLimit
	limit.Time = cmp.Or(limit.Time, witness.DefaultLimit)
	found, err := witness.AskLeast(ctx, checker(s), sys, limit, told)
	for errors.Is(err, witness.ErrOpen) && limit.Time < longest {
		// Where there is time for more, it is asked with more.
		limit.Time *= 2
		found, err = witness.AskLeast(ctx, checker(s), sys, limit, told)
	}
	switch {
	case errors.Is(err, witness.ErrUndecided):
		return engine.Answer{}, &engine.Incomplete{Reason: err.Error()}
	case err != nil:
		return engine.Answer{}, err
	case found.Model != nil:
		return engine.Answer{Verdict: engine.Sat, Model: found.Model}, nil
	}
	r := refuter{values: term.NewEvaluator(sys.Pool, found.Values), steps: map[*unfold.Way]int{}}
	if !r.refute(found.Unfolding.Queries) {
		return engine.Answer{}, &engine.Incomplete{Reason: engine.Unfounded("the solver's derivation of a query is none")}
	}
	return engine.Answer{Verdict: engine.Unsat, Refutation: &r.refutation}, nil
}

// checker opens the checker's solvers.
func checker(s engine.Settings) smt.Opener {
	if s.CheckOpen != nil {
		return s.CheckOpen
	}
	return s.Open
}
