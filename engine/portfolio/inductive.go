package portfolio

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine"
	"hornbeam/engine/houdini"
)

// withInference hands an engine's settings Houdini, for an engine that has candidates of its own and may not import it.
// What the inference learns is counted, but it is not in the trace, which is the engine's.
func withInference(s engine.Settings) engine.Settings {
	inner := s
	inner.Events, inner.Exchange = nil, nil
	s.Inductive = func(ctx context.Context, sys *chc.System, candidates map[*chc.Predicate][]*term.Term) (map[*chc.Predicate][]*term.Term, error) {
		survivors, _, err := houdini.InferFrom(ctx, sys, inner, candidates)
		return survivors, err
	}
	return s
}
