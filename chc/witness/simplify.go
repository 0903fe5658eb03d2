package witness

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// Simplify returns a model of sys that is no larger than m, which must be one. It first keeps only those conjuncts of
// the interpretations that some query needs, directly or to prove another one that is kept, as the solver's cores tell;
// then it drops conjuncts and disjuncts that the rest of their interpretation implies. It stops when the budget is
// spent and returns what it has, which is a model too. The error wraps ErrInvalid when m turns out not to be a model,
// and is ctx's when ctx itself is done; m is never changed. The caller checks the result as it would check m. A model
// with quantifiers is returned as it is, and one whose interpretations apply functions that it defines keeps all but the
// definitions that are not needed.
func Simplify(ctx context.Context, open smt.Opener, sys *chc.System, m *Model, budget time.Duration) (*Model, error) {
	if err := m.wellFormed(sys); err != nil {
		return nil, err
	}
	if m = m.trimmed(); m.quantified() || len(m.Definitions) > 0 {
		return m, nil
	}
	limited, cancel := work.WithTimeout(ctx, budget)
	defer cancel()
	solvers, err := open(sys.Pool, smt.Config{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver to simplify a model: %w", err)
	}
	defer solvers.Close()
	s := simplifier{sys: sys, model: m, ctx: limited, lemmas: map[*chc.Predicate][]*lemma{}}
	if s.solver, err = solvers.NewSolver(smt.Params{}); err != nil {
		return nil, fmt.Errorf("opening a solver to simplify a model: %w", err)
	}
	s.solver.SetLimit(smt.Limit{Time: budget / 8})
	if err = s.prune(); err == nil {
		err = s.reduce()
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("simplifying a model: %w", ctx.Err())
	}
	if err != nil && limited.Err() == nil {
		return nil, fmt.Errorf("simplifying a model: %w", err)
	}
	if small := s.result(); small.Size() < m.Size() {
		return small, nil
	}
	return m, nil
}

// lemma is a conjunct of an interpretation.
type lemma struct {
	pred *chc.Predicate
	term *term.Term
	kept bool
}

type simplifier struct {
	ctx    context.Context
	sys    *chc.System
	model  *Model
	solver smt.Solver
	lemmas map[*chc.Predicate][]*lemma
}

// result is the model made of the lemmas that are kept.
func (s *simplifier) result() *Model {
	out := NewModel()
	for _, pred := range s.sys.Predicates {
		var kept []*term.Term
		for _, l := range s.lemmas[pred] {
			if l.kept {
				kept = append(kept, l.term)
			}
		}
		out.Interpretations[pred] = Interpretation{
			Params: s.model.Interpretations[pred].Params,
			Body:   s.sys.Pool.And(kept...),
		}
	}
	return out
}

// goal is the lemma at the head of the clause, or false when the lemma is nil.
type goal struct {
	clause *chc.Clause
	lemma  *lemma
}

// prune keeps the lemmas that the queries need. Whatever is kept is proved from what is kept, so the result is a model
// at the end, and also when the time runs out, because all premises of an open goal are kept then.
func (s *simplifier) prune() error {
	heads := map[*chc.Predicate][]*chc.Clause{}
	var todo []goal
	for _, c := range s.sys.Clauses {
		if c.IsQuery() {
			todo = append(todo, goal{clause: c})
		} else {
			heads[c.Head.Pred] = append(heads[c.Head.Pred], c)
		}
	}
	for _, pred := range s.sys.Predicates {
		for _, t := range term.Conjuncts(s.model.Interpretations[pred].Body) {
			if !t.IsTrue() {
				s.lemmas[pred] = append(s.lemmas[pred], &lemma{pred: pred, term: t})
			}
		}
	}
	for len(todo) > 0 {
		if s.ctx.Err() != nil {
			s.keepBelow(todo, heads)
			return nil
		}
		g := todo[0]
		todo = todo[1:]
		needed, err := s.needs(g)
		if err != nil {
			return err
		}
		for _, l := range needed {
			l.kept = true
			for _, c := range heads[l.pred] {
				todo = append(todo, goal{clause: c, lemma: l})
			}
		}
	}
	return nil
}

// keepBelow keeps, without asking, all that the goals can need: the lemmas of the predicates that their derivations use.
func (s *simplifier) keepBelow(goals []goal, heads map[*chc.Predicate][]*chc.Clause) {
	seen := map[*chc.Predicate]bool{}
	var todo []*chc.Clause
	for _, g := range goals {
		todo = append(todo, g.clause)
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range c.Body {
			if seen[a.Pred] {
				continue
			}
			seen[a.Pred] = true
			for _, l := range s.lemmas[a.Pred] {
				l.kept = true
			}
			todo = append(todo, heads[a.Pred]...)
		}
	}
}

// needs returns lemmas, not yet kept, that prove the goal together with those that are kept.
func (s *simplifier) needs(g goal) ([]*lemma, error) {
	p := s.sys.Pool
	asserted := []*term.Term{g.clause.Constraint}
	if g.lemma != nil {
		asserted = append(asserted, p.Not(s.instance(g.lemma, g.clause.Head.Args)))
	}
	var candidates []*lemma
	var assumptions []*term.Term
	for _, a := range g.clause.Body {
		for _, l := range s.lemmas[a.Pred] {
			if s.ctx.Err() != nil {
				return s.unkept(g.clause), nil
			}
			t := s.instance(l, a.Args)
			if l.kept {
				asserted = append(asserted, t)
				continue
			}
			candidates = append(candidates, l)
			assumptions = append(assumptions, t)
		}
	}
	if p.And(asserted...).IsFalse() {
		return nil, nil
	}
	if err := s.solver.Push(); err != nil {
		return nil, err
	}
	defer s.solver.Pop() //nolint:errcheck // the next Push reports a broken solver
	if err := s.solver.Assert(asserted...); err != nil {
		return nil, err
	}
	status, err := s.check()
	if err != nil || status == smt.Unsat {
		return nil, err
	}
	if status, err = s.check(assumptions...); err != nil {
		return nil, err
	}
	switch status {
	case smt.Sat:
		return nil, &ClauseError{Clause: g.clause, Err: ErrInvalid}
	case smt.Unknown:
		return distinct(candidates), nil
	}
	core := map[*term.Term]bool{}
	for _, t := range s.solver.Core() {
		core[t] = true
	}
	var needed []*lemma
	for k, l := range candidates {
		if core[assumptions[k]] {
			needed = append(needed, l)
		}
	}
	return distinct(needed), nil
}

// unkept are the lemmas of the predicates in the clause's body that are not kept yet.
func (s *simplifier) unkept(c *chc.Clause) []*lemma {
	var all []*lemma
	for _, a := range c.Body {
		for _, l := range s.lemmas[a.Pred] {
			if !l.kept {
				all = append(all, l)
			}
		}
	}
	return distinct(all)
}

func (s *simplifier) instance(l *lemma, args []*term.Term) *term.Term {
	i := Interpretation{Params: s.model.Interpretations[l.pred].Params, Body: l.term}
	return i.Apply(s.sys.Pool, args)
}

// check is unknown, without an error, when the budget is spent.
func (s *simplifier) check(assumptions ...*term.Term) (smt.Status, error) {
	status, err := s.solver.Check(s.ctx, assumptions...)
	if s.ctx.Err() != nil {
		return smt.Unknown, nil
	}
	return status, err
}

// reduce drops from each interpretation what the rest of it implies; the interpretation keeps its meaning.
func (s *simplifier) reduce() error {
	for _, pred := range s.sys.Predicates {
		// Large conjuncts are tried first: they are the ones to get rid of.
		var order []*lemma
		for _, l := range s.lemmas[pred] {
			if l.kept {
				order = append(order, l)
			}
		}
		slices.SortStableFunc(order, func(a, b *lemma) int { return cmp.Compare(b.term.Size(), a.term.Size()) })
		for _, l := range order {
			if s.ctx.Err() != nil {
				return nil
			}
			if err := s.reduceLemma(l, order); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *simplifier) reduceLemma(l *lemma, all []*lemma) error {
	p := s.sys.Pool
	var rest []*term.Term
	for _, o := range all {
		if o != l && o.kept {
			rest = append(rest, o.term)
		}
	}
	if len(rest) > 0 {
		implied, err := s.unsat(append(rest, p.Not(l.term))...)
		if err != nil {
			return err
		}
		if implied {
			l.kept = false
			return nil
		}
	}
	ds := slices.Clone(term.Disjuncts(l.term))
	if len(ds) < 2 {
		return nil
	}
	for k := len(ds) - 1; k >= 0 && len(ds) > 1 && s.ctx.Err() == nil; k-- {
		others := slices.Delete(slices.Clone(ds), k, k+1)
		implied, err := s.unsat(append(slices.Clone(rest), ds[k], p.Not(p.Or(others...)))...)
		if err != nil {
			return err
		}
		if implied {
			ds = others
		}
	}
	l.term = p.Or(ds...)
	return nil
}

// unsat reports whether the solver shows the conjunction unsatisfiable.
func (s *simplifier) unsat(ts ...*term.Term) (bool, error) {
	status := smt.Unknown
	err := smt.Within(s.solver, ts, func() (err error) {
		status, err = s.check()
		return err
	})
	return status == smt.Unsat, err
}

// distinct removes repetitions: one lemma occurs once for each atom of its predicate.
func distinct(ls []*lemma) []*lemma {
	seen := map[*lemma]bool{}
	return slices.DeleteFunc(ls, func(l *lemma) bool {
		if seen[l] {
			return true
		}
		seen[l] = true
		return false
	})
}
