package unfold

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/unfold"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// Unwind answers sat with the least model of linear clauses whose derivations all end after some number of steps.
func Unwind() engine.Engine {
	return engine.Engine{
		Name: "unwind",
		Doc: "Linear clauses from the facts on, all derivations of one length together, until there are none that are longer: a proof " +
			"of loops that end, as model checkers with unwinding assertions have. It refutes nothing.",
		Fragment: func(sys *chc.System) error {
			if slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool { return len(c.Body) > 1 }) {
				return errors.New("unwind is for clauses with one premise at most")
			}
			return nil
		},
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			answer, err := unwind(ctx, sys, s)
			return engine.Ended(ctx, "unwind", answer, err)
		},
	}
}

func unwind(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
	solvers, err := s.Open(sys.Pool, smt.Config{Seed: s.Seed})
	if err != nil {
		return engine.Answer{}, fmt.Errorf("open a solver for the derivations: %w", err)
	}
	defer solvers.Close()
	solver, err := solvers.NewSolver(smt.Params{})
	if err != nil {
		return engine.Answer{}, fmt.Errorf("open a solver for the derivations: %w", err)
	}
	defer solver.Close()
	steps, err := witness.Exhaust(ctx, solver, sys)
	switch {
	case errors.Is(err, witness.ErrReached), errors.Is(err, unfold.ErrTooMany), errors.Is(err, witness.ErrOpen):
		return engine.Answer{}, &engine.Incomplete{Reason: err.Error()}
	case err != nil:
		return engine.Answer{}, err
	}
	s.Stats.Set("unwind.steps", int64(steps))
	return engine.Answer{Verdict: engine.Sat, Model: witness.LeastWithin(steps)}, nil
}
