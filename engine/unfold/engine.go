package unfold

import (
	"context"
	"errors"
	"fmt"

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
		Solve:    solve,
	}
}

// fragment refuses systems in which a predicate depends on itself.
func fragment(sys *chc.System) error {
	g := chc.NewGraph(sys)
	for _, p := range sys.Predicates {
		if g.Recursive(p) {
			return errors.New("unfold is for clauses without recursion")
		}
	}
	return nil
}

func solve(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	u, err := unfold.Of(ctx, sys)
	switch {
	case ctx.Err() != nil:
		return engine.Answer{Reason: context.Cause(ctx).Error()}, nil
	case errors.Is(err, unfold.ErrTooMany):
		return engine.Answer{Reason: err.Error()}, nil
	case err != nil:
		return engine.Answer{}, err
	}
	s.Stats.Set("unfold.nodes", int64(u.Formula.Size()))
	solvers, err := s.Open(sys.Pool, smt.Config{Seed: s.Seed})
	if err != nil {
		return engine.Answer{}, fmt.Errorf("open a solver for all derivations: %w", err)
	}
	defer solvers.Close()
	solver, err := solvers.NewSolver(smt.Params{Auto: true})
	if err != nil {
		return engine.Answer{}, fmt.Errorf("open a solver for all derivations: %w", err)
	}
	defer solver.Close()
	if err := solver.Assert(u.Formula); err != nil {
		return engine.Answer{}, fmt.Errorf("assert all derivations: %w", err)
	}
	status, err := solver.Check(ctx)
	switch {
	case ctx.Err() != nil:
		return engine.Answer{Reason: context.Cause(ctx).Error()}, nil
	case err != nil:
		return engine.Answer{}, fmt.Errorf("check all derivations: %w", err)
	case status == smt.Unsat:
		return engine.Answer{Verdict: engine.Sat, Model: witness.Least()}, nil
	case status == smt.Unknown:
		return engine.Answer{Reason: "the solver does not say whether a query can be derived: " + solver.ReasonUnknown()}, nil
	}
	found, err := solver.Model()
	if err != nil {
		return engine.Answer{}, fmt.Errorf("read the derivation of a query: %w", err)
	}
	r := refuter{values: term.NewEvaluator(sys.Pool, term.Complete(sys.Pool, found)), steps: map[*unfold.Way]int{}}
	if !r.refute(u.Queries) {
		return engine.Answer{Reason: engine.Unfounded("the solver's derivation of a query is none")}, nil
	}
	return engine.Answer{Verdict: engine.Unsat, Refutation: &r.refutation}, nil
}
