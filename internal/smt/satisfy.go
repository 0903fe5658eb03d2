package smt

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
)

// Satisfy returns a model of formulas from the first of several solvers, opened with these settings, that has one. Models are not
// believed, since Z3's of arrays over finite index sorts can be wrong: no formula is false in what is returned. It is nil when no
// solver has such a model.
func Satisfy(ctx context.Context, c Context, settings []Params, limit Limit, p *term.Pool, formulas []*term.Term) (*Model, error) {
	for _, params := range settings {
		s, err := c.NewSolver(params)
		if err != nil {
			return nil, fmt.Errorf("open a solver: %w", err)
		}
		s.SetLimit(limit)
		m, err := satisfy(ctx, s, p, formulas)
		s.Close()
		if m != nil || err != nil {
			return m, err
		}
	}
	return nil, nil
}

func satisfy(ctx context.Context, s Solver, p *term.Pool, formulas []*term.Term) (*Model, error) {
	if err := s.Assert(formulas...); err != nil {
		return nil, fmt.Errorf("assert: %w", err)
	}
	return Satisfied(ctx, s, p, formulas)
}

// Satisfied is Satisfy for formulas that a solver has been told already.
func Satisfied(ctx context.Context, s Solver, p *term.Pool, formulas []*term.Term) (*Model, error) {
	status, err := s.Check(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || status != Sat {
		return nil, err
	}
	m, err := s.Model()
	if errors.Is(err, ErrNoValue) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a model: %w", err)
	}
	if slices.ContainsFunc(formulas, term.NewEvaluator(p, term.Complete(p, m)).False) {
		return nil, nil
	}
	return m, nil
}
