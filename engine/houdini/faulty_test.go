package houdini

import (
	"context"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// faultyOpener opens solvers that have no answer where refuse says so. It is handed the denials that the literals in the
// last asserted goal stand for, the assertion itself when it is none.
func faultyOpener(refuse func(asked []*term.Term) bool) smt.Opener {
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		inner, err := z3.Open(p, c)
		return faultyContext{inner, p, refuse}, err
	}
}

type faultyContext struct {
	smt.Context
	pool   *term.Pool
	refuse func([]*term.Term) bool
}

func (c faultyContext) NewSolver(p smt.Params) (smt.Solver, error) {
	inner, err := c.Context.NewSolver(p)
	return &faultySolver{Solver: inner, pool: c.pool, refuse: c.refuse, denials: map[*term.Term]*term.Term{}}, err
}

// faultySolver remembers what negated literals deny, (or literal denial), and which of them the last assertion asks for.
type faultySolver struct {
	smt.Solver
	pool    *term.Pool
	refuse  func([]*term.Term) bool
	denials map[*term.Term]*term.Term
	asked   []*term.Term
}

func (s *faultySolver) Assert(ts ...*term.Term) error {
	for _, t := range ts {
		s.asked = nil
		for _, l := range term.Disjuncts(t) {
			if d := s.denials[l]; d != nil {
				s.asked = append(s.asked, d)
			}
			if l.IsVar() && len(term.Disjuncts(t)) == 2 {
				for _, d := range term.Disjuncts(t) {
					if d != l {
						s.denials[s.pool.Not(l)] = d
					}
				}
			}
		}
	}
	return s.Solver.Assert(ts...)
}

func (s *faultySolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if s.refuse(s.asked) {
		return smt.Unknown, nil
	}
	return s.Solver.Check(ctx, assumptions...)
}
