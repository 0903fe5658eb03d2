package transform

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// DivMod returns the pass "divmod".
func DivMod() Pass {
	return Pass{
		Name: "divmod",
		Doc:  "Makes div and mod by constants linear: a fresh variable q with k*q <= x < k*q+k stands for x div k.",
		Run:  linearizeDivMod,
	}
}

// linearizeDivMod replaces div and mod by non-zero numerals in every clause. The fresh variables are functions of the
// others, so they may be bound by the clause whatever the polarity of the replaced term.
func linearizeDivMod(_ context.Context, env Environment, sys *chc.System) (*chc.System, Translator, error) {
	changed := false
	clauses := make([]*chc.Clause, len(sys.Clauses))
	origins := make([][]origin, len(sys.Clauses))
	for i, c := range sys.Clauses {
		clauses[i] = linearizeClause(sys.Pool, c)
		origins[i] = []origin{{clause: c}}
		changed = changed || clauses[i] != c
	}
	if !changed {
		return sys, nil, nil
	}
	next := rebuild(sys, sys.Predicates, clauses)
	return next, &carrier{env: env, old: sys, new: next, fates: identity(next), origins: origins}, nil
}

func linearizeClause(pool *term.Pool, c *chc.Clause) *chc.Clause {
	d := newDraft(pool, c)
	for {
		ts := innermostDivMod(d)
		if len(ts) == 0 {
			break
		}
		m := map[*term.Term]*term.Term{}
		quotient := map[quotientKey]*term.Term{}
		parts := []*term.Term{}
		for _, t := range ts {
			x, k := t.Arg(0), t.Arg(1).Num()
			key := quotientKey{x, k.String()}
			q := quotient[key]
			if q == nil {
				q = pool.Fresh("q", term.Int)
				quotient[key] = q
				rest := pool.Sub(x, pool.Scale(k, q))
				parts = append(parts, pool.Ge(rest, pool.Int(0)), pool.Lt(rest, pool.IntNum(k)))
			}
			if t.Op() == term.IntDiv {
				m[t] = q
			} else {
				m[t] = pool.Sub(x, pool.Scale(k, q))
			}
		}
		sub := pool.NewSubstitution(m)
		d.rewrite(sub)
		d.constraint = pool.And(append(parts, d.constraint)...)
	}
	return d.clause()
}

type quotientKey struct {
	dividend *term.Term
	divisor  string
}

// rewrite applies s throughout the clause.
func (d *draft) rewrite(s *term.Substitution) {
	d.constraint = s.Apply(d.constraint)
	body := make([]chc.App, len(d.body))
	for i, a := range d.body {
		body[i] = substituteApp(s, a)
	}
	d.body = body
	if d.head != nil {
		h := substituteApp(s, *d.head)
		d.head = &h
	}
}

// innermostDivMod returns the clause's div and mod terms with positive numeral divisors that contain no others.
func innermostDivMod(d *draft) []*term.Term {
	return d.innermost(func(t *term.Term) bool {
		return (t.Op() == term.IntDiv || t.Op() == term.Mod) && t.Arg(1).IsNumeral() && t.Arg(1).Num().Sign() > 0
	})
}

// innermost returns the clause's terms that match and contain no others that do, outside of quantifiers, in the order of
// a walk over the clause.
func (d *draft) innermost(match func(*term.Term) bool) []*term.Term {
	var found []*term.Term
	inside := map[*term.Term]bool{}
	collect := func(t *term.Term) {
		term.Walk(t, func(u *term.Term) bool {
			if match(u) && !inside[u] {
				inside[u] = true
				found = append(found, u)
			}
			return !u.IsQuantifier()
		})
	}
	collect(d.constraint)
	for _, a := range d.body {
		for _, t := range a.Args {
			collect(t)
		}
	}
	if d.head != nil {
		for _, t := range d.head.Args {
			collect(t)
		}
	}
	return slices.DeleteFunc(found, func(t *term.Term) bool {
		nested := false
		for _, a := range t.Args() {
			term.Walk(a, func(u *term.Term) bool {
				nested = nested || inside[u]
				return !nested
			})
		}
		return nested
	})
}
