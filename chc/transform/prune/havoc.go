package prune

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// havocNote is the note on the approximation in the system without arrays between its predicates.
const havocNote = "arrays are arbitrary wherever a predicate is entered or left"

// HavocArrays returns the pass "havoc-arrays". It is the baseline of measurements that ask what reasoning about arrays is good for:
// a proof that it leaves possible needs numbers alone.
func HavocArrays() transform.Pass {
	return transform.Pass{
		Name: "havoc-arrays",
		Doc:  "Forgets arrays: removes predicate arguments that are arrays, which over-approximates (for comparison).",
		Run:  havocArrays,
	}
}

// ForgetArrays returns the pass "forget-arrays": it does the same where other passes have told the clauses what there is to say of
// the arrays in numbers.
func ForgetArrays() transform.Pass {
	return transform.Pass{
		Name: "forget-arrays",
		Doc:  "Removes predicate arguments that are arrays after other passes have added numbers about them, which over-approximates.",
		Run:  havocArrays,
	}
}

func havocArrays(_ context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	keep := newPositions(sys)
	for i, p := range sys.Predicates {
		for j, s := range p.Sorts {
			keep[i][j] = !s.IsArray()
		}
	}
	next, back, err := forget(env, sys, keep, havocNote)
	if err != nil || next == sys {
		return sys, nil, err
	}
	return next, &havocked{back, sys, havocNote}, nil
}

// forget drops the arguments that are not to be kept, so that they are arbitrary: the result over-approximates, as the note says. It is
// the system itself where there are none. Its translator is to be wrapped in a havocked one.
func forget(env transform.Environment, sys *chc.System, keep positions, note string) (*chc.System, transform.Translator, error) {
	if sys.Approximation == chc.Under {
		return sys, nil, nil // an over-approximation of an under-approximation proves nothing
	}
	next, back, err := dropArguments(env, sys, keep)
	if err != nil || next == sys {
		return sys, nil, err
	}
	next.Approximation = chc.Over
	next.Notes = append(slices.Clone(next.Notes), note)
	return next, back, nil
}

// havocked is the translator of a system in which arguments are forgotten: models carry over as they are, refutations only where the
// steps' own constraints say what is in those.
type havocked struct {
	transform.Translator
	old  *chc.System
	note string
}

// Refutation computes the arguments from the premises. The error wraps [transform.ErrSpurious] where the steps do not hold with them.
func (h *havocked) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	found, err := h.Translator.Refutation(ctx, r)
	if err == nil {
		err = witness.CheckRefutation(ctx, h.old, found)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", transform.ErrSpurious, h.note)
	}
	return found, nil
}
