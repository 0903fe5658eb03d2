package witness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// DefaultLimit bounds each of CheckModel's queries when the caller does not.
const DefaultLimit = 10 * time.Second

// CheckModel checks that m is a model of sys: for every clause, constraint and interpreted body and not the interpreted
// head is unsatisfiable. It opens solver contexts of its own and shares nothing with the engine that found m.
//
// A wrong model is an error that wraps ErrInvalid: a predicate without an interpretation over its sorts, or a clause
// with a counterexample (a *ClauseError). When the solver decides some clause on no rung of the ladder of attempts, and
// finds no other clause false, the error is a *ClauseError that wraps ErrUndecided. When ctx is done, the error wraps
// ctx's. Any other error means that the solver broke.
//
// limit bounds each query of the last, most patient attempts; earlier ones get a fraction of its time. A zero time
// stands for DefaultLimit.
func CheckModel(ctx context.Context, open smt.Opener, sys *chc.System, m *Model, limit smt.Limit) error {
	if err := m.wellFormed(sys); err != nil {
		return err
	}
	if limit.Time == 0 {
		limit.Time = DefaultLimit
	}
	todo := sys.Clauses
	for _, a := range ladder {
		c := modelChecker{open: open, sys: sys, model: m, limit: limit, attempt: a}
		var err error
		if todo, err = c.run(ctx, todo); err != nil || len(todo) == 0 {
			return err
		}
	}
	detail := ""
	if len(todo) > 1 {
		detail = fmt.Sprintf("and %d more", len(todo)-1)
	}
	return &ClauseError{Clause: todo[0], Detail: detail, Err: ErrUndecided}
}

// attempt is one way to ask the solver about a clause.
type attempt struct {
	params smt.Params
	seed   uint64
	// split asks for each conjunct of the head by itself.
	split bool
	// fresh takes a new solver for each query instead of push and pop: tactics only run in one that was never pushed.
	fresh bool
	// share is the fraction of the time limit that a query gets, in sixteenths.
	share time.Duration
}

// ladder is tried in this order, each attempt on the clauses that all before it left open. Nearly every clause falls to
// the first one.
var ladder = []attempt{
	{share: 2},
	{params: smt.Params{Auto: true}, fresh: true, share: 4},
	{params: smt.Params{ArithSolver: 2}, fresh: true, share: 4},
	{seed: 1, fresh: true, share: 4},
	{split: true, share: 4},
	{params: smt.Params{Auto: true}, seed: 2, split: true, fresh: true, share: 16},
	{seed: 3, fresh: true, share: 16},
}

// modelChecker makes one attempt on a list of clauses.
type modelChecker struct {
	open    smt.Opener
	sys     *chc.System
	model   *Model
	limit   smt.Limit
	attempt attempt

	solvers smt.Context
	shared  smt.Solver // the pushed and popped one; nil when the attempt wants fresh ones
}

// run returns the clauses that it could not decide, or an error for the first clause that is not valid.
func (c *modelChecker) run(ctx context.Context, clauses []*chc.Clause) (undecided []*chc.Clause, err error) {
	c.solvers, err = c.open(c.sys.Pool, smt.Config{Seed: c.attempt.seed})
	if err != nil {
		return nil, fmt.Errorf("opening a solver to check a model: %w", err)
	}
	defer c.solvers.Close()
	if !c.attempt.fresh {
		if c.shared, err = c.newSolver(); err != nil {
			return nil, err
		}
	}
	for _, cl := range clauses {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("checking a model: %w", err)
		}
		ok, err := c.clause(ctx, cl)
		if err != nil {
			return nil, err
		}
		if !ok {
			undecided = append(undecided, cl)
		}
	}
	return undecided, nil
}

func (c *modelChecker) newSolver() (smt.Solver, error) {
	s, err := c.solvers.NewSolver(c.attempt.params)
	if err != nil {
		return nil, fmt.Errorf("opening a solver to check a model: %w", err)
	}
	limit := c.limit
	limit.Time = limit.Time * c.attempt.share / 16
	s.SetLimit(limit)
	return s, nil
}

// clause reports whether the clause was proved; false without an error means that the solver did not decide it.
func (c *modelChecker) clause(ctx context.Context, cl *chc.Clause) (bool, error) {
	premises, goals, valid := c.model.instantiate(c.sys.Pool, cl)
	if valid {
		return true, nil
	}
	if !c.attempt.split || len(goals) < 2 {
		return c.query(ctx, cl, premises, goals)
	}
	// The conjuncts that are proved become premises of the later ones.
	for _, g := range goals {
		if ok, err := c.query(ctx, cl, premises, []*term.Term{g}); !ok || err != nil {
			return false, err
		}
		premises = append(premises, g)
	}
	return true, nil
}

// instantiate returns the clause under the model as conjunctions: premises imply goals; no goal means false. Goals that
// are among the premises are left out, and valid says that nothing is left to prove.
func (m *Model) instantiate(p *term.Pool, cl *chc.Clause) (premises, goals []*term.Term, valid bool) {
	seen := map[*term.Term]bool{}
	add := func(t *term.Term) {
		for _, c := range term.Conjuncts(t) {
			if !c.IsTrue() && !seen[c] {
				seen[c] = true
				premises = append(premises, c)
			}
		}
	}
	add(cl.Constraint)
	for _, a := range cl.Body {
		add(m.Interpretations[a.Pred].Apply(p, a.Args))
	}
	if seen[p.False()] {
		return premises, nil, true
	}
	if cl.Head == nil {
		return premises, nil, false
	}
	head := m.Interpretations[cl.Head.Pred].Apply(p, cl.Head.Args)
	if head.IsFalse() {
		return premises, nil, false
	}
	for _, g := range term.Conjuncts(head) {
		if !g.IsTrue() && !seen[g] {
			goals = append(goals, g)
		}
	}
	return premises, goals, len(goals) == 0
}

// query asks whether the premises imply all goals.
func (c *modelChecker) query(ctx context.Context, cl *chc.Clause, premises, goals []*term.Term) (proved bool, err error) {
	s := c.shared
	if s == nil {
		if s, err = c.newSolver(); err != nil {
			return false, err
		}
		defer s.Close()
	} else {
		if err := s.Push(); err != nil {
			return false, solverError(cl, err)
		}
		defer func() {
			if e := s.Pop(); e != nil && err == nil {
				proved, err = false, solverError(cl, e)
			}
		}()
	}
	if err := s.Assert(premises...); err != nil {
		return false, solverError(cl, err)
	}
	p := c.sys.Pool
	if len(goals) > 0 {
		if err := s.Assert(p.Not(p.And(goals...))); err != nil {
			return false, solverError(cl, err)
		}
	}
	status, err := s.Check(ctx)
	if err != nil {
		return false, solverError(cl, err)
	}
	switch status {
	case smt.Unsat:
		return true, nil
	case smt.Sat:
		return false, c.counterexample(s, cl, premises, goals)
	default:
		return false, nil
	}
}

// counterexample reads the solver's assignment. It returns nil, for undecided, when the assignment is evaluated here
// and turns out not to be a counterexample.
func (c *modelChecker) counterexample(s smt.Solver, cl *chc.Clause, premises, goals []*term.Term) error {
	p := c.sys.Pool
	found, err := s.Model()
	if err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return solverError(cl, err)
		}
		return &ClauseError{Clause: cl, Detail: "the solver has a counterexample, but can't show it", Err: ErrInvalid}
	}
	a := term.Complete(p, found)
	e := term.NewEvaluator(p, a)
	conclusion := p.False()
	if len(goals) > 0 {
		conclusion = p.And(goals...)
	}
	for _, t := range premises {
		if e.False(t) {
			return nil
		}
	}
	if e.True(conclusion) {
		return nil
	}
	bad := &ClauseError{Clause: cl, Err: ErrInvalid}
	for _, x := range cl.Vars() {
		if v, ok := a.Lookup(x); ok {
			bad.Values = append(bad.Values, Binding{Var: x, Value: v})
		}
	}
	return bad
}

func solverError(cl *chc.Clause, err error) error {
	return fmt.Errorf("checking a model on %s: %w", describe(cl), err)
}
