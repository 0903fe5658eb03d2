package inline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc/term"
	"hornbeam/chc/transform/resolve"
	"hornbeam/internal/itp"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

// between returns a formula in the gap of e, given the strongest one and the weakest one where these are quantifier-free
// and small enough to build: what a solver makes of them, or an interpolant.
func (b *interpreter) between(ctx context.Context, e elimination, g *gap, strong, weak *term.Term) (*term.Term, error) {
	derived := b.pool.Or(g.derived...)
	if g.forbidden != nil {
		return b.inGap(ctx, g, strong, weak, derived, b.pool.Or(g.forbidden...))
	}
	// Uses that have the predicate several times. For the occurrences 1..n of one use, the first formula excludes the use
	// with what is derived in the place of 2..n, the second with the first in the place of 1 and what is derived in the
	// place of 3..n, and so on; so their conjunction excludes it, too.
	var all []*term.Term
	for _, u := range e.uses {
		found := map[int]*term.Term{}
		for i, a := range u.Body {
			if a.Pred != e.pred {
				continue
			}
			f := b.violation(u, i, func(j int) *term.Term {
				switch {
				case u.Body[j].Pred != e.pred:
					return nil
				case found[j] != nil:
					return b.copyOf(found[j], g.params, u.Body[j].Args)
				case strong != nil:
					return b.copyOf(strong, g.params, u.Body[j].Args)
				default:
					return b.copyOf(derived, g.params, u.Body[j].Args)
				}
			})
			t, err := b.inGap(ctx, g, strong, nil, derived, b.instance(u, a.Args, g.params, f))
			if err != nil {
				return nil, err
			}
			found[i] = t
			all = append(all, t)
		}
	}
	return b.pool.And(all...), nil
}

// copyOf returns f with args for params and fresh variables for all others.
func (b *interpreter) copyOf(f *term.Term, params, args []*term.Term) *term.Term {
	m := map[*term.Term]*term.Term{}
	for _, v := range variablesBut(f, params) {
		m[v] = b.pool.Fresh(resolve.Stem(v.Name()), v.Sort())
	}
	for i, v := range params {
		m[v] = args[i]
	}
	return b.pool.Substitute(f, m)
}

// inGap returns a formula over g.params that derived implies and that excludes forbidden. The candidates strong and weak
// are such formulas, or nil.
func (b *interpreter) inGap(ctx context.Context, g *gap, strong, weak, derived, forbidden *term.Term) (*term.Term, error) {
	best, err := b.shrunk(ctx, nil, strong, weak, derived, forbidden)
	if err != nil || best != nil && best.Size() <= tooLarge {
		return best, err
	}
	if t, err := b.withoutLocals(ctx, g, derived, forbidden); err != nil || t != nil {
		return smaller(best, t), err
	}
	// Each way is tried for a short time, and if none leads anywhere for a long one.
	for _, limit := range []time.Duration{shortTime, longTime} {
		if best != nil && (limit == longTime || work.Since(ctx, b.begun) > optionalTime) {
			break
		}
		for _, find := range []func() (*term.Term, error){
			func() (*term.Term, error) {
				t, err := b.eliminate(ctx, g, derived, limit)
				if t == nil {
					return nil, err
				}
				return b.shrunk(ctx, best, t, nil, derived, forbidden)
			},
			func() (*term.Term, error) {
				t, err := b.eliminate(ctx, g, forbidden, limit)
				if t == nil {
					return nil, err
				}
				return b.shrunk(ctx, best, nil, b.pool.Not(t), derived, forbidden)
			},
			func() (*term.Term, error) { return b.interpolate(ctx, g, derived, forbidden, limit) },
		} {
			t, err := find()
			if err != nil {
				return nil, err
			}
			if best = smaller(best, t); best != nil && best.Size() <= tooLarge {
				return best, nil
			}
		}
	}
	if best == nil {
		best = b.quantified(g)
	}
	return best, nil
}

// withoutLocals returns what derived says of the parameters alone, or the negation of what forbidden says of them, if that is enough, and
// else nil. A few conjuncts are often all that matters, beside others that no elimination ends with, such as products.
func (b *interpreter) withoutLocals(ctx context.Context, g *gap, derived, forbidden *term.Term) (*term.Term, error) {
	over, allowed := b.parameterPart(g, derived), b.parameterPart(g, forbidden)
	if !over.IsTrue() {
		if excluded, err := b.contradict(ctx, over, forbidden); err != nil {
			return nil, err
		} else if excluded {
			return b.weaken(ctx, over, forbidden)
		}
	}
	if !allowed.IsTrue() {
		if implied, err := b.contradict(ctx, allowed, derived); err != nil {
			return nil, err
		} else if implied {
			return b.strengthen(ctx, b.pool.Not(allowed), derived)
		}
	}
	return nil, nil
}

// parameterPart returns a formula over the parameters that f implies: f without what has other variables.
func (b *interpreter) parameterPart(g *gap, f *term.Term) *term.Term {
	done := map[*term.Term]*term.Term{}
	var part func(f *term.Term) *term.Term
	part = func(f *term.Term) *term.Term {
		if r := done[f]; r != nil {
			return r
		}
		r := f
		switch {
		case f.IsAnd(), f.IsOr():
			r = b.pool.MapArgs(f, part)
		case len(variablesBut(f, g.params)) > 0:
			r = b.pool.True()
		}
		done[f] = r
		return r
	}
	return part(f)
}

// contradict reports whether two formulas are known to exclude each other.
func (b *interpreter) contradict(ctx context.Context, f, with *term.Term) (bool, error) {
	s, err := b.solver(with)
	if err != nil {
		return false, err
	}
	defer s.Close()
	status, err := s.Check(ctx, f)
	if err != nil {
		return false, fmt.Errorf("comparing what a predicate's clauses say of its arguments: %w", err)
	}
	return status == smt.Unsat, nil
}

// shrunk returns the smallest of best and of what is left of strong and weak when the parts that are not needed are
// dropped.
func (b *interpreter) shrunk(ctx context.Context, best, strong, weak, derived, forbidden *term.Term) (*term.Term, error) {
	if strong != nil {
		t, err := b.weaken(ctx, strong, forbidden)
		if err != nil {
			return nil, err
		}
		best = smaller(best, t)
	}
	if weak != nil && (best == nil || best.Size() > smallEnough) {
		t, err := b.strengthen(ctx, weak, derived)
		if err != nil {
			return nil, err
		}
		best = smaller(best, t)
	}
	return best, nil
}

// interpolations returns the interpolator, opened when it is first needed.
func (b *interpreter) interpolations() (*itp.Interpolator, error) {
	if b.interpolator == nil {
		it, err := itp.New(b.pool, b.env.Open, itp.Options{Rounds: interpolationRounds})
		if err != nil {
			return nil, err
		}
		b.interpolator = it
	}
	return b.interpolator, nil
}

// eliminate eliminates the variables of f but params, or returns nil when that takes too long.
func (b *interpreter) eliminate(ctx context.Context, g *gap, f *term.Term, limit time.Duration) (*term.Term, error) {
	return b.limited(ctx, limit, func(ctx context.Context, it *itp.Interpolator) (*term.Term, error) {
		return it.Eliminate(ctx, f, g.params)
	})
}

// interpolate returns an interpolant of derived and forbidden, or nil when that takes too long.
func (b *interpreter) interpolate(ctx context.Context, g *gap, derived, forbidden *term.Term, limit time.Duration) (*term.Term, error) {
	return b.limited(ctx, limit, func(ctx context.Context, it *itp.Interpolator) (*term.Term, error) {
		return it.Binary(ctx, derived, forbidden, g.params)
	})
}

// limited runs find for a limited time and returns nil when it fails, unless ctx itself is done.
func (b *interpreter) limited(ctx context.Context, limit time.Duration, find func(context.Context, *itp.Interpolator) (*term.Term, error)) (*term.Term, error) {
	it, err := b.interpolations()
	if err != nil {
		return nil, err
	}
	short, cancel := work.WithTimeout(ctx, limit)
	defer cancel()
	t, err := find(short, it)
	switch {
	case err == nil && !t.HasQuantifier():
		return t, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		return nil, nil
	}
}

// weaken drops conjuncts of f, and of its disjuncts, that it needs not to exclude forbidden.
func (b *interpreter) weaken(ctx context.Context, f, forbidden *term.Term) (*term.Term, error) {
	s, err := b.solver(forbidden)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	checks := maxCoreChecks
	var out []*term.Term
	for _, d := range term.Disjuncts(f) {
		if checks--; checks < 0 || len(term.Conjuncts(d)) < 2 {
			out = append(out, d)
			continue
		}
		core, err := b.core(ctx, s, term.Conjuncts(d))
		if err != nil {
			return nil, err
		}
		out = append(out, b.pool.And(core...))
	}
	return b.pool.Or(out...), nil
}

// strengthen drops disjuncts of f, and of its conjuncts, that it needs not to be implied by derived.
func (b *interpreter) strengthen(ctx context.Context, f, derived *term.Term) (*term.Term, error) {
	s, err := b.solver(derived)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	checks := maxCoreChecks
	var out []*term.Term
	for _, c := range partsOf(b.pool, f) {
		alts := alternativesOf(b.pool, c)
		if checks--; checks < 0 || len(alts) < 2 {
			out = append(out, c)
			continue
		}
		for i, a := range alts {
			alts[i] = b.pool.Not(a)
		}
		core, err := b.core(ctx, s, alts)
		if err != nil {
			return nil, err
		}
		out = append(out, b.pool.Not(b.pool.And(core...)))
	}
	return b.pool.And(out...), nil
}

// partsOf returns the conjuncts of f, also when it is a negated disjunction.
func partsOf(pool *term.Pool, f *term.Term) []*term.Term {
	if !f.IsNot() || !f.Arg(0).IsOr() {
		return term.Conjuncts(f)
	}
	out := slices.Clone(f.Arg(0).Args())
	for i, t := range out {
		out[i] = pool.Not(t)
	}
	return out
}

// alternativesOf returns the disjuncts of f, also when it is a negated conjunction; the slice is the caller's.
func alternativesOf(pool *term.Pool, f *term.Term) []*term.Term {
	if !f.IsNot() || !f.Arg(0).IsAnd() {
		return slices.Clone(term.Disjuncts(f))
	}
	out := slices.Clone(f.Arg(0).Args())
	for i, t := range out {
		out[i] = pool.Not(t)
	}
	return out
}

// core returns those of the terms that contradict the solver's assertions, all of them when it does not find out.
func (b *interpreter) core(ctx context.Context, s smt.Solver, ts []*term.Term) ([]*term.Term, error) {
	for range coreRounds {
		status, err := s.Check(ctx, ts...)
		if err != nil {
			return nil, fmt.Errorf("making an interpretation smaller: %w", err)
		}
		if status != smt.Unsat {
			return ts, nil
		}
		core := s.Core()
		if len(core) >= len(ts) {
			return ts, nil
		}
		ts = core
	}
	return ts, nil
}

// solver opens a solver with an assertion, in the interpreter's context.
func (b *interpreter) solver(f *term.Term) (smt.Solver, error) {
	if b.opened == nil {
		c, err := b.env.Open(b.pool, smt.Config{})
		if err != nil {
			return nil, fmt.Errorf("opening a solver: %w", err)
		}
		b.opened = c
	}
	s, err := b.opened.NewSolver(smt.Params{})
	if err != nil {
		return nil, fmt.Errorf("opening a solver: %w", err)
	}
	s.SetLimit(smt.Limit{Time: coreTime})
	if err := s.Assert(f); err != nil {
		s.Close()
		return nil, fmt.Errorf("asserting a clause: %w", err)
	}
	return s, nil
}
