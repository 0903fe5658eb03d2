package inline

import (
	"context"
	"slices"
)

// pathCheck is the paper's check of a path that is abstracted with a set of tracked groups, those that are tracked anyway
// left out: it reports whether the path is correct, which is to say that nothing can go along it. A check that the solver
// leaves open reports false, so that too much is tracked rather than too little.
type pathCheck func(ctx context.Context, groups []int) (bool, error)

// refinement finds, of the candidates, a minimal set of groups whose tracking makes a path correct, given that tracking all
// of them does. The order of the candidates decides which minimal set.
type refinement func(ctx context.Context, candidates []int, check pathCheck) ([]int, error)

// divide is hrefine and vcrefine of Alg. 1 and 2, which differ in what a check costs: tracked are the groups of T beside
// those tracked anyway, candidates those of G - (T + D), and the result is what T grows by. The candidates are split in
// halves, and what is needed of the first is found while the second is tracked. It makes at most
// max(2|candidates|-1, 0) checks (Lemma 1), and about log |candidates| for each group that is needed.
func divide(ctx context.Context, tracked, candidates []int, check pathCheck) ([]int, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	if correct, err := check(ctx, tracked); err != nil || correct {
		return nil, err
	}
	if len(candidates) == 1 {
		return candidates, nil
	}
	first, second := candidates[:len(candidates)/2], candidates[len(candidates)/2:]
	needed, err := divide(ctx, slices.Concat(tracked, second), first, check)
	if err != nil {
		return nil, err
	}
	rest, err := divide(ctx, slices.Concat(tracked, needed), second, check)
	return slices.Concat(needed, rest), err
}

// hierarchical is the top call of Alg. 1 and 2.
func hierarchical(ctx context.Context, candidates []int, check pathCheck) ([]int, error) {
	return divide(ctx, nil, candidates, check)
}

// linear is STORM's refinement: from all candidates on, one after the other is dropped if the path stays correct without
// it, in one check each.
func linear(ctx context.Context, candidates []int, check pathCheck) ([]int, error) {
	kept := candidates
	for _, k := range candidates {
		without := slices.DeleteFunc(slices.Clone(kept), func(other int) bool { return other == k })
		correct, err := check(ctx, without)
		if err != nil {
			return nil, err
		}
		if correct {
			kept = without
		}
	}
	return kept, nil
}
