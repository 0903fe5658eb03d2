package portfolio

import (
	"context"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// check is a way to ask a solver.
type check func(context.Context, smt.Solver, []*term.Term) (smt.Status, error)

// aroundChecks wraps an opener so that its solvers are asked in another way, of which each context has its own; nil stays
// nil.
func aroundChecks(open smt.Opener, way func() check) smt.Opener {
	if open == nil {
		return nil
	}
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		ctx, err := open(p, c)
		if err != nil {
			return nil, err
		}
		return &aroundContext{ctx, way()}, nil
	}
}

type aroundContext struct {
	smt.Context
	check check
}

func (c *aroundContext) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	if err != nil {
		return nil, err
	}
	return &aroundSolver{s, c.check}, nil
}

type aroundSolver struct {
	smt.Solver
	check check
}

func (s *aroundSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	return s.check(ctx, s.Solver, assumptions)
}
