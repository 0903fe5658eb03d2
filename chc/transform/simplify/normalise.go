package simplify

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/work"
)

// Normalise returns the pass "normalise".
func Normalise() transform.Pass {
	return transform.Pass{
		Name: "normalise",
		Doc: "Normal form: solves equations for clause variables, tightens bounds, lifts if-then-else out of arithmetic, " +
			"drops variables that nothing restricts, clauses with a false constraint and clauses that are tautologies.",
		Repeat: true,
		Run:    normaliseSystem,
	}
}

// normaliseSystem brings every clause to normal form; predicates stay as they are.
func normaliseSystem(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	changed := false
	var clauses []*chc.Clause
	var origins [][]transform.Origin
	for _, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		d, o := normaliseClause(ctx, sys.Pool, c)
		work.SpendMade(ctx, sys.Pool)
		changed = changed || d != c
		if d != nil {
			clauses = append(clauses, d)
			origins = append(origins, []transform.Origin{o})
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err // the last clause may have been left half done
	}
	if !changed {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: transform.Identity(next), Origins: origins}, nil
}

// normaliseClause returns c in normal form and the Origin for its steps: c itself when it is in normal form, nil when every
// interpretation satisfies it. When ctx ends it returns early with a clause that is rewritten in part.
func normaliseClause(ctx context.Context, pool *term.Pool, c *chc.Clause) (*chc.Clause, transform.Origin) {
	d := NewDraft(pool, c)
	d.ctx = ctx
	d.simplify()
	d.MergeAtoms()
	if d.Constraint.IsFalse() || d.Tautology() {
		return nil, transform.Origin{}
	}
	return d.Clause(), transform.Origin{Clause: c, Atoms: d.Atoms, Define: d.Define}
}

// Conjuncts returns the conjuncts of t, with negated disjunctions and equations between constructor terms opened.
func Conjuncts(pool *term.Pool, t *term.Term) []*term.Term {
	var out []*term.Term
	for _, c := range term.Conjuncts(t) {
		switch {
		case c.IsAnd():
			out = append(out, Conjuncts(pool, c)...)
		case c.IsNot() && c.Arg(0).IsOr():
			for _, a := range c.Arg(0).Args() {
				out = append(out, Conjuncts(pool, pool.Not(a))...)
			}
		case c.Op() == term.Eq && c.Arg(0).Op() == term.Construct && c.Arg(1).Op() == term.Construct:
			if c.Arg(0).Ctor() != c.Arg(1).Ctor() {
				return []*term.Term{pool.False()}
			}
			for i, a := range c.Arg(0).Args() {
				out = append(out, Conjuncts(pool, pool.Eq(a, c.Arg(1).Arg(i)))...)
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// joinItes makes one disjunction of two cases of all the Boolean if-then-elses among the conjuncts that have the same
// literal as condition.
func joinItes(pool *term.Pool, conj []*term.Term) []*term.Term {
	then, els := map[*term.Term][]*term.Term{}, map[*term.Term][]*term.Term{}
	var conditions []*term.Term
	var out []*term.Term
	for _, c := range conj {
		if !c.IsIte() || !c.Arg(0).IsLiteral() {
			out = append(out, c)
			continue
		}
		cond := c.Arg(0)
		if then[cond] == nil {
			conditions = append(conditions, cond)
			then[cond], els[cond] = []*term.Term{cond}, []*term.Term{pool.Not(cond)}
		}
		then[cond] = append(then[cond], c.Arg(1))
		els[cond] = append(els[cond], c.Arg(2))
	}
	for _, cond := range conditions {
		out = append(out, pool.Or(pool.And(then[cond]...), pool.And(els[cond]...)))
	}
	return out
}

// propagateUnits replaces, in the conjuncts that have Boolean structure, the atoms that the literals among the conjuncts
// decide.
func propagateUnits(pool *term.Pool, conj []*term.Term) []*term.Term {
	known := map[*term.Term]*term.Term{}
	spans := newSpans(pool)
	compound := 0
	for _, c := range conj {
		if !c.IsLiteral() {
			compound++
			continue
		}
		atom, positive := c.Atom()
		known[atom] = pool.Bool(positive)
		spans.add(c)
	}
	if compound == 0 || len(known) == 0 {
		return conj
	}
	for _, c := range conj {
		if c.IsLiteral() {
			continue
		}
		term.Walk(c, func(t *term.Term) bool {
			if t.Sort() != term.Bool {
				return false
			}
			if _, ok := known[t]; !ok {
				if val, decided := spans.decide(t); decided {
					known[t] = pool.Bool(val)
				}
			}
			return !t.IsQuantifier()
		})
	}
	sub := pool.NewSubstitution(known)
	out := make([]*term.Term, len(conj))
	for i, c := range conj {
		out[i] = c
		if !c.IsLiteral() {
			out[i] = sub.Apply(c)
		}
	}
	return out
}
