package catamorphism

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/engine"
)

// Engine returns the engine with an inner solver for the clauses over components.
func Engine(inner func(engine.Settings) engine.Inner) engine.Engine {
	return engine.Engine{
		Name: "catamorphism",
		Doc: "Replaces recursive datatypes by integers that folds compute from them, such as lengths and sums, solves the " +
			"clauses over these with the prover, and refines the folds by derivations that do not hold on the datatypes. Before " +
			"that, and where no folds help, it reads predicates as recursive functions and proves the rest by induction.",
		Options:  new(options).table(),
		Fragment: fragment,
		Solve: engine.Solver("catamorphism", (*options).table, func(ctx context.Context, sys *chc.System, s engine.Settings, o options) (engine.Answer, error) {
			l, err := newLoop(sys, s, o, inner(s))
			if err != nil {
				return engine.Answer{}, err
			}
			defer l.close()
			return l.run(ctx)
		}),
	}
}

// fragment accepts systems with recursive datatypes whose other sorts can stay as they are.
func fragment(sys *chc.System) error {
	s, err := survey(sys)
	if err != nil {
		return fmt.Errorf("catamorphism: %w", err)
	}
	if !s.anyRecursive() {
		return errors.New("catamorphism: the clauses have no recursive datatypes")
	}
	return nil
}
