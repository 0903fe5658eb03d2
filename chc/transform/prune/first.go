package prune

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/chc/witness"
)

// firstNote is the note on the approximation in the system without its first loops.
const firstNote = "the first loops may leave anything"

// ForgetFirst returns the pass "forget-first".
func ForgetFirst() transform.Pass {
	return transform.Pass{
		Name: "forget-first",
		Doc: "Forgets what the first loops do: predicates that are derived from facts and from themselves alone become true, which " +
			"over-approximates; loops that fill arrays with anything need many steps and say nothing.",
		Run: forgetFirst,
	}
}

// forgetFirst makes true of the recursive predicates that depend on no others, where no query and at least one other recursive predicate
// depends on them directly.
func forgetFirst(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if sys.Approximation == chc.Under {
		return sys, nil, nil // an over-approximation of an under-approximation proves nothing
	}
	forgotten := firstLoops(sys)
	if len(forgotten) == 0 {
		return sys, nil, nil
	}
	var preds []*chc.Predicate
	replacements := make([]transform.Replacement, len(sys.Predicates))
	for i, p := range sys.Predicates {
		if forgotten[p] {
			replacements[i].Holds = true
		} else {
			preds = append(preds, p)
		}
	}
	var clauses []*chc.Clause
	for _, c := range sys.Clauses {
		if c.Head != nil && forgotten[c.Head.Pred] {
			continue
		}
		next := *c
		next.Body = slices.DeleteFunc(slices.Clone(c.Body), func(a chc.App) bool { return forgotten[a.Pred] })
		clauses = append(clauses, &next)
	}
	next := transform.Rebuild(sys, preds, clauses)
	for i, p := range preds {
		replacements[p.ID].Pred = next.Predicates[i]
	}
	next.Approximation = chc.Over
	next.Notes = append(slices.Clone(next.Notes), firstNote)
	return next, &forgetful{transform.ClauseTranslator{Old: sys, New: next, Replacements: replacements}}, nil
}

// firstLoops finds the predicates that are forgotten.
func firstLoops(sys *chc.System) map[*chc.Predicate]bool {
	g := chc.NewGraph(sys)
	forgotten := map[*chc.Predicate]bool{}
	for _, component := range g.Components() {
		own := func(p *chc.Predicate) bool { return slices.Contains(component, p) }
		first, later := g.Recursive(component[0]), false
		for _, p := range component {
			for _, c := range g.Defines[p.ID] {
				first = first && !slices.ContainsFunc(c.Body, func(a chc.App) bool { return !own(a.Pred) })
			}
			for _, c := range g.Uses[p.ID] {
				first = first && c.Head != nil
				later = later || c.Head != nil && !own(c.Head.Pred) && g.Recursive(c.Head.Pred)
			}
		}
		for _, p := range component {
			if first && later {
				forgotten[p] = true
			}
		}
	}
	return forgotten
}

// forgetful is the translator of a system without its first loops: models carry over, refutations begin anywhere.
type forgetful struct{ transform.ClauseTranslator }

// Refutation returns an error that wraps [transform.ErrSpurious].
func (f *forgetful) Refutation(context.Context, *witness.Refutation) (*witness.Refutation, error) {
	return nil, fmt.Errorf("%w: %s", transform.ErrSpurious, firstNote)
}
