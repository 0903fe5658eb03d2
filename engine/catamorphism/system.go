package catamorphism

import (
	"context"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/engine/catamorphism/induction"
)

// abstracted is a system over components with what leads back to its source.
type abstracted struct {
	encoding *encoding
	source   *chc.System
	system   *chc.System
	// templates are invariants of the system that its constraints were strengthened with; see strengthen.
	templates induction.Invariants
}

// abstractSystem returns the clauses of sys over components: predicate i and clause i of the result stand for predicate i
// and clause i of sys. facts are formulas that each clause's premises imply, by the clause's ID. Every model of the
// result is one of sys; a refutation need not be one.
func abstractSystem(e *encoding, sys *chc.System, facts [][]*term.Term) *abstracted {
	out := &chc.System{Pool: sys.Pool, Approximation: chc.Over, Notes: []string{"datatypes were replaced by folds over them"}}
	for i, p := range sys.Predicates {
		q := &chc.Predicate{ID: i, Name: p.Name}
		for _, s := range p.Sorts {
			if s.Data == nil {
				q.Sorts = append(q.Sorts, s)
				continue
			}
			for _, c := range e.components(s.Data) {
				q.Sorts = append(q.Sorts, c.sort)
			}
		}
		out.Predicates = append(out.Predicates, q)
	}
	for i, c := range sys.Clauses {
		a := newAbstraction(e)
		atom := func(b chc.App) chc.App {
			r := chc.App{Pred: out.Predicates[b.Pred.ID]}
			for _, t := range b.Args {
				r.Args = append(r.Args, a.value(t)...)
			}
			return r
		}
		d := c.MapAtoms(atom)
		d.ID = i
		d.Constraint = a.conjunction(append([]*term.Term{c.Constraint}, facts[i]...))
		out.Clauses = append(out.Clauses, d)
	}
	return &abstracted{encoding: e, source: sys, system: out}
}

// strengthen adds invariants of the system to its clauses.
func (a *abstracted) strengthen(ctx context.Context, q *querier, o *options) error {
	inv, err := findTemplates(ctx, q, a.system, o)
	if err != nil {
		return err
	}
	a.templates = inv
	facts := inv.Facts(a.system)
	for i, c := range a.system.Clauses {
		d := *c
		d.Constraint = a.system.Pool.And(append([]*term.Term{c.Constraint}, facts[i]...)...)
		a.system.Clauses[i] = &d
	}
	return nil
}

// conjunction returns what the formulas together say about components, and what was needed to say it.
func (a *abstraction) conjunction(ts []*term.Term) *term.Term {
	var out []*term.Term
	for _, t := range ts {
		out = append(out, a.formula(t, true))
	}
	return a.pool.And(append(out, a.side...)...)
}
