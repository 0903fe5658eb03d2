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

// stageOptions are the bounds of the stages of the pass states. Of the state machines of SSL, with 25 states and three numbers beside them,
// the first stage multiplies the predicates by 64 and the clauses' size by 4, and each of the others makes the clauses smaller; the split
// by a flag multiplies both by 2. A state that is restored from another number branches into all.
func stageOptions() Options {
	o := stateOptions()
	o.MaxBranch, o.Growth, o.Share, o.MaxWork = 100, 1.2, 0.5, 150000
	return o
}

// States returns the pass "states". The passes that simplify returns are run on what it makes.
func States(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "states",
		Doc: "Runs codes, and splits predicates by the Boolean arguments that act as control, or else by all as far as few combinations are " +
			"reachable: the state of a protocol becomes control flow.",
		Run: splitEncoded(codes.Encode, splitByStates, simplify, true),
	}
}

// Residues returns the pass "residues". The passes that simplify returns are run on what it makes.
func Residues(simplify func() []transform.Pass) transform.Pass {
	return transform.Pass{
		Name: "residues",
		Doc: "Writes arguments that clauses divide by a small constant, or count in steps of one, as quotient and remainder, and splits " +
			"predicates by the remainders.",
		Run: splitEncoded(residues.Encode, splitByAll, simplify, false),
	}
}

// encode puts Booleans in place of arguments or beside them. The groups are those of split; they are nil when nothing changes.
type encode func(context.Context, *chc.System) (next *chc.System, back transform.Translator, groups [][]int, err error)

// splitting splits predicates by Boolean arguments. Arguments of a predicate with the same number in groups are split together.
type splitting func(ctx context.Context, env transform.Environment, sys *chc.System, groups [][]int) (*chc.System, transform.Translator, error)

// splitByAll splits by all Booleans, and by fewer where these are too many.
func splitByAll(ctx context.Context, env transform.Environment, sys *chc.System, groups [][]int) (*chc.System, transform.Translator, error) {
	return split(ctx, env, sys, stateOptions(), groups)
}

// splitByStates splits by control, and where there is none by what splitByAll does.
func splitByStates(ctx context.Context, env transform.Environment, sys *chc.System, groups [][]int) (*chc.System, transform.Translator, error) {
	next, back, err := splitInStages(ctx, env, sys, stageOptions(), groups)
	if err != nil || next != sys {
		return next, back, err
	}
	return splitByAll(ctx, env, sys, groups)
}

// splitEncoded encodes arguments, splits predicates by the Booleans and simplifies the result. Where nothing is split,
// nothing changes; nor where nothing is encoded, unless Booleans that are arguments already are to be split by, too.
func splitEncoded(encode encode, split splitting, simplify func() []transform.Pass, always bool) func(context.Context, transform.Environment, *chc.System) (*chc.System, transform.Translator, error) {
	return func(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		coded, decode, groups, err := encode(ctx, sys)
		if err != nil {
			return nil, nil, err
		}
		if coded == sys && !always {
			return sys, nil, nil
		}
		split, merge, err := split(ctx, env, coded, groups)
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
