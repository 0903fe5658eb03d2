package specialise

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/transform"
)

// stateOptions are the bounds of the pass states. It splits by data, too, so that the result may be much larger than the system.
func stateOptions() Options {
	o := DefaultOptions()
	o.Spread = 1000
	o.MaxCopies, o.MaxClauses, o.MaxChecks, o.MaxBranch = 300, 1200, 1500, 32
	o.Growth, o.GrowthBase = 50, 20000
	return o
}

// States returns the pass "states". The passes that simplify returns are run on what it makes.
func States(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "states",
		Doc: "Splits predicates by the values of all arguments that have few, as far as few combinations are reachable: the state of a " +
			"protocol becomes control flow.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			next, first, err := runSpecialise(ctx, env, sys, stateOptions())
			if err != nil || next == sys {
				return sys, nil, err
			}
			passes := slices.DeleteFunc(simplify(), func(p transform.Pass) bool { return p.Name == "specialise" })
			simple, second, _, err := transform.Pipeline(ctx, transform.Environment{Open: env.Open}, next, passes)
			if err != nil {
				return nil, nil, err
			}
			return simple, transform.Composition{first, second}, nil
		},
	}
}
