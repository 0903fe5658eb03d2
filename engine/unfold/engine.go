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

// decide asks whether a query can be derived, and reads the answer.
func decide(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	u, err := unfold.Of(ctx, sys)
	if errors.Is(err, unfold.ErrTooMany) {
		return engine.Answer{}, &engine.Incomplete{Reason: err.Error()}
	}
	if err != nil {
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
	scalars := u.Scalars(sys.Pool)
	if err := solver.Assert(scalars.Formula); err != nil {
		return engine.Answer{}, fmt.Errorf("assert all derivations: %w", err)
	}
	switch status, err := solver.Check(ctx); {
	case err != nil:
		return engine.Answer{}, fmt.Errorf("check all derivations: %w", err)
	case status == smt.Unsat:
		return engine.Answer{Verdict: engine.Sat, Model: witness.Least()}, nil
	case ctx.Err() != nil:
		return engine.Answer{}, ctx.Err()
	case status == smt.Unknown:
		return engine.Answer{}, &engine.Incomplete{Reason: "the solver does not say whether a query can be derived: " + solver.ReasonUnknown()}
	}
	found, err := solver.Model()
	if err != nil {
		return engine.Answer{}, fmt.Errorf("read the derivation of a query: %w", err)
	}
	values := scalars.Assignment(term.Complete(sys.Pool, found))
	r := refuter{values: term.NewEvaluator(sys.Pool, values), steps: map[*unfold.Way]int{}}
	if !r.refute(u.Queries) {
		return engine.Answer{}, &engine.Incomplete{Reason: engine.Unfounded("the solver's derivation of a query is none")}
	}
	return engine.Answer{Verdict: engine.Unsat, Refutation: &r.refutation}, nil
}
