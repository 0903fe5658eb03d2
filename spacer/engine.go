package spacer

import (
	"context"

	"hornbeam/chc"
	"hornbeam/engine"
)

// Engine is the prover with may and must summaries.
func Engine() engine.Engine {
	return newEngine("spacer", "Proves and refutes with may summaries (lemmas at levels) and must summaries (reach facts), "+
		"model-based projection and half-space lemmas; linear and non-linear clauses.", true)
}

// GPDR is the prover without must summaries.
func GPDR() engine.Engine {
	return newEngine("gpdr", "The prover without must summaries, for comparison.", false)
}

func newEngine(name, doc string, must bool) engine.Engine {
	return engine.Engine{
		Name: name, Doc: doc, Options: new(options).table(), Fragment: fragment,
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			o, err := newOptions(s, must)
			if err != nil {
				return engine.Answer{}, err
			}
			return solve(ctx, sys, s, o)
		},
	}
}

// fragment accepts every system; what projection cannot eliminate it replaces by values.
func fragment(*chc.System) error { return nil }
