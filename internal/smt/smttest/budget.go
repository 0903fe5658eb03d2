package smttest

import (
	"context"
	"sync/atomic"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// work bounds each check of a Budget: what Z3 does in a tenth of a second or so. What it does not count is not much,
// unless the check is a very hard one; then the time has a bound.
const (
	work    = 100_000
	longest = 5 * time.Second
)

// Budget returns a context and an opener for a run that is to end after a number of checks, whatever the machine is busy
// with: the check after the last one ends the context, as a deadline would. Each check's work is limited too, so that
// some are left open. The caller calls the function that is returned when the run is over.
func Budget(parent context.Context, open smt.Opener, checks int) (context.Context, smt.Opener, context.CancelFunc) {
	return spend(parent, open, checks, smt.Limit{Resources: work, Time: longest})
}

// Checks is Budget where each check goes on until it is decided.
func Checks(parent context.Context, open smt.Opener, checks int) (context.Context, smt.Opener, context.CancelFunc) {
	return spend(parent, open, checks, smt.Limit{})
}

func spend(parent context.Context, open smt.Opener, checks int, each smt.Limit) (context.Context, smt.Opener, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	b := &budget{each: each, end: cancel}
	b.left.Store(int64(checks))
	return ctx, func(p *term.Pool, c smt.Config) (smt.Context, error) {
		inner, err := open(p, c)
		if err != nil {
			return nil, err
		}
		return budgetContext{inner, b}, nil
	}, cancel
}

// budget is what several solvers have together.
type budget struct {
	left atomic.Int64
	each smt.Limit
	end  context.CancelFunc
}

type budgetContext struct {
	smt.Context
	budget *budget
}

func (c budgetContext) NewSolver(p smt.Params) (smt.Solver, error) {
	inner, err := c.Context.NewSolver(p)
	if err != nil {
		return nil, err
	}
	s := budgetSolver{inner, c.budget}
	s.SetLimit(smt.Limit{})
	return s, nil
}

type budgetSolver struct {
	smt.Solver
	budget *budget
}

func (s budgetSolver) SetLimit(l smt.Limit) {
	if each := s.budget.each; each.Resources > 0 && (l.Resources == 0 || l.Resources > each.Resources) {
		l.Resources = each.Resources
	}
	if each := s.budget.each; each.Time > 0 && (l.Time == 0 || l.Time > each.Time) {
		l.Time = each.Time
	}
	s.Solver.SetLimit(l)
}

func (s budgetSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	if s.budget.left.Add(-1) < 0 {
		s.budget.end()
	}
	return s.Solver.Check(ctx, assumptions...)
}
