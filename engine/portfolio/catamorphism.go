package portfolio

import (
	"context"
	"errors"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/calls"
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/engine/catamorphism"
	"hornbeam/spacer"
)

// catamorphismEngine is the engine with the prover for the clauses over folds. Its passes are the default ones but for calls: what is
// true of a function is found for it alone, whoever uses it.
func catamorphismEngine() engine.Engine {
	folds := single("folds", spacer.Engine(), withoutCalls())
	return catamorphism.Engine(func(s engine.Settings) engine.Inner { return innerStrategy(s, folds) })
}

// withoutCalls returns the default passes but for calls.
func withoutCalls() []transform.Pass {
	return slices.DeleteFunc(passes.Default(), func(p transform.Pass) bool { return p.Name == calls.Pass().Name })
}

// innerStrategy decides systems with a strategy as Solve does, but neither checks witnesses nor counts anything.
func innerStrategy(s engine.Settings, l strategy) engine.Inner {
	return func(ctx context.Context, sys *chc.System) (engine.Answer, error) {
		// Whatever the system stands for, it is what is to be decided, and the first answer ends the strategy.
		own := *sys
		own.Approximation = chc.Exact
		answer := l.solve(ctx, Request{System: &own, Open: s.Open, Seed: s.Seed, Options: s.Options, Log: s.Log})
		if answer.Internal {
			return answer, errors.New(answer.Reason)
		}
		return answer, nil
	}
}

// lightPasses are those that an engine for which clauses should stay as they are gets when none are asked for: they
// neither resolve clauses with each other nor change what arguments mean.
const lightPasses = "selectors,divisions,flatten,normalise,coi,subsume,constants,slice,free-arguments,unsat-bodies"

// passesFor returns the passes for one of the engines that are named, when none are asked for. Those that answer with the least model
// get none: it has no interpretations that passes could carry back. Where one of the engines says up to which recursion bound there is
// no bug, all that share its clauses keep calls as they are: what was a call tree with few turns of a loop in each call would be one long
// way down, on which the turns follow each other.
func passesFor(engine string, names []string) ([]transform.Pass, error) {
	switch engine {
	case "catamorphism":
		return passes.Select(lightPasses)
	case "unfold", "unwind":
		return nil, nil
	}
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains([]string{"inline", "bmc", "kinduction"}, name) }) {
		return withoutCalls(), nil
	}
	return passes.Default(), nil
}
