package indices

import (
	"context"
	"errors"

	"hornbeam/chc"
	"hornbeam/chc/transform/expand"
	"hornbeam/engine"
)

// Engine returns the engine with an inner solver for the clauses over elements.
func Engine(inner func(engine.Settings) engine.Inner) engine.Engine {
	return engine.Engine{
		Name: "indices",
		Doc: "Replaces arrays by their elements at few indices, solves the clauses over these, and adds indices by derivations that do not " +
			"hold on the arrays (EUREKA). For programs over arrays of a known, small size.",
		Options: new(options).table(),
		Fragment: func(sys *chc.System) error {
			if expand.NewTracked(sys).Arrays() == 0 {
				return errors.New("indices: no argument of a predicate is an array that can be replaced by elements: they are compared or stored as a whole, or there is none")
			}
			return nil
		},
		Solve: engine.Solver("indices", (*options).table, func(ctx context.Context, sys *chc.System, s engine.Settings, o options) (engine.Answer, error) {
			l, err := newLoop(sys, s, o, inner(s))
			if err != nil {
				return engine.Answer{}, err
			}
			defer l.close()
			return l.run(ctx)
		}),
	}
}
