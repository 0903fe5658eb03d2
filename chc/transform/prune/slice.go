package prune

import (
	"slices"

	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Slice returns the pass "slice".
func Slice() transform.Pass {
	return transform.Pass{
		Name:   "slice",
		Doc:    "Slicing: removes predicate arguments whose values no constraint, join or needed argument depends on.",
		Repeat: true,
		Run:    sliceSystem,
	}
}

// sliceSystem removes the argument positions that are not needed. A position is needed when some body atom has there
// anything else than a variable that occurs nowhere else in the clause but in head arguments that are not needed.
func sliceSystem(_ context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	return dropArguments(env, sys, neededArguments(sys))
}

// positions is a set of argument positions: by predicate ID and position.
type positions [][]bool

func newPositions(sys *chc.System) positions {
	ps := make(positions, len(sys.Predicates))
	for i, p := range sys.Predicates {
		ps[i] = make([]bool, p.Arity())
	}
	return ps
}

// neededArguments computes the positions that slicing must keep: the least set under the rule in sliceSystem.
func neededArguments(sys *chc.System) positions {
	needed := newPositions(sys)
	type position struct{ pred, arg int }
	var work []position
	need := func(pred, arg int) {
		if !needed[pred][arg] {
			needed[pred][arg] = true
			work = append(work, position{pred, arg})
		}
	}
	// feeds[p][i] lists the body positions whose variable stands in argument i of a head with predicate p.
	feeds := make([][][]position, len(sys.Predicates))
	for i, p := range sys.Predicates {
		feeds[i] = make([][]position, p.Arity())
	}
	for _, c := range sys.Clauses {
		at := map[*term.Term]position{} // body variables that occur at one position only
		dead := map[*term.Term]bool{}
		for _, v := range term.Vars(c.Constraint) {
			dead[v] = true
		}
		for _, a := range c.Body {
			for i, t := range a.Args {
				here := position{a.Pred.ID, i}
				if !t.IsVar() {
					need(here.pred, here.arg)
					for _, v := range term.Vars(t) {
						dead[v] = true
					}
				} else if there, twice := at[t]; twice {
					need(there.pred, there.arg)
					need(here.pred, here.arg)
				} else {
					at[t] = here
				}
			}
		}
		for v, p := range at { // need is idempotent and needed is a least fixpoint: the order is immaterial
			if dead[v] {
				need(p.pred, p.arg)
			}
		}
		if c.Head == nil {
			continue
		}
		for i, t := range c.Head.Args {
			for _, v := range term.Vars(t) {
				if p, ok := at[v]; ok {
					feeds[c.Head.Pred.ID][i] = append(feeds[c.Head.Pred.ID][i], p)
				}
			}
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, q := range feeds[p.pred][p.arg] {
			need(q.pred, q.arg)
		}
	}
	return needed
}

// dropArguments removes the argument positions outside of keep from every atom. Models leave the dropped arguments free;
// in refutations they are computed from the premises.
func dropArguments(env transform.Environment, sys *chc.System, keep positions) (*chc.System, transform.Translator, error) {
	replacements := make([]transform.Replacement, len(sys.Predicates))
	preds := make([]*chc.Predicate, len(sys.Predicates))
	narrowed := map[*chc.Predicate]*chc.Predicate{}
	for i, p := range sys.Predicates {
		preds[i] = p
		if kept := selected(keep[i]); len(kept) < p.Arity() {
			preds[i] = narrow(p, kept)
			narrowed[p] = preds[i]
			replacements[i].Keep = kept
		}
	}
	if len(narrowed) == 0 {
		return sys, nil, nil
	}
	clauses := make([]*chc.Clause, len(sys.Clauses))
	origins := make([][]transform.Origin, len(sys.Clauses))
	for i, c := range sys.Clauses {
		clauses[i] = narrowClause(c, narrowed, replacements)
		origins[i] = []transform.Origin{{Clause: c}}
	}
	next := transform.Rebuild(sys, preds, clauses)
	for i := range replacements {
		replacements[i].Pred = next.Predicates[i]
	}
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: replacements, Origins: origins}, nil
}

// selected returns the indices of the true entries, never nil.
func selected(in []bool) []int {
	out := []int{}
	for i, b := range in {
		if b {
			out = append(out, i)
		}
	}
	return out
}

// narrow returns p with only the arguments at the kept positions.
func narrow(p *chc.Predicate, kept []int) *chc.Predicate {
	q := *p
	q.Sorts = make([]*term.Sort, len(kept))
	for j, k := range kept {
		q.Sorts[j] = p.Sorts[k]
	}
	if p.ArgNames != nil {
		q.ArgNames = make([]string, len(kept))
		for j, k := range kept {
			q.ArgNames[j] = p.ArgNames[k]
		}
	}
	return &q
}

// narrowClause drops the arguments of narrowed predicates from c's atoms; c itself when it has none.
func narrowClause(c *chc.Clause, narrowed map[*chc.Predicate]*chc.Predicate, replacements []transform.Replacement) *chc.Clause {
	if !slices.ContainsFunc(c.Atoms(), func(a chc.App) bool { return narrowed[a.Pred] != nil }) {
		return c
	}
	return c.MapAtoms(func(a chc.App) chc.App {
		q := narrowed[a.Pred]
		if q == nil {
			return a
		}
		kept := replacements[a.Pred.ID].Keep
		args := make([]*term.Term, len(kept))
		for j, k := range kept {
			args[j] = a.Args[k]
		}
		return chc.App{Pred: q, Args: args}
	})
}
