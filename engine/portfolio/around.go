package portfolio

import (
	"context"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// check is a way to ask a solver.
type check func(context.Context, smt.Solver, []*term.Term) (smt.Status, error)

// model is a way to have a solver's model.
type model func(smt.Solver) (*smt.Model, error)

// aroundChecks wraps an opener so that its solvers are asked in another way, of which each context has its own; nil stays
// nil.
func aroundChecks(open smt.Opener, way func() check) smt.Opener {
	return around(open, func() (check, model) { return way(), smt.Solver.Model })
}

// around wraps an opener so that its solvers are asked, and their models had, in another way.
func around(open smt.Opener, ways func() (check, model)) smt.Opener {
	if open == nil {
		return nil
	}
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		ctx, err := open(p, c)
		if err != nil {
			return nil, err
		}
		check, model := ways()
		return &aroundContext{ctx, check, model}, nil
	}
}

type aroundContext struct {
	smt.Context
	check check
	model model
}

func (c *aroundContext) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	if err != nil {
		return nil, err
	}
	return &aroundSolver{s, c.check, c.model}, nil
}

type aroundSolver struct {
	smt.Solver
	check check
	model model
}

func (s *aroundSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	return s.check(ctx, s.Solver, assumptions)
}

func (s *aroundSolver) Model() (*smt.Model, error) { return s.model(s.Solver) }
