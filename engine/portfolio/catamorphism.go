package portfolio

import (
	"context"
	"errors"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/engine/catamorphism"
	"hornbeam/spacer"
)

// catamorphismEngine is the engine with the prover and its default passes for the clauses over folds.
func catamorphismEngine() engine.Engine { return catamorphism.Engine(innerProver) }

// innerProver decides systems with the prover as Solve does, but neither checks witnesses nor counts anything.
func innerProver(s engine.Settings) catamorphism.Inner {
	return func(ctx context.Context, sys *chc.System) (engine.Answer, error) {
		answer := single("folds", spacer.Engine(), passes.Default()).solve(ctx, Request{System: sys, Open: s.Open, Seed: s.Seed, Options: s.Options, Log: s.Log})
		if answer.Internal {
			return answer, errors.New(answer.Reason)
		}
		return answer, nil
	}
}

// lightPasses are those that an engine for which clauses should stay as they are gets when none are asked for: they
// neither resolve clauses with each other nor change what arguments mean.
const lightPasses = "selectors,divisions,flatten,normalise,coi,subsume,constants,slice,free-arguments,unsat-bodies"

// passesFor returns the passes for an engine when none are asked for.
func passesFor(engine string) ([]transform.Pass, error) {
	if engine == "catamorphism" {
		return passes.Select(lightPasses)
	}
	return passes.Default(), nil
}
