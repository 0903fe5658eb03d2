package specialise

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/codes"
	"hornbeam/chc/transform/residues"
)

// stateOptions are the bounds of the passes states and residues. They split by data, too, so that the result may be much
// larger than the system.
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
		Run: splitEncoded(codes.Encode, simplify, true),
	}
}

// Residues returns the pass "residues". The passes that simplify returns are run on what it makes.
func Residues(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "residues",
		Doc: "Writes arguments that clauses divide by a small constant, or count in steps of one, as quotient and remainder, and splits " +
			"predicates by the remainders.",
		Run: splitEncoded(residues.Encode, simplify, false),
	}
}

// encode puts Booleans in place of arguments or beside them. The groups are those of split; they are nil when nothing changes.
type encode func(context.Context, *chc.System) (next *chc.System, back transform.Translator, groups [][]int, err error)

// splitEncoded encodes arguments, splits predicates by the Booleans and simplifies the result. Where nothing is split,
// nothing changes; nor where nothing is encoded, unless Booleans that are arguments already are to be split by, too.
func splitEncoded(encode encode, simplify func() []transform.Pass, always bool) func(context.Context, transform.Environment, *chc.System) (*chc.System, transform.Translator, error) {
	return func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		coded, decode, groups, err := encode(ctx, sys)
		if err != nil {
			return nil, nil, err
		}
		if coded == sys && !always {
			return sys, nil, nil
		}
		split, merge, err := split(ctx, env, coded, stateOptions(), groups)
		if err != nil || split == sys || split == coded {
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
	}
}
