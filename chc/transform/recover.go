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

// instance is a ground instance of a clause that is to be found: its atoms' argument values are known, its variables'
// only in part.
type instance struct {
	clause *chc.Clause
	// body holds the values of each body atom's arguments: what the premises derived.
	body     [][]term.Value
	premises []int
	// head holds the values that the head's arguments must have; nil entries are free. It is nil for a query.
	head []*term.Value
	// hints are values that were good for the transformed clause, and define the variables that were eliminated from
	// it; they are tried before a solver is.
	hints  map[*term.Term]term.Value
	define []definition
	// values is the result: a value for every variable of the clause.
	values map[*term.Term]term.Value
}

// recoverer finds the values of instances. It opens a solver only when evaluation is not enough; close it after use.
type recoverer struct {
	env    Environment
	pool   *term.Pool
	opened smt.Context
	solver smt.Solver
	// restriction leaves the solver only values under which everything is determined.
	restriction *partial.Restriction
}

func newRecoverer(env Environment, pool *term.Pool) *recoverer {
	return &recoverer{env: env, pool: pool, restriction: partial.NewRestriction(pool)}
}

func (r *recoverer) close() {
	if r.opened != nil {
		r.opened.Close()
	}
}

// values evaluates terms all of whose variables have values.
func (r *recoverer) values(ts []*term.Term, vals map[*term.Term]term.Value) ([]term.Value, error) {
	ev := term.NewEvaluator(r.pool, term.MapAssignment(vals))
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

// evaluate fills in in.values without a solver: hints, then body arguments that are variables, then definitions (the
// last eliminated first), then defaults. It returns the head's values when the result is an instance as asked for.
func (r *recoverer) evaluate(in *instance) ([]term.Value, bool) {
	vals := make(map[*term.Term]term.Value, len(in.hints))
	for v, val := range in.hints {
		vals[v] = val
	}
	for i, a := range in.clause.Body {
		for j, t := range a.Args {
			if _, known := vals[t]; t.IsVar() && !known {
				vals[t] = in.body[i][j]
			}
		}
	}
	for i := len(in.define) - 1; i >= 0; i-- {
		d := in.define[i]
		if _, known := vals[d.variable]; known {
			continue
		}
		// A definition may rest on variables that vanished from the transformed clause, whose values do not matter.
		for _, v := range term.Vars(d.value) {
			if _, known := vals[v]; !known {
				vals[v] = term.DefaultValue(r.pool, v.Sort())
			}
		}
		if val, ok := term.NewEvaluator(r.pool, term.MapAssignment(vals)).Eval(d.value); ok {
			vals[d.variable] = val
		}
	}
	in.values = vals
	return r.check(in)
}

// check completes in.values to the clause's variables, and no others, and tells whether they give an instance with the
// given premises and head; if so it returns the values of all the head's arguments.
func (r *recoverer) check(in *instance) ([]term.Value, bool) {
	vars := in.clause.Vars()
	vals := make(map[*term.Term]term.Value, len(vars))
	for _, v := range vars {
		val, ok := in.values[v]
		if !ok {
			val = term.DefaultValue(r.pool, v.Sort())
		}
		vals[v] = val
	}
	in.values = vals
	ev := term.NewEvaluator(r.pool, term.MapAssignment(vals))
	for i, a := range in.clause.Body {
		for j, t := range a.Args {
			if v, ok := ev.Eval(t); !ok || !v.Equal(in.body[i][j]) {
				return nil, false
			}
		}
	}
	if !ev.True(in.clause.Constraint) {
		return nil, false
	}
	if in.clause.Head == nil {
		return nil, true
	}
	head := make([]term.Value, len(in.clause.Head.Args))
	for j, t := range in.clause.Head.Args {
		v, ok := ev.Eval(t)
		if !ok || in.head != nil && in.head[j] != nil && !v.Equal(*in.head[j]) {
			return nil, false
		}
		head[j] = v
	}
	return head, true
}

// errNoInstance says that the clause has no instance with the given premises and head.
var errNoInstance = errors.New("the clause has no such instance")

// open opens the solver when that was not done before.
func (r *recoverer) open() error {
	if r.solver != nil {
		return nil
	}
	opened, err := r.env.Open(r.pool, smt.Config{})
	if err != nil {
		return fmt.Errorf("opening a solver to complete a step: %w", err)
	}
	r.opened = opened
	if r.solver, err = opened.NewSolver(smt.Params{}); err != nil {
		return fmt.Errorf("opening a solver to complete a step: %w", err)
	}
	return nil
}

// solve finds in.values with a solver: the constraint with the atoms' arguments fixed, and all operations determined.
func (r *recoverer) solve(ctx context.Context, in *instance) ([]term.Value, error) {
	if r.solver == nil && r.env.Open == nil {
		return nil, fmt.Errorf("no solver to complete a step of clause %d with", in.clause.ID)
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	determined := r.restriction.Clause(in.clause)
	fixed := []*term.Term{determined}
	for i, a := range in.clause.Body {
		for j, t := range a.Args {
			fixed = append(fixed, r.pool.Eq(t, in.body[i][j].Term(r.pool)))
		}
	}
	if in.clause.Head != nil && in.head != nil {
		for j, t := range in.clause.Head.Args {
			if v := in.head[j]; v != nil {
				fixed = append(fixed, r.pool.Eq(t, v.Term(r.pool)))
			}
		}
	}
	vals, err := r.find(ctx, r.pool.And(fixed...))
	if errors.Is(err, errNoInstance) && determined != in.clause.Constraint {
		err = fmt.Errorf("%w, unless it depends on a quotient by zero or a selector of another constructor, which SMT-LIB leaves open (%w)", err, ErrGaveUp)
	}
	if err != nil {
		return nil, fmt.Errorf("completing a step of clause %d: %w", in.clause.ID, err)
	}
	in.values = vals
	head, ok := r.check(in)
	if !ok {
		return nil, fmt.Errorf("%w: completing a step of clause %d: the solver's values do not satisfy it", ErrGaveUp, in.clause.ID)
	}
	return head, nil
}

// find returns values of f's variables that satisfy f; variables that do not matter may be missing.
func (r *recoverer) find(ctx context.Context, f *term.Term) (map[*term.Term]term.Value, error) {
	if err := r.solver.Push(); err != nil {
		return nil, err
	}
	vals, err := r.findInScope(ctx, f)
	if e := r.solver.Pop(); err == nil {
		err = e
	}
	return vals, err
}

func (r *recoverer) findInScope(ctx context.Context, f *term.Term) (map[*term.Term]term.Value, error) {
	if err := r.solver.Assert(f); err != nil {
		return nil, err
	}
	st, err := r.solver.Check(ctx)
	switch {
	case err != nil:
		return nil, err
	case st == smt.Unsat:
		return nil, errNoInstance
	case st == smt.Unknown:
		return nil, fmt.Errorf("%w: the solver could not complete a step: %s", ErrGaveUp, r.solver.ReasonUnknown())
	}
	m, err := r.solver.Model()
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
