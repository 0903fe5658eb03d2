package engine

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/internal/smt"
)

// Incomplete is an error that ends an engine's run with the verdict unknown, for a reason that is no fault.
type Incomplete struct{ Reason string }

func (e *Incomplete) Error() string { return e.Reason }

// Solver returns the Solve of an engine: it reads the options of the engine's table, runs it, and returns what Ended makes of the result.
func Solver[O any](
	name string, table func(*O) []Option, run func(context.Context, *chc.System, Settings, O) (Answer, error),
) func(context.Context, *chc.System, Settings) (Answer, error) {
	return func(ctx context.Context, sys *chc.System, s Settings) (Answer, error) {
		o, err := Read(table, s)
		if err != nil {
			return Answer{}, err
		}
		answer, err := run(ctx, sys, s, o)
		return Ended(ctx, name, answer, err)
	}
}

// Ended is what the Solve of an engine returns for the answer, or the error, of its run: where ctx is done, the run is Incomplete,
// or a solver's model has no value that is one here, the answer is Unknown with a reason. Any other error is a fault.
func Ended(ctx context.Context, name string, answer Answer, err error) (Answer, error) {
	var gaveUp *Incomplete
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return Answer{Reason: context.Cause(ctx).Error()}, nil
	case errors.As(err, &gaveUp):
		return Answer{Reason: gaveUp.Reason}, nil
	case errors.Is(err, smt.ErrNoValue):
		return Answer{Reason: Unfounded(err.Error())}, nil
	}
	return Answer{}, fmt.Errorf("%s: %w", name, err)
}
