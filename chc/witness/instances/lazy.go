package instances

import (
	"context"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

const (
	// maxAsserted bounds the instances that are asserted as solutions need them, and maxViolated those of each quantifier for one.
	maxAsserted = 1000
	maxViolated = 10
)

// lazily refutes formulas with quantifiers by the instances that solutions without them violate: the quantifiers of a model that passes
// carried back have tens of thousands of instances at the terms that occur, of which a proof needs a few.
type lazily struct {
	*instantiator
	// solver has abstracted formulas.
	solver smt.Solver
	// holds has, for each universal quantifier, the variable that stands for it, and abstract what stands for formulas with quantifiers.
	holds, abstracted map[*term.Term]*term.Term
	// asserted are the formulas that the solver has, in which index terms are looked for.
	asserted []*term.Term
	// pending are the instances that were made and not yet asserted, by their quantifiers.
	pending map[*universal][]pending
}

// pending is an instance of a quantifier: a formula whose quantifiers are universal ones below conjunctions and disjunctions, what stands
// for it, and the constants that it brings.
type pending struct {
	formula, abstract *term.Term
	skolems           []*term.Term
}

// Refute asks whether fs are satisfiable, in a solver that has nothing else, and returns an assignment with sat, which then satisfies all
// instances at the terms that occur. Unknown is also for what needs more instances than there are made. The error is the solver's or ctx's.
func Refute(ctx context.Context, pool *term.Pool, s smt.Solver, fs []*term.Term) (smt.Status, term.Assignment, error) {
	l := &lazily{
		instantiator: &instantiator{pool: pool, near: true, limit: limit, cache: map[polar]*term.Term{}, universal: map[*term.Term]*universal{}},
		solver:       s, holds: map[*term.Term]*term.Term{}, abstracted: map[*term.Term]*term.Term{}, pending: map[*universal][]pending{},
	}
	f := l.outer(pool.And(fs...), true)
	if err := l.assert(f, l.abstract(f)); err != nil {
		return smt.Unknown, nil, err
	}
	for len(l.asserted) < maxAsserted {
		status, err := s.Check(ctx)
		if err != nil || status != smt.Sat {
			return status, nil, err
		}
		found, err := s.Model()
		if err != nil {
			return smt.Unknown, nil, nil //nolint:nilerr // without an assignment nothing says which instances are needed
		}
		more, err := l.need(ctx, found, false)
		if err == nil && !more {
			more, err = l.need(ctx, found, true)
		}
		if err != nil {
			return smt.Unknown, nil, err
		}
		if !more && l.steps > maxSteps {
			return smt.Unknown, nil, nil
		}
		if !more {
			return smt.Sat, found, nil
		}
	}
	return smt.Unknown, nil, nil
}

// assert asserts what stands for a formula, whose quantifiers are instantiated from now on.
func (l *lazily) assert(formula, abstract *term.Term) error {
	l.find(formula)
	l.asserted = append(l.asserted, formula)
	return l.solver.Assert(abstract)
}

// abstract replaces the universal quantifiers of a formula that outer returned by variables.
func (l *lazily) abstract(f *term.Term) *term.Term {
	if !f.HasQuantifier() {
		return f
	}
	if r, ok := l.abstracted[f]; ok {
		return r
	}
	var r *term.Term
	if f.Op() == term.Forall {
		r = l.pool.Fresh("holds", term.Bool)
		l.holds[f] = r
	} else {
		var parts []*term.Term
		for _, a := range f.Args() {
			parts = append(parts, l.abstract(a))
		}
		r = l.pool.Rebuild(f, parts)
	}
	l.abstracted[f] = r
	return r
}

// need asserts the instances that an assignment violates of quantifiers that hold in it, some of each, and reports whether there are any.
// With constants, those that bring some count as violated: the assignment knows nothing of these.
func (l *lazily) need(ctx context.Context, found term.Assignment, constants bool) (more bool, err error) {
	eval := term.NewEvaluator(l.pool, term.Complete(l.pool, found))
	terms := l.indexTerms(l.pool.And(l.asserted...))
	for _, u := range slices.Clone(l.order) {
		if err := l.spend(ctx); err != nil {
			return false, err
		}
		if !eval.True(l.holds[u.quantifier]) {
			continue
		}
		l.extend(u, terms)
		added := 0
		var rest []pending
		for _, p := range l.pending[u] {
			needed := constants && len(p.skolems) > 0 || !eval.True(p.abstract)
			if added == maxViolated || !needed {
				rest = append(rest, p)
				continue
			}
			added++
			l.skolems = append(l.skolems, p.skolems...)
			if err := l.assert(p.formula, l.pool.Implies(l.holds[u.quantifier], p.abstract)); err != nil {
				return false, err
			}
		}
		l.pending[u] = rest
		more = more || added > 0
	}
	return more, nil
}

// extend makes the instances of a quantifier that terms allow and that it does not have yet, up to the limit.
func (l *lazily) extend(u *universal, terms *indexTerms) {
	skolems := len(l.skolems)
	l.each(u, terms, func(instance *term.Term) {
		l.pending[u] = append(l.pending[u], pending{instance, l.abstract(instance), slices.Clone(l.skolems[skolems:])})
		l.skolems = l.skolems[:skolems]
	})
}
