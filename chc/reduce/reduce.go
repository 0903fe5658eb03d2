// Package reduce finds shorter equivalent formulas, by asking a solver which atoms follow from the rest.
//
// Each atom of a formula is looked at under what is known where it stands, as in Dillig, Dillig and Aiken, Small Formulas for Large
// Programs (SAS 2010): in a conjunction the other conjuncts hold, in a disjunction the other disjuncts do not. What follows from that
// is true there, and what contradicts it is false. Whatever is returned was proved equivalent to what was given.
package reduce

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Options say how formulas are reduced.
type Options struct {
	Open smt.Opener
	// Known are formulas under which the result has to be equivalent, such as the ranges of types.
	Known []*term.Term
	// Case reports whether an atom distinguishes cases, so that a disjunction may become one implication a case: a == 1 ==> b == 2. It may be nil.
	Case func(atom *term.Term) bool
}

// Limits on the work: of a check, on the number of checks, and on the size of what is reduced.
const (
	checkResources = 300_000
	maxChecks      = 1200
	maxSize        = 3000
)

// Conjunction returns formulas whose conjunction is, under Known, equivalent to that of parts. They are shorter, or parts themselves
// where nothing shorter was found and proved equivalent. The errors are those of solvers and of ctx.
func Conjunction(ctx context.Context, p *term.Pool, parts []*term.Term, o Options) ([]*term.Term, error) {
	size := 0
	for _, t := range parts {
		size += t.Size()
	}
	if len(parts) == 0 || size > maxSize {
		return parts, nil
	}
	var out []*term.Term
	err := with(p, o, func(r *reducer) error {
		r.ctx = ctx
		if r.implied(nil, p.False()) {
			out = []*term.Term{p.False()} // Known cannot hold
			return r.failed
		}
		if r.implied(parts, p.False()) {
			out = []*term.Term{p.False()}
			return r.failed
		}
		out = r.reduce(parts)
		if r.failed == nil && !r.same(parts, out) {
			out = parts
		}
		return r.failed
	})
	if err != nil {
		return nil, fmt.Errorf("reduce a formula: %w", err)
	}
	return out, nil
}

// Implied returns those of goals that follow from formulas and Known, as far as a solver finds that.
func Implied(ctx context.Context, p *term.Pool, formulas, goals []*term.Term, o Options) (implied []*term.Term, err error) {
	err = with(p, o, func(r *reducer) error {
		r.ctx = ctx
		for _, g := range goals {
			if r.implied(formulas, g) {
				implied = append(implied, g)
			}
		}
		return r.failed
	})
	if err != nil {
		return nil, fmt.Errorf("compare formulas: %w", err)
	}
	return implied, nil
}

// reducer asks one solver.
type reducer struct {
	ctx    context.Context
	pool   *term.Pool
	solver smt.Solver
	isCase func(*term.Term) bool
	checks int
	// failed is the first error of the solver. Nothing is implied from then on.
	failed error
}

func with(p *term.Pool, o Options, f func(*reducer) error) error {
	c, err := o.Open(p, smt.Config{})
	if err != nil {
		return fmt.Errorf("open a solver: %w", err)
	}
	defer c.Close()
	s, err := c.NewSolver(smt.Params{})
	if err != nil {
		return fmt.Errorf("open a solver: %w", err)
	}
	s.SetLimit(smt.Limit{Resources: checkResources})
	if err := s.Assert(o.Known...); err != nil {
		return fmt.Errorf("assert: %w", err)
	}
	isCase := o.Case
	if isCase == nil {
		isCase = func(*term.Term) bool { return false }
	}
	return f(&reducer{pool: p, solver: s, isCase: isCase})
}

// implied reports whether a goal follows from what is known and a context; false where that is not found out. Quantifiers of the
// context serve quantified goals only.
func (r *reducer) implied(context []*term.Term, goal *term.Term) bool {
	if goal.IsTrue() {
		return true
	}
	if r.failed != nil || r.checks >= maxChecks {
		return false
	}
	r.checks++
	assertions := []*term.Term{r.pool.Not(goal)}
	for _, t := range context {
		if !t.HasQuantifier() || goal.HasQuantifier() {
			assertions = append(assertions, t)
		}
	}
	unsat := false
	err := smt.Within(r.solver, assertions, func() error {
		status, err := r.solver.Check(r.ctx)
		unsat = status == smt.Unsat
		return err
	})
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		r.failed = err
		return false
	}
	return unsat
}

// same reports whether two conjunctions are equivalent under Known. The number of checks is not bounded here.
func (r *reducer) same(a, b []*term.Term) bool {
	r.checks = 0
	all := func(context, goals []*term.Term) bool {
		return !slices.ContainsFunc(goals, func(g *term.Term) bool { return !slices.Contains(context, g) && !r.implied(context, g) })
	}
	return all(a, b) && all(b, a)
}

// reduce applies the rules, the larger parts first, since what is small is what is to stay.
func (r *reducer) reduce(parts []*term.Term) []*term.Term {
	parts = r.equalities(r.flat(parts))
	if split := r.flat(r.cases(slices.Clone(parts))); r.same(parts, split) {
		parts = split
	}
	parts = r.contextual(parts)
	for _, rule := range []func([]*term.Term) []*term.Term{r.cases, r.meetings, r.strict, r.ends} {
		if next := r.flat(rule(slices.Clone(parts))); !slices.Equal(next, parts) && r.same(parts, next) {
			parts = r.contextual(next)
		}
	}
	return parts
}

// flat are the parts of a conjunction of parts. A negated conjunction is a disjunction.
func (r *reducer) flat(parts []*term.Term) []*term.Term {
	var out []*term.Term
	var add func(t *term.Term)
	add = func(t *term.Term) {
		switch {
		case t.IsAnd():
			for _, a := range t.Args() {
				add(a)
			}
		case t.IsNot() && t.Arg(0).IsOr():
			for _, a := range t.Arg(0).Args() {
				add(r.pool.Not(a))
			}
		case t.IsNot() && t.Arg(0).IsAnd():
			var args []*term.Term
			for _, a := range t.Arg(0).Args() {
				args = append(args, r.pool.Not(a))
			}
			if t = r.pool.Or(args...); !slices.Contains(out, t) {
				out = append(out, t)
			}
		case !t.IsTrue() && !slices.Contains(out, t):
			out = append(out, t)
		}
	}
	for _, t := range parts {
		add(t)
	}
	return out
}

// contextual reduces each part under the others.
func (r *reducer) contextual(parts []*term.Term) []*term.Term {
	slices.SortStableFunc(parts, func(a, b *term.Term) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(b.ID(), a.ID()))
	})
	for i := 0; i < len(parts); i++ {
		others := slices.Concat(parts[:i], parts[i+1:])
		parts[i] = r.formula(parts[i], others)
	}
	return r.flat(parts)
}

// weight is how much there is to read in a formula: an equality says more than a bound of the same size, and large numbers less.
func weight(t *term.Term) int {
	w := 2 * t.Size()
	term.Walk(t, func(u *term.Term) bool {
		switch {
		case u.Op() == term.Eq:
			w--
		case u.Op() == term.Numeral && u.Sort() == term.Int && u.Num().BigInt().BitLen() > 20:
			w += 4
		case u.IsQuantifier():
			w += 20
		}
		return true
	})
	return w
}

// formula reduces a formula under what holds where it stands.
func (r *reducer) formula(t *term.Term, context []*term.Term) *term.Term {
	p := r.pool
	switch {
	case r.implied(context, t):
		return p.True()
	case t.IsNot() && (t.Arg(0).IsAnd() || t.Arg(0).IsOr()):
		return p.Not(r.formula(t.Arg(0), context))
	case t.IsAnd() || t.IsOr():
		return r.junction(t, context)
	case r.implied(context, p.Not(t)):
		return p.False()
	}
	return t
}

func (r *reducer) junction(t *term.Term, context []*term.Term) *term.Term {
	args := slices.Clone(t.Args())
	slices.SortStableFunc(args, func(a, b *term.Term) int { return cmp.Compare(weight(b), weight(a)) })
	p := r.pool
	for i := range args {
		here := slices.Clone(context)
		for j, a := range args {
			if j == i {
				continue
			}
			if t.IsOr() {
				a = p.Not(a)
			}
			here = append(here, a)
		}
		args[i] = r.formula(args[i], here)
		if t.IsAnd() && args[i].IsFalse() || t.IsOr() && args[i].IsTrue() {
			return args[i]
		}
	}
	if t.IsAnd() {
		return p.And(args...)
	}
	return p.Or(args...)
}
