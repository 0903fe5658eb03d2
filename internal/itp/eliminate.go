package itp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Eliminate returns a quantifier-free formula over keep that is equivalent to "for some values of its other variables,
// f": disjunctions are eliminated one by one, independent conjuncts apart, variables that an equation defines are
// substituted, and what is left is enumerated by model-based projection, each projected cube being blocked until none is
// left; then literals and cubes that the others make redundant are dropped. The error is ErrBudget when time or rounds
// ran out or the solver answered unknown, ErrModel when a solver's model was wrong.
func (it *Interpolator) Eliminate(ctx context.Context, f *term.Term, keep []*term.Term) (*term.Term, error) {
	it.stats.Eliminated++
	ctx, cancel, err := it.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	e := elimination{it: it, keep: setOf(keep), rounds: it.opts.Rounds}
	out, err := e.formula(ctx, f)
	if err == nil && out != f {
		out, err = e.tidied(ctx, out)
	}
	if err != nil {
		return nil, fmt.Errorf("eliminate quantifiers: %w", err)
	}
	return out, nil
}

// elimination is one call of Eliminate in progress.
type elimination struct {
	it     *Interpolator
	keep   map[*term.Term]bool
	rounds int
}

// others returns the variables to eliminate that occur in t.
func (e *elimination) others(t *term.Term) []*term.Term {
	return slices.DeleteFunc(slices.Clone(term.Vars(t)), func(v *term.Term) bool { return e.keep[v] })
}

func (e *elimination) formula(ctx context.Context, f *term.Term) (*term.Term, error) {
	if len(e.others(f)) == 0 && !f.HasQuantifier() {
		return f, nil
	}
	p := e.it.pool
	f = e.solveDefinitions(f)
	if f.IsOr() {
		return e.each(ctx, f.Args(), p.Or, p.True())
	}
	components := e.components(term.Conjuncts(f))
	if len(components) > 1 {
		return e.each(ctx, components, p.And, p.False())
	}
	if len(e.others(f)) == 0 && !f.HasQuantifier() {
		return f, nil
	}
	return e.enumerate(ctx, f)
}

// each eliminates formulas one by one, small ones first, until one gives the constant that decides their junction.
func (e *elimination) each(ctx context.Context, fs []*term.Term, join func(...*term.Term) *term.Term, decides *term.Term) (*term.Term, error) {
	fs = slices.Clone(fs)
	sizes := make(map[*term.Term]int, len(fs))
	for _, f := range fs {
		sizes[f] = f.Size()
	}
	slices.SortStableFunc(fs, func(a, b *term.Term) int { return cmp.Compare(sizes[a], sizes[b]) })
	out := make([]*term.Term, 0, len(fs))
	for _, f := range fs {
		t, err := e.formula(ctx, f)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
		if t == decides {
			return t, nil
		}
	}
	return join(out...), nil
}

// components joins conjuncts that share a variable to eliminate; each conjunct without one is a component of its own.
func (e *elimination) components(conjuncts []*term.Term) []*term.Term {
	leader := make([]int, len(conjuncts))
	var find func(int) int
	find = func(i int) int {
		if leader[i] != i {
			leader[i] = find(leader[i])
		}
		return leader[i]
	}
	owner := make(map[*term.Term]int)
	for i, c := range conjuncts {
		leader[i] = i
		for _, v := range e.others(c) {
			if o, ok := owner[v]; ok {
				leader[find(i)] = find(o)
			} else {
				owner[v] = i
			}
		}
	}
	members := make(map[int][]*term.Term)
	var order []int
	for i, c := range conjuncts {
		l := find(i)
		if members[l] == nil {
			order = append(order, l)
		}
		members[l] = append(members[l], c)
	}
	out := make([]*term.Term, len(order))
	for i, l := range order {
		out[i] = e.it.pool.And(members[l]...)
	}
	return out
}

// solveDefinitions substitutes variables to eliminate that a conjunct defines: a Boolean literal, an equation with a
// unit coefficient (any over Real), or an equation of another sort with the variable on one side.
func (e *elimination) solveDefinitions(f *term.Term) *term.Term {
	for {
		v, t := e.definition(f)
		if v == nil {
			return f
		}
		f = e.it.pool.Substitute(f, map[*term.Term]*term.Term{v: t})
	}
}

func (e *elimination) definition(f *term.Term) (v, t *term.Term) {
	p := e.it.pool
	eliminated := func(v *term.Term) bool { return v.IsVar() && !e.keep[v] }
	for _, c := range term.Conjuncts(f) {
		if atom, positive := c.Atom(); eliminated(atom) {
			return atom, p.Bool(positive)
		}
		if c.Op() != term.Eq {
			continue
		}
		if k, ok := p.AsConstraint(c); ok {
			for _, m := range k.Monomials {
				rest := k.Without(m.Term).Scale(m.Coef.Inv().Neg())
				if !eliminated(m.Term) || k.Sort == term.Int && !m.Coef.Abs().IsOne() {
					continue
				}
				if t := p.FromLinear(rest, k.Sort); !term.Contains(t, m.Term) {
					return m.Term, t
				}
			}
			continue
		}
		for i := range 2 {
			if v, t := c.Arg(i), c.Arg(1-i); eliminated(v) && !term.Contains(t, v) {
				return v, t
			}
		}
	}
	return nil, nil
}

// enumerate projects one model after the other.
func (e *elimination) enumerate(ctx context.Context, f *term.Term) (*term.Term, error) {
	p := e.it.pool
	s, err := e.it.solvers.NewSolver(e.it.opts.Solver)
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	defer s.Close()
	if err := s.Assert(f); err != nil {
		return nil, fmt.Errorf("assert: %w", err)
	}
	var cubes []Cube
	for {
		status, err := check(ctx, s)
		if err != nil {
			return nil, err
		}
		if status == smt.Unsat {
			return e.simplified(ctx, cubes)
		}
		if e.rounds--; e.rounds < 0 {
			return nil, fmt.Errorf("%d cubes: %w", e.it.opts.Rounds, ErrBudget)
		}
		m, err := modelOf(s)
		if err != nil {
			return nil, err
		}
		cube, err := e.it.project(m, e.keep, f)
		if err != nil {
			return nil, err
		}
		e.it.stats.Cubes++
		cubes = append(cubes, cube)
		if err := s.Assert(p.Not(p.And(cube...))); err != nil {
			return nil, fmt.Errorf("block a cube: %w", err)
		}
	}
}

// simplified returns the disjunction of the cubes without the literals that it does not need: those without which their
// cube still implies the disjunction. Checks without an answer, and what goes beyond their number, leave things as they
// are.
func (e *elimination) simplified(ctx context.Context, cubes []Cube) (*term.Term, error) {
	p := e.it.pool
	join := func(cubes []Cube) *term.Term {
		out := make([]*term.Term, len(cubes))
		for i, c := range cubes {
			out[i] = p.And(c...)
		}
		return p.Or(out...)
	}
	if len(cubes) == 0 {
		return p.False(), nil
	}
	if len(cubes) == 1 {
		return join(cubes), nil
	}
	s, err := e.it.solvers.NewSolver(e.it.opts.Solver)
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	defer s.Close()
	if err := s.Assert(p.Not(join(cubes))); err != nil {
		return nil, fmt.Errorf("assert: %w", err)
	}
	checks := 0
	for i := range cubes {
		if checks += len(cubes[i]); checks > maxSimplify {
			break
		}
		smaller, err := shrink(ctx, s, cubes[i], nil)
		if err != nil {
			break
		}
		if smaller != nil {
			cubes[i] = smaller
		}
	}
	return join(cubes), nil
}

// tidied drops from a conjunction the conjuncts that the others imply, and from a disjunction the disjuncts that imply
// the others.
func (e *elimination) tidied(ctx context.Context, f *term.Term) (*term.Term, error) {
	p := e.it.pool
	if !f.IsAnd() && !f.IsOr() || len(f.Args()) > maxSimplify {
		return f, nil
	}
	s, err := e.it.solvers.NewSolver(e.it.opts.Solver)
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	defer s.Close()
	// In both cases one argument is redundant when it, taken the other way, contradicts the rest as assumed.
	args, join := slices.Clone(f.Args()), p.And
	assumed := func(t *term.Term) *term.Term { return t }
	if f.IsOr() {
		join = p.Or
		assumed = p.Not
	}
	for i := len(args) - 1; i >= 0 && len(args) > 1; i-- {
		others := slices.Concat(args[:i], args[i+1:])
		assumptions := []*term.Term{p.Not(assumed(args[i]))}
		for _, t := range others {
			assumptions = append(assumptions, assumed(t))
		}
		status, err := check(ctx, s, assumptions...)
		if err != nil {
			break
		}
		if status == smt.Unsat {
			args = others
		}
	}
	return join(args...), nil
}
