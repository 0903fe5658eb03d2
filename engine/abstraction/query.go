package abstraction

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// asker is a solver with formulas that all its queries have.
type asker struct {
	solver smt.Solver
	// asserted counts the formulas that the solver has seen; it keeps something of each.
	asserted int
}

// opened returns the asker, or a new one where there is none yet or it has seen enough.
func (x *explorer) opened(a *asker, formulas ...*term.Term) (*asker, error) {
	if a != nil && a.asserted < rebuildAfter {
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

// given asks f while the solver has more assertions.
func (a *asker) given(formulas []*term.Term, f func() error) error {
	a.asserted += len(formulas)
	return smt.Within(a.solver, formulas, f)
}

// ask checks the solver's assertions. The model is nil unless the status is Sat, and where terms do not have its values.
func (a *asker) ask(ctx context.Context) (smt.Status, *smt.Model, error) {
	status, err := a.solver.Check(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || status != smt.Sat {
		return status, nil, err
	}
	m, err := a.solver.Model()
	if errors.Is(err, smt.ErrNoValue) {
		return status, nil, nil
	}
	return status, m, err
}
