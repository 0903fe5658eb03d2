package specialise

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/codes"
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
		Doc: "Runs codes, and splits predicates by all Boolean arguments as far as few combinations are reachable: the state of a protocol " +
			"becomes control flow.",
		Run: func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			coded, decode, groups, err := codes.Encode(ctx, sys)
			if err != nil {
				return nil, nil, err
			}
			split, merge, err := split(ctx, env, coded, stateOptions(), groups)
			if err != nil || split == sys {
				return sys, nil, err
			}
			passes := slices.DeleteFunc(simplify(), func(p transform.Pass) bool { return p.Name == "specialise" })
			simple, back, _, err := transform.Pipeline(ctx, transform.Environment{Open: env.Open}, split, passes)
			if err != nil {
				return nil, nil, err
			}
			all := transform.Composition{}
			for _, b := range []transform.Translator{decode, merge, back} {
				if b != nil {
					all = append(all, b)
				}
			}
			return simple, all, nil
		},
	}
}
