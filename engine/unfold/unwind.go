package unfold

import (
	"context"
	"errors"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/engine"
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
	m, err := witness.AskWithin(ctx, checker(s), sys, s.CheckLimit)
	switch {
	case errors.Is(err, witness.ErrUndecided), errors.Is(err, witness.ErrInvalid):
		return engine.Answer{}, &engine.Incomplete{Reason: err.Error()}
	case err != nil:
		return engine.Answer{}, err
	}
	s.Stats.Set("unwind.steps", int64(m.Steps))
	return engine.Answer{Verdict: engine.Sat, Model: m}, nil
}
