package itp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/mbp"
)

// query is one interpolation problem in progress: the cores of its sides, a solver for each, and the clusters whose
// disjunction is the interpolant so far.
type query struct {
	it       *Interpolator
	a, b     *term.Term
	common   []*term.Term
	strength Strength
	// rounds are left of limit.
	rounds, limit int
	solverA       smt.Solver
	solverB       smt.Solver
	clusters      []*cluster
}

func (q *query) close() {
	for _, s := range []smt.Solver{q.solverA, q.solverB} {
		if s != nil {
			s.Close()
		}
	}
}

// exchanged returns the problem with the sides exchanged; the negation of its interpolant is one of q.
func (q *query) exchanged() *query {
	s := q.strength
	switch s {
	case Strong:
		s = Weak
	case Weak:
		s = Strong
	}
	return &query{it: q.it, a: q.b, b: q.a, common: q.common, strength: s, rounds: q.limit, limit: q.limit}
}

// side returns a side, where it is over the shared variables by itself.
func (q *query) side(shared []*term.Term) *term.Term {
	p := q.it.pool
	allowed := setOf(shared)
	over := func(t *term.Term) bool {
		return !t.HasQuantifier() && !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return !allowed[v] })
	}
	a, b := over(q.a), over(q.b)
	switch {
	case a && (!b || q.strength != Weak):
		return q.a
	case b:
		return p.Not(q.b)
	}
	return nil
}

// easy answers from the cores alone where that is as good as any search: sides without a common variable, a side whose
// core is one literal over the common variables, and cores of literals over Booleans and other finite or opaque sorts
// (option C). It returns the statistic to count under; a nil candidate means that the problem is not easy.
func (q *query) easy(ctx context.Context, coreA, coreB []*term.Term) (*term.Term, *int, error) {
	p, stats := q.it.pool, &q.it.stats
	if len(q.common) == 0 {
		status, err := q.it.checkOnce(ctx, q.a)
		return p.Bool(status != smt.Unsat), &stats.Trivial, err
	}
	common := setOf(q.common)
	literals := func(core []*term.Term) bool {
		return !slices.ContainsFunc(core, func(t *term.Term) bool { return !t.IsLiteral() || !overOnly(t, common) })
	}
	arithmetic := func(core []*term.Term) bool {
		return slices.ContainsFunc(core, func(t *term.Term) bool { _, ok := p.AsConstraint(t); return ok })
	}
	litsA, litsB := literals(coreA), literals(coreB)
	singleA, singleB := litsA && len(coreA) == 1, litsB && len(coreB) == 1
	switch {
	case singleA && singleB && q.strength == Middle && arithmetic(coreA) && arithmetic(coreB):
		return nil, nil, nil // a bound between the two may be nicer than either
	case singleA && (!singleB || q.strength != Weak):
		return coreA[0], &stats.Trivial, nil
	case singleB:
		return p.Not(coreB[0]), &stats.Trivial, nil
	}
	if litsB && !arithmetic(coreB) {
		kept, err := q.dropLiterals(ctx, q.sideA, coreB)
		return p.Not(p.And(kept...)), &stats.Cores, err
	}
	if litsA && !arithmetic(coreA) {
		kept, err := q.dropLiterals(ctx, q.sideB, coreA)
		return p.And(kept...), &stats.Cores, err
	}
	return nil, nil, nil
}

func overOnly(t *term.Term, allowed map[*term.Term]bool) bool {
	return !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return !allowed[v] })
}

func (q *query) sideA() (smt.Solver, error) { return q.opened(&q.solverA, q.a) }
func (q *query) sideB() (smt.Solver, error) { return q.opened(&q.solverB, q.b) }

// opened returns the solver that holds one side, opened at first use.
func (q *query) opened(s *smt.Solver, side *term.Term) (smt.Solver, error) {
	if *s != nil {
		return *s, nil
	}
	fresh, err := q.it.solvers.NewSolver(q.it.opts.Solver)
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	if err := fresh.Assert(side); err != nil {
		fresh.Close()
		return nil, fmt.Errorf("assert a side: %w", err)
	}
	*s = fresh
	return fresh, nil
}

// find looks for a model of a side together with more formulas; nil when there is none.
func (q *query) find(ctx context.Context, side func() (smt.Solver, error), more ...*term.Term) (m *smt.Model, err error) {
	err = q.decide(ctx, side, more, func(s smt.Solver, status smt.Status) error {
		if status == smt.Unsat {
			return nil
		}
		m, err = modelOf(s)
		return err
	})
	return m, err
}

// refutes reports whether a side contradicts more formulas.
func (q *query) refutes(ctx context.Context, side func() (smt.Solver, error), more ...*term.Term) (ok bool, err error) {
	err = q.decide(ctx, side, more, func(_ smt.Solver, status smt.Status) error {
		ok = status == smt.Unsat
		return nil
	})
	return ok, err
}

// decide checks a side together with more formulas, in a scope that is left again after then.
func (q *query) decide(ctx context.Context, side func() (smt.Solver, error), more []*term.Term,
	then func(smt.Solver, smt.Status) error) error {
	s, err := side()
	if err != nil {
		return err
	}
	return smt.Within(s, more, func() error {
		status, err := check(ctx, s)
		if err != nil {
			return err
		}
		return then(s, status)
	})
}

// project returns a cube over the common variables that the model satisfies and that implies the formulas' existential.
func (q *query) project(m *smt.Model, formulas ...*term.Term) (Cube, error) {
	if q.rounds--; q.rounds < 0 {
		return nil, fmt.Errorf("%d cubes: %w", q.it.opts.Rounds, ErrBudget)
	}
	common := setOf(q.common)
	cube, err := q.it.project(m, common, formulas...)
	if err != nil {
		return nil, err
	}
	return cube, nil
}

// project returns literals over the kept variables that the model satisfies and whose conjunction implies the
// formulas' existential over all other variables.
func (it *Interpolator) project(m *smt.Model, kept map[*term.Term]bool, formulas ...*term.Term) (Cube, error) {
	var others []*term.Term
	for _, v := range term.Vars(formulas...) {
		if !kept[v] {
			others = append(others, v)
		}
	}
	lits, err := mbp.ImplicantOf(it.pool, formulas, m, mbp.ImplicantOptions{Avoid: others, Complete: true})
	if errors.Is(err, mbp.ErrFalse) || errors.Is(err, mbp.ErrUndetermined) {
		err = fmt.Errorf("%w: %w", ErrModel, err)
	}
	if err != nil {
		return nil, fmt.Errorf("implicant: %w", err)
	}
	cube, err := it.projector.Project(lits, others, m)
	if errors.Is(err, mbp.ErrFalse) || errors.Is(err, mbp.ErrUndetermined) {
		err = fmt.Errorf("%w: %w", ErrModel, err)
	}
	if err != nil {
		return nil, fmt.Errorf("project: %w", err)
	}
	return mbp.Guarded(it.pool, cube), nil
}

// dropLiterals returns a subset of the cube, minimal as far as tried, that still contradicts the side; nil when the cube
// itself does not. One check for a core, then one a literal.
func (q *query) dropLiterals(ctx context.Context, side func() (smt.Solver, error), cube Cube) (Cube, error) {
	s, err := side()
	if err != nil {
		return nil, err
	}
	return q.it.shrunk(ctx, s, cube)
}

// shrunk is shrink with the testers without which a selector may be one of another constructor.
func (it *Interpolator) shrunk(ctx context.Context, s smt.Solver, cube Cube) (Cube, error) {
	kept, err := shrink(ctx, s, cube, nil)
	if kept == nil || err != nil {
		return nil, err
	}
	return mbp.Guarded(it.pool, kept), nil
}

// shrink returns a minimal subset of the cube that contradicts the solver's assertions and the fixed assumptions; nil
// when the whole does not. The empty subset is returned as an empty, non-nil cube.
func shrink(ctx context.Context, s smt.Solver, cube Cube, fixed Cube) (Cube, error) {
	core := func(c Cube) (Cube, bool, error) {
		status, err := check(ctx, s, slices.Concat(c, fixed)...)
		if err != nil || status != smt.Unsat {
			return nil, false, err
		}
		used := setOf(s.Core())
		out := Cube{}
		for _, t := range c {
			if used[t] {
				out = append(out, t)
			}
		}
		return out, true, nil
	}
	kept, ok, err := core(cube)
	if err != nil || !ok {
		return nil, err
	}
	for i := len(kept) - 1; i >= 0; i-- {
		without := slices.Concat(kept[:i], kept[i+1:])
		smaller, ok, err := core(without)
		if err != nil {
			return nil, err
		}
		if ok {
			// What is behind i was needed with more literals present, so it is in every core.
			i = len(smaller) - (len(kept) - 1 - i)
			kept = smaller
		}
	}
	return kept, nil
}
