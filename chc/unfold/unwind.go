package unfold

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// ErrNonlinear says that a clause has several premises, ErrReached that a query can be derived, and ErrOpen that the solver gave up.
var (
	ErrNonlinear = errors.New("a clause has several premises")
	ErrReached   = errors.New("a query can be derived")
	ErrOpen      = errors.New("the solver gives up")
)

// Exhaust writes out the derivations of linear clauses forward, all of one length together, until there are none that are longer, and
// asks the solver, which has no assertions, for each length whether a query is derived. It returns how many clauses the longest
// derivation of a predicate has. The error wraps ErrNonlinear, ErrReached, ErrOpen or ErrTooMany, or is that of ctx or the solver.
func Exhaust(ctx context.Context, solver smt.Solver, sys *chc.System) (steps int, err error) {
	u := unwinding{pool: sys.Pool, sys: sys}
	if slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool { return len(c.Body) > 1 }) {
		return 0, ErrNonlinear
	}
	for ; ; steps++ {
		u.step()
		if u.made > maxInstances {
			return 0, ErrTooMany
		}
		if err := solver.Assert(u.facts...); err != nil {
			return 0, fmt.Errorf("assert what derivations of %d steps are: %w", steps, err)
		}
		for i, s := range u.reached {
			if s == nil {
				continue
			}
			derived, err := possible(ctx, solver, s.holds)
			if err != nil {
				return 0, fmt.Errorf("ask what is derived in %d steps: %w", steps, err)
			}
			if !derived {
				u.reached[i] = nil
			}
		}
		derived, err := possible(ctx, solver, u.queries(steps))
		if err != nil {
			return 0, fmt.Errorf("ask for a query behind %d steps: %w", steps, err)
		}
		if derived {
			return 0, ErrReached
		}
		if !slices.ContainsFunc(u.reached, func(s *state) bool { return s != nil }) {
			return steps, nil
		}
	}
}

// unwinding is the derivations of one length.
type unwinding struct {
	pool *term.Pool
	sys  *chc.System
	// reached has what is derived of each predicate, by ID; nil where nothing is.
	reached []*state
	// facts say what the truth values of the last step mean.
	facts []*term.Term
	// made counts instances of clauses.
	made int
}

// state is what is derived of a predicate.
type state struct {
	holds *term.Term
	args  []*term.Term
}

// possible reports whether a formula may hold.
func possible(ctx context.Context, solver smt.Solver, f *term.Term) (bool, error) {
	if f.IsFalse() {
		return false, nil
	}
	status, err := solver.Check(ctx, f)
	switch {
	case err != nil:
		return false, err
	case status != smt.Unknown:
		return status == smt.Sat, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return false, fmt.Errorf("%w: %s", ErrOpen, solver.ReasonUnknown())
}

// step goes on to the derivations that are one step longer.
func (u *unwinding) step() {
	first := u.reached == nil
	ways := make([][]state, len(u.sys.Predicates))
	for _, c := range u.sys.Clauses {
		if c.Head == nil || first != (len(c.Body) == 0) {
			continue
		}
		if w, ok := u.way(c); ok {
			ways[c.Head.Pred.ID] = append(ways[c.Head.Pred.ID], w)
		}
	}
	u.facts = nil
	u.reached = make([]*state, len(u.sys.Predicates))
	for i, ways := range ways {
		if len(ways) > 0 {
			u.reached[i] = u.join(u.sys.Predicates[i], ways)
		}
	}
}

// way returns what a clause derives in the next step; false where its premise is not derived.
func (u *unwinding) way(c *chc.Clause) (state, bool) {
	f := unifier{pool: u.pool, constraint: term.Conjuncts(c.Constraint), values: map[*term.Term]*term.Term{}}
	holds := u.pool.True()
	for _, a := range c.Body {
		premise := u.reached[a.Pred.ID]
		if premise == nil {
			return state{}, false
		}
		holds = premise.holds
		f.unify(a.Args, premise.args)
	}
	f.solve()
	for _, v := range c.Vars() {
		if f.values[v] == nil {
			f.values[v] = u.pool.Fresh(v.Name(), v.Sort())
		}
	}
	out := state{holds: u.pool.And(append(f.formulas(), holds)...)}
	if g, ok := readThrough(u.pool, out.holds, maxReadThrough); ok {
		out.holds = g
	}
	if c.Head != nil {
		for _, t := range c.Head.Args {
			out.args = append(out.args, f.valueOf(t))
		}
	}
	u.made++
	return out, !out.holds.IsFalse()
}

// join is what is derived of a predicate in one of the ways: a truth value, and arguments that whichever way is taken has.
func (u *unwinding) join(p *chc.Predicate, ways []state) *state {
	out := &state{holds: u.pool.Fresh("reached", term.Bool), args: ways[0].args}
	var holds []*term.Term
	if len(ways) > 1 {
		out.args = nil
		for i, s := range p.Sorts {
			x := ways[0].args[i]
			if slices.ContainsFunc(ways, func(w state) bool { return w.args[i] != x }) {
				x = u.pool.Fresh("join", s)
			}
			out.args = append(out.args, x)
		}
	}
	for _, w := range ways {
		parts := []*term.Term{w.holds}
		for i, x := range out.args {
			parts = append(parts, u.pool.Eq(x, w.args[i]))
		}
		holds = append(holds, u.pool.And(parts...))
	}
	u.facts = append(u.facts, u.pool.Implies(out.holds, u.pool.Or(holds...)))
	return out
}

// queries says that what is reached derives a query; before the first step, so do those without a premise.
func (u *unwinding) queries(steps int) *term.Term {
	var out []*term.Term
	for _, c := range u.sys.Clauses {
		if c.Head != nil || len(c.Body) == 0 && steps > 0 {
			continue
		}
		if w, ok := u.way(c); ok {
			out = append(out, w.holds)
		}
	}
	return u.pool.Or(out...)
}
