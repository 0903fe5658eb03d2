package transform

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// Selectors returns the pass "selectors".
func Selectors() Pass {
	return Pass{
		Name: "selectors",
		Doc:  "Gives selectors of the wrong constructor any value: sel(t) becomes ite(is-C(t), sel(t), u) with a fresh u, unless t is known to be a C.",
		Run:  guardSelectors,
	}
}

// guardSelectors makes every constraint determined by the values of its variables. SMT-LIB leaves open what a selector
// yields on a value of another constructor, but asks for the same at all places; with a fresh variable at each place
// there are more derivations, so the result over-approximates. A model of it is one under every choice for the
// selectors; a refutation carries over when it does not depend on what they yield, which its check finds out.
func guardSelectors(_ context.Context, _ Environment, sys *chc.System) (*chc.System, Translator, error) {
	if !hasVariants(sys) {
		return sys, nil, nil
	}
	changed := false
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		clauses[i] = guardClause(sys.Pool, c)
		changed = changed || clauses[i] != c
	}
	if !changed {
		return sys, nil, nil
	}
	next := rebuild(sys, sys.Predicates, clauses)
	if next.Approximation == chc.Exact {
		next.Approximation = chc.Over
		next.Notes = append(next.Notes, "selectors of the wrong constructor yield any value")
	}
	return next, &unguarded{old: sys, new: next}, nil
}

// unguarded carries witnesses back: clauses and predicates correspond one to one.
type unguarded struct{ old, new *chc.System }

// Model returns the model itself.
func (u *unguarded) Model(_ context.Context, m *witness.Model) (*witness.Model, error) { return m, nil }

// Refutation forgets what the selectors of wrong constructors yielded.
func (u *unguarded) Refutation(_ context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	return recodeSteps(u.old, u.new, r, nil)
}

// hasVariants reports whether a datatype has several constructors, so that a selector may be wrong.
func hasVariants(sys *chc.System) bool {
	for _, s := range sys.Datatypes {
		if len(s.Data.Constructors) > 1 {
			return true
		}
	}
	return false
}

func guardClause(pool *term.Pool, c *chc.Clause) *chc.Clause {
	d := newDraft(pool, c)
	done := map[*term.Term]bool{}
	for {
		open := d.innermost(func(t *term.Term) bool {
			return t.Op() == term.Field && !done[t] && len(t.Sel().Ctor.Data.Constructors) > 1
		})
		if len(open) == 0 {
			return d.clause()
		}
		known := map[*term.Term]bool{} // testers that hold wherever the constraint does
		for _, f := range term.Conjuncts(d.constraint) {
			known[f] = f.Op() == term.Is
		}
		guards := map[*term.Term]*term.Term{}
		for _, t := range open {
			done[t] = true
			if test := pool.Is(t.Sel().Ctor, t.Arg(0)); !known[test] {
				guards[t] = pool.Ite(test, t, pool.Fresh(t.Sel().Name, t.Sort()))
			}
		}
		d.rewrite(pool.NewSubstitution(guards))
	}
}
