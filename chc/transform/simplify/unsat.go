package simplify

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/internal/smt"
)

// UnsatBodies returns the pass "unsat-bodies".
func UnsatBodies() transform.Pass {
	return transform.Pass{
		Name:   "unsat-bodies",
		Doc:    "Removes clauses whose constraint is unsatisfiable; a solver is asked where trying values does not find one.",
		Repeat: true,
		Run:    removeUnsatisfiable,
	}
}

// bodyLimit bounds each check. The resources decide, so that a run can be repeated; the time is for checks on which the
// solver's counter stands still.
var bodyLimit = smt.Limit{Time: 2 * time.Second, Resources: 5_000}

// removeUnsatisfiable removes the clauses whose constraint no values satisfy: every interpretation satisfies them.
// Constraints that were found satisfiable are remembered within a Pipeline.
func removeUnsatisfiable(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	f := transform.Memo[feasibility](env)
	if f == nil {
		f = &feasibility{}
		defer f.Close()
	}
	if f.known == nil {
		*f = feasibility{env: env, pool: sys.Pool, known: map[*term.Term]bool{}}
	}
	var clauses []*chc.Clause
	var origins [][]transform.Origin
	for _, c := range sys.Clauses {
		ok, err := f.feasible(ctx, c.Constraint)
		if err != nil {
			return nil, nil, fmt.Errorf("checking the constraint of clause %d: %w", c.ID, err)
		}
		if ok {
			clauses = append(clauses, c)
			origins = append(origins, []transform.Origin{{Clause: c}})
		}
	}
	if len(clauses) == len(sys.Clauses) {
		return sys, nil, nil
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: transform.Identity(next), Origins: origins}, nil
}

// feasibility decides constraints one after the other.
type feasibility struct {
	env  transform.Environment
	pool *term.Pool
	// known holds the answers so far.
	known       map[*term.Term]bool
	solver      smt.Solver
	closeSolver func()
}

// Close closes the solver, if one was opened; the error is always nil.
func (f *feasibility) Close() error {
	if f.closeSolver != nil {
		f.closeSolver()
	}
	return nil
}

// feasible reports whether the constraint may be satisfiable.
func (f *feasibility) feasible(ctx context.Context, constraint *term.Term) (bool, error) {
	if ok, known := f.known[constraint]; known {
		return ok, nil
	}
	ok := !constraint.IsFalse()
	if ok && !guessModel(f.pool, constraint) && f.env.Open != nil {
		var err error
		if ok, err = f.check(ctx, constraint); err != nil {
			return false, err
		}
	}
	f.known[constraint] = ok
	return ok, nil
}

// check asks the solver; giving up counts as satisfiable.
func (f *feasibility) check(ctx context.Context, constraint *term.Term) (bool, error) {
	if err := f.open(); err != nil {
		return false, err
	}
	st := smt.Unknown
	err := smt.Within(f.solver, []*term.Term{constraint}, func() (err error) {
		st, err = f.solver.Check(ctx)
		return err
	})
	return st != smt.Unsat, err
}

func (f *feasibility) open() (err error) {
	if f.solver == nil {
		f.solver, f.closeSolver, err = f.env.Solver(f.pool, bodyLimit)
	}
	return err
}
