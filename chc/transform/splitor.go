package transform

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// SplitOr returns the pass "split-or".
func SplitOr() Pass {
	return Pass{
		Name: "split-or",
		Doc:  "Splits clauses whose constraint has a disjunction into one clause for each disjunct.",
		Run:  splitDisjunctions,
	}
}

// maxSplit bounds the clauses into which one clause is split.
const maxSplit = 8

// splitDisjunctions distributes the clauses' disjunctive conjuncts. Every new clause implies the old one's premise, so a
// step of it is a step of the old clause.
func splitDisjunctions(_ context.Context, env Environment, sys *chc.System) (*chc.System, Translator, error) {
	var clauses []*chc.Clause
	var origins [][]origin
	changed := false
	for _, c := range sys.Clauses {
		for _, f := range splitConstraint(sys.Pool, c.Constraint) {
			d := c
			if f != c.Constraint {
				changed = true
				copied := *c
				copied.Constraint = f
				d = &copied
			}
			clauses = append(clauses, d)
			origins = append(origins, []origin{{clause: c}})
		}
	}
	if !changed {
		return sys, nil, nil
	}
	next := rebuild(sys, sys.Predicates, clauses)
	return next, &carrier{env: env, old: sys, new: next, fates: identity(next), origins: origins}, nil
}

// splitConstraint returns formulas whose disjunction is f, at most maxSplit.
func splitConstraint(pool *term.Pool, f *term.Term) []*term.Term {
	out := []*term.Term{f}
	for {
		var next []*term.Term
		split := false
		for _, g := range out {
			ds := disjuncts(pool, g)
			split = split || len(ds) > 1
			next = append(next, ds...)
		}
		if !split || len(next) > maxSplit {
			return out
		}
		out = next
	}
}

// disjuncts distributes the first disjunctive conjunct of f.
func disjuncts(pool *term.Pool, f *term.Term) []*term.Term {
	conj := flatten(pool, f)
	for i, c := range conj {
		var ds []*term.Term
		switch {
		case c.IsOr():
			ds = c.Args()
		case c.IsNot() && c.Arg(0).IsAnd():
			for _, a := range c.Arg(0).Args() {
				ds = append(ds, pool.Not(a))
			}
		case c.IsIte():
			ds = []*term.Term{pool.And(c.Arg(0), c.Arg(1)), pool.And(pool.Not(c.Arg(0)), c.Arg(2))}
		default:
			continue
		}
		var out []*term.Term
		for _, d := range ds {
			parts := append([]*term.Term{d}, conj[:i]...)
			if g := pool.And(append(parts, conj[i+1:]...)...); !g.IsFalse() {
				out = append(out, g)
			}
		}
		return out
	}
	return []*term.Term{f}
}
