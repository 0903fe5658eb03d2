package witness

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness/instances"
	"hornbeam/internal/smt"
)

// quantified reports whether an interpretation has a quantifier.
func (m *Model) quantified() bool {
	for _, i := range m.Interpretations {
		if i.Body.HasQuantifier() {
			return true
		}
	}
	return false
}

// quantified reports whether a quantifier is left to deal with.
func (o *obligation) quantified() bool {
	return slices.ContainsFunc(slices.Concat(o.premises, o.goals), (*term.Term).HasQuantifier)
}

// proveQuantified reports whether the obligation, which has quantifiers, was proved, one goal at a time. An attempt
// with rounds refutes a quantifier-free consequence of the premises and the negated goal, which is a proof; the
// others leave the quantifiers to the solver.
func (c *modelChecker) proveQuantified(ctx context.Context, o *obligation) (bool, error) {
	goals := o.goals
	if len(goals) == 0 {
		goals = []*term.Term{c.pool.False()}
	}
	var open []*term.Term
	for _, g := range goals {
		proved, err := c.alikeGoal(ctx, o, g)
		if !proved && err == nil {
			proved, err = c.quantifiedGoal(ctx, o, g)
		}
		if err != nil {
			return false, err
		}
		if !proved {
			open = append(open, g)
		} else if !g.IsFalse() {
			o.premises = append(o.premises, g)
		}
	}
	if len(o.goals) > 0 {
		o.goals = open
	}
	return len(open) == 0, nil
}

// alikeGoal proves an existential goal by what implies it (see alike); that this is not proved says nothing of the goal.
func (c *modelChecker) alikeGoal(ctx context.Context, o *obligation, g *term.Term) (bool, error) {
	if c.attempt.rounds == 0 {
		return false, nil
	}
	t := alike(c.pool, o.premises, g)
	if t == nil {
		return false, nil
	}
	status, _, err := c.refute(ctx, o, t)
	return status == smt.Unsat, err
}

func (c *modelChecker) quantifiedGoal(ctx context.Context, o *obligation, g *term.Term) (bool, error) {
	if c.attempt.rounds == 0 {
		return c.query(ctx, o.clause, o.premises, []*term.Term{g})
	}
	if c.attempt.rounds == 1 && o.needsRounds[g] {
		return false, nil
	}
	status, found, err := c.refute(ctx, o, g)
	if err != nil || status == smt.Unsat {
		return err == nil, err
	}
	if status == smt.Sat && c.attempt.rounds == 1 {
		if o.needsRounds == nil {
			o.needsRounds = map[*term.Term]bool{}
		}
		o.needsRounds[g] = true
	}
	if status != smt.Sat || c.attempt.rounds < 2 || c.facts != nil {
		return false, nil // the solver may have chosen other functions, so that sat is no counterexample
	}
	return false, c.confirm(ctx, o, g, found)
}

// refute asks whether a consequence of the premises and the negated goal is satisfiable in which quantifiers are instantiated.
func (c *modelChecker) refute(ctx context.Context, o *obligation, g *term.Term) (smt.Status, term.Assignment, error) {
	fs := append(slices.Clone(o.premises), c.pool.Not(g))
	if c.attempt.rounds == 1 || c.facts != nil {
		f, err := instances.Weaken(ctx, c.pool, fs, c.attempt.rounds)
		if err != nil {
			return smt.Unknown, nil, err
		}
		if status, found, err := c.askSpecially(ctx, o.clause, f); err != nil || status != smt.Unknown {
			return status, found, err
		}
		return c.ask(ctx, o.clause, f)
	}
	s, err := c.newSolver()
	if err != nil {
		return smt.Unknown, nil, err
	}
	defer s.Close()
	status, found, err := instances.Refute(ctx, c.pool, s, fs)
	if err != nil {
		return smt.Unknown, nil, solverError(o.clause, err)
	}
	return status, found, nil
}

// askSpecially makes the attempts that come first where a formula, whose quantifiers are gone, has some terms.
func (c *modelChecker) askSpecially(ctx context.Context, cl *chc.Clause, f *term.Term) (smt.Status, term.Assignment, error) {
	for _, s := range special {
		if c.facts != nil || !s.has(f) {
			continue
		}
		for _, a := range s.attempts {
			other := *c
			other.attempt = a
			status, found, err := other.ask(ctx, cl, term.Conjuncts(f)...)
			if err != nil || status != smt.Unknown {
				return status, found, err
			}
		}
	}
	return smt.Unknown, nil, nil
}

// ask decides a conjunction in a solver of its own and returns the solver's assignment with sat, where it has one. Written over
// bit-vectors it has variables of its own, so that sat says nothing.
func (c *modelChecker) ask(ctx context.Context, cl *chc.Clause, fs ...*term.Term) (smt.Status, term.Assignment, error) {
	if c.attempt.bits {
		written, ok := asBits(c.pool, fs)
		if !ok {
			return smt.Unknown, nil, nil
		}
		fs = written
	}
	s, err := c.newSolver()
	if err != nil {
		return smt.Unknown, nil, err
	}
	defer s.Close()
	if c.facts != nil {
		fs = append(c.facts.Instances(c.level, fs...), fs...)
	}
	if err := s.Assert(fs...); err != nil {
		return smt.Unknown, nil, solverError(cl, err)
	}
	status, err := s.Check(ctx)
	if err != nil {
		return smt.Unknown, nil, solverError(cl, err)
	}
	if status == smt.Sat && c.attempt.bits {
		return smt.Unknown, nil, nil
	}
	if status != smt.Sat {
		return status, nil, nil
	}
	found, err := s.Model()
	if err != nil {
		return smt.Unknown, nil, nil //nolint:nilerr // without an assignment there is nothing to confirm
	}
	return status, found, nil
}

// confirm returns the error for a counterexample when the assignment, which satisfies some instances of the quantifiers,
// is one of the obligation itself: with the values in place of the variables only the quantifiers are left, and the
// solver finds the rest to be true. Otherwise it returns nil.
func (c *modelChecker) confirm(ctx context.Context, o *obligation, g *term.Term, found term.Assignment) error {
	p := c.pool
	a := term.Complete(p, found)
	values := map[*term.Term]*term.Term{}
	f := p.And(append(append([]*term.Term{}, o.premises...), p.Not(g))...)
	for _, x := range term.Vars(f) {
		if v, ok := a.Lookup(x); ok {
			values[x] = v.Term(p)
		}
	}
	status, _, err := c.ask(ctx, o.clause, p.Substitute(f, values))
	if err != nil || status != smt.Sat {
		return err
	}
	return &ClauseError{Clause: o.clause, Err: ErrInvalid, Values: bindings(a, o.clause.Vars())}
}

// alike returns an instance of an existential goal: each of its variables that has the name of a variable of the premises, or of a
// field of one, is that. A model that passes have carried back says of a clause that is gone that there are values of its variables,
// and the clauses next to it have them under the same names. The instance implies the goal. It returns nil when no name fits.
func alike(p *term.Pool, premises []*term.Term, goal *term.Term) *term.Term {
	if goal.Op() != term.Exists {
		return nil
	}
	named := instances.Named(premises)
	m := map[*term.Term]*term.Term{}
	var rest []*term.Term
	for _, x := range goal.Bound() {
		if t := named[instances.PlainName(x.Name())]; t != nil && t.Sort() == x.Sort() {
			m[x] = t
		} else {
			rest = append(rest, x)
		}
	}
	if len(m) == 0 {
		return nil
	}
	instance := p.Substitute(goal.Arg(0), m)
	if len(rest) > 0 {
		instance = p.Exists(rest, instance)
	}
	return instance
}
