package demand

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/work"
)

// Pass returns the pass "demand".
func Pass() transform.Pass {
	return transform.Pass{
		Name: "demand",
		Doc: "Derives what a procedure does only from the states in which it is called, so that what holds there need not be a condition of " +
			"its summary.",
		Run: run,
	}
}

// run adds, for each predicate P with inputs, a predicate for the inputs that are asked for. With the inputs x of an atom P(x, y) and the
// clause
//
//	P1(x1, y1) & ... & Pn(xn, yn) & F => P(x, y)
//
// whose atoms are in the order of calls, the result has
//
//	asked_P(x) & P1(x1, y1) & ... & Pn(xn, yn) & F => P(x, y)
//	asked_P(x) & P1(x1, y1) & ... & Pi-1(xi-1, yi-1) & F' => asked_Pi(xi)      for each i
//
// where F' is what F says about the state before the i-th call. This is the query-answer transformation (Gallagher and Kafle, "Analysis and
// Transformation Tools for Constrained Horn Clause Verification", 2014), known as magic sets for Datalog. What is true of each element of an
// array when a procedure is called is then a formula over one element of P's arguments; as a condition of the summary it is one over all.
func run(ctx context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	m := modesOf(sys)
	if len(m) == 0 {
		return sys, nil, ctx.Err()
	}
	t := &translator{old: sys, modes: m, asked: map[*chc.Predicate]*chc.Predicate{}}
	preds := slices.Clone(sys.Predicates)
	names := transform.NamesOf(sys)
	for _, p := range sys.Predicates {
		if m[p] != nil {
			q := askedFor(p, m[p], names)
			q.ID = len(preds)
			t.asked[p] = q
			preds = append(preds, q)
		}
	}
	var clauses []*chc.Clause
	for _, c := range sys.Clauses {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		clauses = append(clauses, t.guarded(c))
	}
	for _, c := range sys.Clauses {
		clauses = append(clauses, t.asks(c)...)
	}
	work.SpendMade(ctx, sys.Pool)
	t.next = transform.Rebuild(sys, preds, clauses)
	return t.next, t, nil
}

// askedFor returns the predicate for the inputs of p.
func askedFor(p *chc.Predicate, inputs []int, names transform.Names) *chc.Predicate {
	q := &chc.Predicate{Name: names.New(p.Name + "/asked")}
	for _, i := range inputs {
		q.Sorts = append(q.Sorts, p.Sorts[i])
		if p.ArgNames != nil {
			q.ArgNames = append(q.ArgNames, p.ArgNames[i])
		}
	}
	return q
}

// question returns the atom that says that an atom's inputs are asked for, or none where its predicate has no inputs.
func (t *translator) question(a *chc.App) []chc.App {
	if a == nil || t.asked[a.Pred] == nil {
		return nil
	}
	return []chc.App{{Pred: t.asked[a.Pred], Args: t.modes.inputs(*a)}}
}

// guarded returns a clause that derives only what is asked for; the question is the last of its atoms.
func (t *translator) guarded(c *chc.Clause) *chc.Clause {
	question := t.question(c.Head)
	if question == nil {
		return c
	}
	out := *c
	out.Body = slices.Concat(c.Body, question)
	return &out
}

// asks returns the clauses that ask for what the atoms of c need.
func (t *translator) asks(c *chc.Clause) []*chc.Clause {
	var clauses []*chc.Clause
	body := t.question(c.Head)
	known := newKnown(c, t.modes)
	for _, i := range t.modes.order(c) {
		a := c.Body[i]
		if question := t.question(&a); question != nil && !slices.ContainsFunc(body, question[0].Equal) {
			clauses = append(clauses, &chc.Clause{Body: slices.Clone(body), Constraint: before(c, known), Head: &question[0], Pos: c.Pos})
		}
		body = append(body, a)
		known.learn(a.Args...)
	}
	return clauses
}

// before returns the conjuncts of a clause's constraint that say nothing about what is known only after the next call.
func before(c *chc.Clause, k *known) *term.Term {
	after := map[*term.Term]bool{}
	for _, a := range c.Atoms() {
		for _, v := range term.Vars(a.Args...) {
			if !k.vars[v] && !k.local[v] {
				after[v] = true
			}
		}
	}
	return c.Constraint.Pool().And(slices.DeleteFunc(slices.Clone(term.Conjuncts(c.Constraint)), func(f *term.Term) bool {
		return term.HasAny(f, after)
	})...)
}
