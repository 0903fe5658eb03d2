package guard

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/partial"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/simplify"
)

// Selectors returns the pass "selectors".
func Selectors() transform.Pass {
	return transform.Pass{
		Name: "selectors",
		Doc:  "Gives selectors of the wrong constructor any value: sel(t) becomes ite(is-C(t), sel(t), u) with a fresh u, unless t is known to be a C.",
		Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			if !HasVariants(sys) {
				return sys, nil, nil
			}
			return guardOperations(sys, IsSelector, "selectors of the wrong constructor yield any value")
		},
	}
}

// Divisions returns the pass "divisions".
func Divisions() transform.Pass {
	return transform.Pass{
		Name: "divisions",
		Doc:  "Gives quotients and remainders by zero any value: div(x, y) becomes ite(y = 0, u, div(x, y)) with a fresh u, unless y is known not to be 0.",
		Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
			return guardOperations(sys, isDivision, "quotients and remainders by zero have any value")
		},
	}
}

// Determined returns the pass "determined".
func Determined() transform.Pass {
	return transform.Pass{
		Name: "determined",
		Doc:  "Keeps the instances of clauses in which SMT-LIB determines every value: no division by zero, no selector of another constructor.",
		Run:  keepDetermined,
	}
}

// IsSelector reports whether t applies a selector of a datatype with several constructors.
func IsSelector(t *term.Term) bool {
	return t.Op() == term.Field && len(t.Sel().Ctor.Data.Constructors) > 1
}

func isDivision(t *term.Term) bool {
	switch t.Op() {
	case term.IntDiv, term.Mod, term.RealDiv:
		return !t.Arg(1).IsNumeral() || t.Arg(1).Num().IsZero()
	}
	return false
}

// HasOpen reports whether the system has operations that SMT-LIB leaves open, as far as its constraints do not obviously
// exclude the arguments for which it does.
func HasOpen(sys *chc.System) bool {
	for _, c := range sys.Clauses {
		if GuardClause(sys.Pool, c, func(t *term.Term) bool { return IsSelector(t) || isDivision(t) }) != c {
			return true
		}
	}
	return false
}

// guardOperations makes every constraint determined by the values of its variables. SMT-LIB leaves open what the
// operations yield where they are partial, but requires the same value at all places; with a fresh variable at each place
// there are more derivations, so the result over-approximates. A model of it is one under every choice for the
// operations; a refutation carries over when it does not depend on what they yield, which its check finds out.
func guardOperations(sys *chc.System, match func(*term.Term) bool, note string) (*chc.System, transform.Translator, error) {
	if sys.Approximation == chc.Under {
		return sys, nil, nil // it would be neither
	}
	changed := false
	clauses := make([]*chc.Clause, len(sys.Clauses))
	for i, c := range sys.Clauses {
		clauses[i] = GuardClause(sys.Pool, c, match)
		changed = changed || clauses[i] != c
	}
	if !changed {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	if next.Approximation == chc.Exact {
		next.Approximation = chc.Over
		next.Notes = append(next.Notes[:len(next.Notes):len(next.Notes)], note)
	}
	return next, &transform.Retyping{Old: sys, New: next}, nil
}

// keepDetermined conjoins to each constraint what makes the clause's operations determined. The result has fewer
// derivations: its refutations are refutations of the system, its models may fail.
func keepDetermined(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	if sys.Approximation == chc.Over {
		return sys, nil, nil
	}
	changed := false
	clauses := make([]*chc.Clause, len(sys.Clauses))
	restriction := partial.NewRestriction(sys.Pool)
	for i, c := range sys.Clauses {
		clauses[i] = c
		if f := restriction.Clause(c); f != c.Constraint {
			d := *c
			d.Constraint = f
			clauses[i] = &d
			changed = true
		}
	}
	if !changed {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	next.Approximation = chc.Under
	next.Notes = append(next.Notes[:len(next.Notes):len(next.Notes)], "steps that divide by zero or select from another constructor are left out")
	return next, &transform.Retyping{Old: sys, New: next}, nil
}

// HasVariants reports whether a datatype has several constructors, so that a selector may be wrong.
func HasVariants(sys *chc.System) bool {
	for _, s := range sys.Datatypes {
		if len(s.Data.Constructors) > 1 {
			return true
		}
	}
	return false
}

// GuardClause guards the clause's open operations that match; it returns c itself when there are none.
func GuardClause(pool *term.Pool, c *chc.Clause, match func(*term.Term) bool) *chc.Clause {
	if !hasMatch(c, match) {
		return c
	}
	d := simplify.NewDraft(pool, c)
	done := map[*term.Term]bool{}
	for {
		open := d.Innermost(func(t *term.Term) bool { return !done[t] && match(t) })
		if len(open) == 0 {
			return d.Clause()
		}
		facts := term.Conjuncts(d.Constraint)
		guards := map[*term.Term]*term.Term{}
		for _, t := range open {
			done[t] = true
			if test := partial.Condition(pool, t); !excludes(pool, facts, pool.Not(test)) {
				guards[t] = pool.Ite(test, t, pool.Fresh(openName(t), t.Sort()))
			}
		}
		d.Rewrite(pool.NewSubstitution(guards))
	}
}

// openName names the variable for what an open operation yields.
func openName(t *term.Term) string {
	if t.Op() == term.Field {
		return t.Sel().Name
	}
	return "quotient"
}

func hasMatch(c *chc.Clause, match func(*term.Term) bool) bool {
	found := false
	for _, t := range c.Terms() {
		if !t.HasPartial() {
			continue
		}
		term.Walk(t, func(u *term.Term) bool {
			found = found || match(u)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// excludes reports whether one of the facts obviously contradicts f: it is its negation, or f gives a variable a
// certain value, with which the fact is false.
func excludes(pool *term.Pool, facts []*term.Term, f *term.Term) bool {
	if f.IsFalse() {
		return true
	}
	value := map[*term.Term]*term.Term{}
	if f.Op() == term.Eq {
		if a, b := f.Arg(0), f.Arg(1); a.IsVar() && b.IsValue() {
			value[a] = b
		} else if b.IsVar() && a.IsValue() {
			value[b] = a
		}
	}
	with := pool.NewSubstitution(value)
	for _, g := range facts {
		if g == pool.Not(f) || with.Apply(g).IsFalse() {
			return true
		}
	}
	return false
}
