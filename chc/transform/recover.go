package transform

import (
	"context"
	"errors"
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/partial"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Instance is a ground instance of a clause that is to be found: its atoms' argument values are known, its variables'
// only in part.
type Instance struct {
	Clause *chc.Clause
	// Body holds the values of each body atom's arguments: what the premises derived.
	Body     [][]term.Value
	Premises []int
	// Head holds the values that the head's arguments must have; nil entries are free. It is nil for a query.
	Head []*term.Value
	// Hints are values that were good for the transformed clause, and define has those that were eliminated from
	// it; they are tried before the solver.
	Hints  map[*term.Term]term.Value
	define []Definition
	// Values is the result: a value for every variable of the clause.
	Values map[*term.Term]term.Value
}

// Recoverer finds the values of instances. It opens a solver only when evaluation is not enough; close it after use.
type Recoverer struct {
	env    Environment
	Pool   *term.Pool
	opened smt.Context
	Solver smt.Solver
	// restriction leaves the solver only values under which everything is determined.
	restriction *partial.Restriction
	// open says that a clause was completed that has operations which SMT-LIB leaves open: other values may have been chosen for it than
	// the premises of later clauses have.
	open bool
}

// NewRecoverer returns a Recoverer for clauses with terms of pool; without env.Open it evaluates only.
func NewRecoverer(env Environment, pool *term.Pool) *Recoverer {
	return &Recoverer{env: env, Pool: pool, restriction: partial.NewRestriction(pool)}
}

// Close closes the solver, if one was opened.
func (r *Recoverer) Close() {
	if r.opened != nil {
		r.opened.Close()
	}
}

// values evaluates terms all of whose variables have values.
func (r *Recoverer) values(ts []*term.Term, vals map[*term.Term]term.Value) ([]term.Value, error) {
	ev := term.NewEvaluator(r.Pool, term.MapAssignment(vals))
	out := make([]term.Value, len(ts))
	for i, t := range ts {
		v, ok := ev.Eval(t)
		if !ok {
			return nil, fmt.Errorf("%w: the value of %s is not determined", ErrGaveUp, t)
		}
		out[i] = v
	}
	return out, nil
}

// Evaluate fills in in.values without a solver: hints, then body arguments that are variables, then definitions (the
// last eliminated first), then defaults. It returns the head's values when the result is such an instance.
func (r *Recoverer) Evaluate(in *Instance) ([]term.Value, bool) {
	vals := make(map[*term.Term]term.Value, len(in.Hints))
	for v, val := range in.Hints {
		vals[v] = val
	}
	for i, a := range in.Clause.Body {
		for j, t := range a.Args {
			if _, known := vals[t]; t.IsVar() && !known {
				vals[t] = in.Body[i][j]
			}
		}
	}
	for i := len(in.define) - 1; i >= 0; i-- {
		d := in.define[i]
		if _, known := vals[d.Variable]; known {
			continue
		}
		// A definition may rest on variables that vanished from the transformed clause, whose values do not matter.
		for _, v := range term.Vars(d.Value) {
			if _, known := vals[v]; !known {
				vals[v] = term.DefaultValue(r.Pool, v.Sort())
			}
		}
		if val, ok := term.NewEvaluator(r.Pool, term.MapAssignment(vals)).Eval(d.Value); ok {
			vals[d.Variable] = val
		}
	}
	in.Values = vals
	return r.check(in)
}

// check completes in.values to the clause's variables, and no others, and tells whether they give an instance with the
// given premises and head; if so it returns the values of all the head's arguments.
func (r *Recoverer) check(in *Instance) ([]term.Value, bool) {
	vars := in.Clause.Vars()
	vals := make(map[*term.Term]term.Value, len(vars))
	for _, v := range vars {
		val, ok := in.Values[v]
		if !ok {
			val = term.DefaultValue(r.Pool, v.Sort())
		}
		vals[v] = val
	}
	in.Values = vals
	ev := term.NewEvaluator(r.Pool, term.MapAssignment(vals))
	for i, a := range in.Clause.Body {
		for j, t := range a.Args {
			if v, ok := ev.Eval(t); !ok || !v.Equal(in.Body[i][j]) {
				return nil, false
			}
		}
	}
	if !ev.True(in.Clause.Constraint) {
		return nil, false
	}
	if in.Clause.Head == nil {
		return nil, true
	}
	head := make([]term.Value, len(in.Clause.Head.Args))
	for j, t := range in.Clause.Head.Args {
		v, ok := ev.Eval(t)
		if !ok || in.Head != nil && in.Head[j] != nil && !v.Equal(*in.Head[j]) {
			return nil, false
		}
		head[j] = v
	}
	return head, true
}

// ErrNoInstance is the error for a clause without an instance that has the given premises and head.
var ErrNoInstance = errors.New("the clause has no such instance")

// Open opens the solver when that was not done before.
func (r *Recoverer) Open() error {
	if r.Solver != nil {
		return nil
	}
	opened, err := r.env.Open(r.Pool, smt.Config{})
	if err != nil {
		return fmt.Errorf("opening a solver to complete a step: %w", err)
	}
	r.opened = opened
	if r.Solver, err = opened.NewSolver(smt.Params{}); err != nil {
		return fmt.Errorf("opening a solver to complete a step: %w", err)
	}
	return nil
}

// Solve finds in.values with a solver: the constraint with the atoms' arguments fixed, and all operations determined.
func (r *Recoverer) Solve(ctx context.Context, in *Instance) ([]term.Value, error) {
	if r.Solver == nil && r.env.Open == nil {
		return nil, fmt.Errorf("no solver to complete a step of clause %d with", in.Clause.ID)
	}
	if err := r.Open(); err != nil {
		return nil, err
	}
	determined := r.restriction.Clause(in.Clause)
	fixed := []*term.Term{determined}
	for i, a := range in.Clause.Body {
		for j, t := range a.Args {
			fixed = append(fixed, r.Pool.Eq(t, in.Body[i][j].Term(r.Pool)))
		}
	}
	if in.Clause.Head != nil && in.Head != nil {
		for j, t := range in.Clause.Head.Args {
			if v := in.Head[j]; v != nil {
				fixed = append(fixed, r.Pool.Eq(t, v.Term(r.Pool)))
			}
		}
	}
	vals, err := r.Find(ctx, r.Pool.And(fixed...))
	r.open = r.open || determined != in.Clause.Constraint
	if errors.Is(err, ErrNoInstance) && r.open {
		err = fmt.Errorf("%w, unless it or a step before depends on a quotient by zero or a selector of another constructor, which SMT-LIB leaves open (%w)", err, ErrGaveUp)
	}
	if err != nil {
		return nil, fmt.Errorf("completing a step of clause %d: %w", in.Clause.ID, err)
	}
	in.Values = vals
	head, ok := r.check(in)
	if !ok {
		return nil, fmt.Errorf("%w: completing a step of clause %d: the solver's values do not satisfy it", ErrGaveUp, in.Clause.ID)
	}
	return head, nil
}

// Find returns values of f's variables that satisfy f; variables that do not matter may be missing.
func (r *Recoverer) Find(ctx context.Context, f *term.Term) (map[*term.Term]term.Value, error) {
	var vals map[*term.Term]term.Value
	err := smt.Within(r.Solver, []*term.Term{f}, func() (err error) {
		vals, err = r.modelOf(ctx, f)
		return err
	})
	return vals, err
}

// modelOf returns values of f's variables in a model of what the solver has, which is f.
func (r *Recoverer) modelOf(ctx context.Context, f *term.Term) (map[*term.Term]term.Value, error) {
	st, err := r.Solver.Check(ctx)
	switch {
	case err != nil:
		return nil, err
	case st == smt.Unsat:
		return nil, ErrNoInstance
	case st == smt.Unknown:
		return nil, fmt.Errorf("%w: the solver could not complete a step: %s", ErrGaveUp, r.Solver.ReasonUnknown())
	}
	m, err := r.Solver.Model()
	if err != nil {
		return nil, err
	}
	vals := map[*term.Term]term.Value{}
	for _, v := range term.Vars(f) {
		if val, ok := m.Lookup(v); ok {
			vals[v] = val
		}
	}
	return vals, nil
}
