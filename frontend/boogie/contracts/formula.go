package contracts

import (
	"errors"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/encode"
)

// maxClauses bounds the clauses that an obligation's formula is made of.
const maxClauses = 3000

var errTooLarge = errors.New("it needs a formula that is too large")

// formula is a conjunction that no state satisfies when an obligation holds, with the patterns of its quantifiers.
type formula struct {
	*encode.Encoding
	heads    map[*chc.Predicate][]*chc.Clause
	parts    []*term.Term
	patterns map[*term.Term][][]*term.Term
	// always has the quantified formulas that have been added for good.
	always    map[*term.Term]bool
	functions *functions
	clauses   int
}

func newFormula(e *encode.Encoding, heads map[*chc.Predicate][]*chc.Clause) *formula {
	return &formula{Encoding: e, heads: heads, patterns: map[*term.Term][][]*term.Term{}, always: map[*term.Term]bool{}, functions: newFunctions(e)}
}

// failure adds that a run begins as the query says and fails by the clause.
func (f *formula) failure(query, clause *chc.Clause) error {
	own, err := f.clause(query, nil)
	if err != nil {
		return err
	}
	f.parts = append(f.parts, own...)
	for i, a := range clause.Head.Args {
		f.parts = append(f.parts, f.functions.apply(f.System.Pool.Eq(a, query.Body[0].Args[i])))
	}
	own, err = f.clause(clause, nil)
	if err != nil {
		return err
	}
	f.parts = append(f.parts, own...)
	return f.atoms(clause.Body, func(t *term.Term) { f.parts = append(f.parts, t) })
}

// clause returns what the clause says of its variables, for which others may stand.
func (f *formula) clause(c *chc.Clause, fresh *term.Substitution) ([]*term.Term, error) {
	if f.clauses++; f.clauses > maxClauses {
		return nil, errTooLarge
	}
	apply := func(t *term.Term) *term.Term {
		if fresh != nil {
			t = fresh.Apply(t)
		}
		return f.functions.apply(t)
	}
	p := f.System.Pool
	parts := []*term.Term{apply(c.Constraint)}
	for _, u := range f.Universals[c] {
		q := p.Forall(u.Variables, apply(u.Body))
		if q.IsTrue() {
			continue
		}
		if q.IsQuantifier() && len(q.Bound()) == len(u.Variables) {
			for _, pattern := range u.Patterns {
				terms := make([]*term.Term, len(pattern))
				for i, t := range pattern {
					terms[i] = apply(t)
				}
				if matchable(terms) {
					f.patterns[q] = append(f.patterns[q], terms)
				}
			}
		}
		switch {
		case !u.Always:
			parts = append(parts, p.Implies(apply(u.Guard), q))
		case !f.always[q]:
			f.always[q] = true
			f.parts = append(f.parts, q)
		}
	}
	return parts, nil
}

// matchable reports whether terms can be a pattern of a solver: there are no connectives or conditions in them.
func matchable(ts []*term.Term) bool {
	ok := true
	for _, t := range ts {
		term.Walk(t, func(t *term.Term) bool {
			switch t.Op() {
			case term.And, term.Or, term.Not, term.Ite, term.Eq, term.Le, term.Lt, term.Forall, term.Exists:
				ok = false
			}
			return ok
		})
	}
	return ok
}

// atoms adds for each atom of a body the disjunction of the clauses that derive it.
func (f *formula) atoms(body []chc.App, add func(*term.Term)) error {
	p := f.System.Pool
	for _, a := range body {
		var ways []*term.Term
		for _, c := range f.heads[a.Pred] {
			fresh := f.renaming(c)
			parts, err := f.clause(c, fresh)
			if err != nil {
				return err
			}
			for i, t := range c.Head.Args {
				parts = append(parts, f.functions.apply(p.Eq(fresh.Apply(t), a.Args[i])))
			}
			var inner []chc.App
			for _, b := range c.Body {
				app := chc.App{Pred: b.Pred}
				for _, t := range b.Args {
					app.Args = append(app.Args, fresh.Apply(t))
				}
				inner = append(inner, app)
			}
			if err := f.atoms(inner, func(t *term.Term) { parts = append(parts, t) }); err != nil {
				return err
			}
			ways = append(ways, p.And(parts...))
		}
		add(p.Or(ways...))
	}
	return nil
}

// renaming gives the variables of a clause other names, but not the constants and functions, which have one value.
func (f *formula) renaming(c *chc.Clause) *term.Substitution {
	terms := []*term.Term{c.Constraint}
	for _, a := range append(c.Body, *c.Head) {
		terms = append(terms, a.Args...)
	}
	bound := map[*term.Term]bool{}
	for _, u := range f.Universals[c] {
		terms = append(terms, u.Guard, u.Body)
		for _, v := range u.Variables {
			bound[v] = true
		}
	}
	to := map[*term.Term]*term.Term{}
	for _, v := range term.Vars(terms...) {
		if _, ok := f.Symbols[v]; !ok && !bound[v] {
			to[v] = f.System.Pool.Fresh(v.Name(), v.Sort())
		}
	}
	return f.System.Pool.NewSubstitution(to)
}
