package prune

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/transform"
)

// ConeOfInfluence returns the pass "coi".
func ConeOfInfluence() transform.Pass {
	return transform.Pass{
		Name:   "coi",
		Doc:    "Cone of influence: removes predicates that no facts derive (false in the model) or that no query needs (true).",
		Repeat: true,
		Run:    coneOfInfluence,
	}
}

// coneOfInfluence keeps the predicates that are both derivable from facts and needed by a query, and the clauses between
// them.
func coneOfInfluence(_ context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	derivable := derivable(sys)
	needed := needed(sys, derivable)

	var preds []*chc.Predicate
	replacements := make([]transform.Replacement, len(sys.Predicates))
	for i, p := range sys.Predicates {
		if derivable[i] && needed[i] {
			preds = append(preds, p)
		} else {
			replacements[i].Holds = derivable[i]
		}
	}
	var clauses []*chc.Clause
	var origins [][]transform.Origin
	for _, c := range sys.Clauses {
		if fires(c, derivable) && (c.Head == nil || needed[c.Head.Pred.ID]) {
			clauses = append(clauses, c)
			origins = append(origins, []transform.Origin{{Clause: c}})
		}
	}
	if len(preds) == len(sys.Predicates) && len(clauses) == len(sys.Clauses) {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, preds, clauses)
	for i, p := range preds {
		replacements[p.ID].Pred = next.Predicates[i]
	}
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: replacements, Origins: origins}, nil
}

// fires reports whether all of the clause's body predicates are derivable.
func fires(c *chc.Clause, derivable []bool) bool {
	for _, a := range c.Body {
		if !derivable[a.Pred.ID] {
			return false
		}
	}
	return true
}

// derivable computes the predicates that have a derivation when constraints are ignored.
func derivable(sys *chc.System) []bool {
	done := make([]bool, len(sys.Predicates))
	waiting := make([]int, len(sys.Clauses)) // body atoms that are not derivable yet
	uses := make([][]*chc.Clause, len(sys.Predicates))
	var work []*chc.Predicate
	derive := func(c *chc.Clause) {
		if c.Head != nil && !done[c.Head.Pred.ID] {
			done[c.Head.Pred.ID] = true
			work = append(work, c.Head.Pred)
		}
	}
	for i, c := range sys.Clauses {
		waiting[i] = len(c.Body)
		for _, a := range c.Body {
			uses[a.Pred.ID] = append(uses[a.Pred.ID], c)
		}
		if len(c.Body) == 0 {
			derive(c)
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range uses[p.ID] {
			if waiting[c.ID]--; waiting[c.ID] == 0 {
				derive(c)
			}
		}
	}
	return done
}

// needed computes the predicates from which a query can be reached over clauses that can fire.
func needed(sys *chc.System, derivable []bool) []bool {
	done := make([]bool, len(sys.Predicates))
	defs := make([][]*chc.Clause, len(sys.Predicates))
	var work []*chc.Clause
	for _, c := range sys.Clauses {
		switch {
		case !fires(c, derivable):
		case c.Head == nil:
			work = append(work, c)
		default:
			defs[c.Head.Pred.ID] = append(defs[c.Head.Pred.ID], c)
		}
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range c.Body {
			if !done[a.Pred.ID] {
				done[a.Pred.ID] = true
				work = append(work, defs[a.Pred.ID]...)
			}
		}
	}
	return done
}
