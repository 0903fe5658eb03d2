package inline

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/engine"
)

// Engine is stratified inlining.
func Engine() engine.Engine {
	return newEngine("inline", "Stratified inlining: looks for refutations of growing recursion depth and inlines a call only when an abstract "+
		"counterexample, or the proof that there is none so far, needs it. Finds bugs, and proves what needs no invariant.", (*hunter).stratified)
}

// BMC is static inlining.
func BMC() engine.Engine {
	return newEngine("bmc", "Static inlining, a plain bounded model checker for comparison: inlines everything up to a growing recursion bound.", (*hunter).static)
}

func newEngine(name, doc string, search func(*hunter, context.Context) (engine.Answer, error)) engine.Engine {
	return engine.Engine{
		Name: name, Doc: doc, Options: new(options).table(), Fragment: func(*chc.System) error { return nil },
		Solve: func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
			o, err := newOptions(s)
			if err != nil {
				return engine.Answer{}, err
			}
			given := sys
			if o.direction == "forward" && sys.Linear() {
				sys = reversed(sys)
			}
			h, err := newHunter(sys, s, o)
			if err != nil {
				return engine.Answer{}, fmt.Errorf("%s: %w", name, err)
			}
			defer h.close()
			if o.share == "first" {
				h.startSharing()
			}
			answer, err := search(h, ctx)
			var gaveUp *incomplete
			switch {
			case err != nil && ctx.Err() != nil:
				return engine.Answer{Reason: context.Cause(ctx).Error()}, nil
			case errors.As(err, &gaveUp):
				return engine.Answer{Reason: gaveUp.reason}, nil
			case err != nil:
				return engine.Answer{}, fmt.Errorf("%s: %w", name, err)
			}
			if sys != given {
				answer = back(given, answer)
			}
			return answer, nil
		},
	}
}
