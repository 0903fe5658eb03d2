package abstraction

import (
	"context"
	"fmt"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// asker is a solver that assumes, rather than asserts, what its queries differ in.
type asker struct {
	solver smt.Solver
	// assumed counts the assumptions that the solver has seen; it keeps something of each.
	assumed int
}

// post returns the solver that has a rule's formula.
func (x *explorer) post(r *rule.Rule) (*asker, error) {
	a, err := x.opened(x.posts[r.ID], r.Trans)
	x.posts[r.ID] = a
	return a, err
}

// opened returns the asker, or a new one where there is none yet or it has seen enough.
func (x *explorer) opened(a *asker, formulas ...*term.Term) (*asker, error) {
	if a != nil && a.assumed < rebuildAfter {
		return a, nil
	}
	if a != nil {
		a.solver.Close()
	}
	s, err := x.smt.NewSolver(x.options.solver())
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	s.SetLimit(x.options.checkLimit())
	if err := s.Assert(formulas...); err != nil {
		return nil, fmt.Errorf("assert a rule: %w", err)
	}
	return &asker{solver: s}, nil
}

// ask checks the solver's formulas with assumptions. The model is nil unless the status is Sat.
func (a *asker) ask(ctx context.Context, assumptions ...*term.Term) (smt.Status, *smt.Model, error) {
	a.assumed += len(assumptions)
	status, err := a.solver.Check(ctx, assumptions...)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || status != smt.Sat {
		return status, nil, err
	}
	m, err := a.solver.Model()
	return status, m, err
}
