package itp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
	"hornbeam/mbp"
)

// ErrNotDisjoint is returned when the two sides of an interpolation problem are satisfiable together.
var ErrNotDisjoint = errors.New("the sides are satisfiable together")

// ErrUnverified is returned when every candidate failed its check in a fresh solver: a defect, or a theory for which
// projection is not exact.
var ErrUnverified = errors.New("no candidate passed its verification")

// ErrModel is returned when a solver's model does not satisfy the formulas that it is one of, as Z3 has them for arrays
// over finite index sorts: nothing can be projected in it.
var ErrModel = errors.New("the solver's model does not satisfy its own formulas")

// Options are the options of an Interpolator; the zero value has no time limit but the context's.
type Options struct {
	// Time bounds each call (Binary, Eliminate).
	Time time.Duration
	// Solver are the settings of the solvers that are asked.
	Solver smt.Params
	// Rounds bounds the cubes that one call projects. Default 200.
	Rounds int
	// SmallTree is the number of nodes up to which trees are interpolated from the leaves up. Default 6.
	SmallTree int
	// Strength chooses the half-spaces of interpolants.
	Strength Strength
	// Constants, usually the system's, are preferred as bounds with Strength Middle.
	Constants []term.Num
	// Templates are normals that cost nothing in separations.
	Templates []term.Linear
	// NoEqualities leaves out the search for an equality that several cubes of A share.
	NoEqualities bool
	// NoSeparation generalises cubes by dropping literals only.
	NoSeparation bool
}

// Stats count what an Interpolator did.
type Stats struct {
	Binary     int // interpolation problems
	Trees      int // those of trees
	Trivial    int // answered by a side without common symbols, or by a single core literal
	Cores      int // answered by literals of a core
	Separated  int // answered by cubes and half-spaces
	Dual       int // of these, answered with the sides exchanged
	Sides      int // answered by a side itself
	Failed     int // candidates that failed their verification
	CubesA     int // projected cubes of A
	CubesB     int // projected cubes of B
	HalfSpaces int // separations that succeeded
	Clusters   int // cubes of A that started a cluster
	Joins      int // cubes of A that joined one
	Dropping   int // cubes that no half-space separated, generalised by dropping literals
	Eliminated int // calls of Eliminate
	Cubes      int // cubes that Eliminate projected
}

// Interpolator answers interpolation and elimination problems over one pool in one solver context. It belongs to one
// goroutine; Close closes the context.
type Interpolator struct {
	pool    *term.Pool
	opts    Options
	open    smt.Opener
	solvers smt.Context
	// kept are solvers with formulas of trees.
	kept map[*term.Term]smt.Solver
	// problems counts those that the solver context has seen; closed are the counts of the contexts before it.
	problems  int
	closed    smt.Stats
	projector *mbp.Projector
	stats     Stats
}

// New opens a solver context for problems over the pool.
func New(p *term.Pool, open smt.Opener, opts Options) (*Interpolator, error) {
	c, err := open(p, smt.Config{})
	if err != nil {
		return nil, fmt.Errorf("open a solver context for interpolation: %w", err)
	}
	if opts.Rounds == 0 {
		opts.Rounds = 200
	}
	if opts.SmallTree == 0 {
		opts.SmallTree = 6
	}
	return &Interpolator{pool: p, opts: opts, open: open, solvers: c, projector: mbp.New(p, mbp.Options{})}, nil
}

// Close closes the solver context.
func (it *Interpolator) Close() { it.solvers.Close() }

// Solvers returns the counts of the solver contexts.
func (it *Interpolator) Solvers() smt.Stats {
	sum, s := it.closed, it.solvers.Stats()
	sum.Checks += s.Checks
	sum.Sat += s.Sat
	sum.Unsat += s.Unsat
	sum.Unknown += s.Unknown
	sum.InCheck += s.InCheck
	return sum
}

// begin starts a problem: in a new solver context when the old one has seen many, and within the time limit.
func (it *Interpolator) begin(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if it.problems++; it.problems > maxProblems {
		fresh, err := it.open(it.pool, smt.Config{})
		if err != nil {
			return nil, nil, fmt.Errorf("open a solver context for interpolation: %w", err)
		}
		it.closed, it.problems = it.Solvers(), 1
		it.solvers.Close()
		it.solvers, it.kept = fresh, nil
	}
	if it.opts.Time > 0 {
		ctx, cancel := work.WithTimeout(ctx, it.opts.Time)
		return ctx, cancel, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	return ctx, cancel, nil
}

// Binary returns an interpolant of a and b: a implies it, it contradicts b, and its free variables are among shared.
// Variables outside shared are each side's own, even when both sides mention them. It is found as in 1.2 of the engine
// notes: core literals where they suffice; else cubes of A, projected to the common variables, are gathered into clusters
// that half-spaces separate from the projected cubes of B; cubes that no half-space separates are generalised by
// dropping literals. Every answer was verified in a fresh solver. Errors: ErrNotDisjoint when the sides have a common
// solution, ErrBudget when time or rounds ran out or the solver answered unknown, ErrModel when a solver's model was wrong, ErrUnverified.
func (it *Interpolator) Binary(ctx context.Context, a, b *term.Term, shared []*term.Term) (*term.Term, error) {
	it.stats.Binary++
	ctx, cancel, err := it.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	b = it.apart(a, b, shared)
	out, err := it.binary(ctx, a, b, shared, it.opts.Rounds)
	if err != nil {
		return nil, fmt.Errorf("interpolate: %w", err)
	}
	return out, nil
}

// apart renames in b the variables that it has in common with a outside shared.
func (it *Interpolator) apart(a, b *term.Term, shared []*term.Term) *term.Term {
	allowed := setOf(shared)
	ofA := setOf(term.Vars(a))
	renaming := make(map[*term.Term]*term.Term)
	for _, v := range term.Vars(b) {
		if ofA[v] && !allowed[v] {
			renaming[v] = it.pool.Fresh("b", v.Sort())
		}
	}
	if len(renaming) == 0 {
		return b
	}
	return it.pool.Substitute(b, renaming)
}

func parts(t *term.Term) []*term.Term {
	ps := term.Conjuncts(t)
	if len(ps) > maxParts {
		return []*term.Term{t}
	}
	return ps
}

func (it *Interpolator) binary(ctx context.Context, a, b *term.Term, shared []*term.Term, rounds int) (*term.Term, error) {
	coreA, coreB, err := it.splitCore(ctx, a, b)
	if err != nil {
		return nil, err
	}
	q := &query{
		it: it, a: it.pool.And(coreA...), b: it.pool.And(coreB...), rounds: rounds, limit: rounds, strength: it.opts.Strength,
	}
	q.common = intersect(shared, term.Vars(q.a), term.Vars(q.b))
	defer q.close()

	accept := func(candidate *term.Term, counter *int) (*term.Term, bool, error) {
		ok, err := it.verify(ctx, a, b, candidate, shared)
		switch {
		case err != nil:
			return nil, false, err
		case !ok:
			it.stats.Failed++
			return nil, false, nil
		}
		*counter++
		return candidate, true, nil
	}

	if candidate, counter, err := q.easy(ctx, coreA, coreB); err != nil {
		return nil, err
	} else if candidate != nil {
		if out, ok, err := accept(candidate, counter); ok || err != nil {
			return out, err
		}
	}
	candidate, failure := q.solve(ctx)
	if candidate != nil {
		if out, ok, err := accept(candidate, &it.stats.Separated); ok || err != nil {
			return out, err
		}
	}
	// The other way round, a conjunction of clauses, can be small where cubes are many.
	if failure != nil && ctx.Err() == nil {
		dual := q.exchanged()
		defer dual.close()
		if candidate, err := dual.solve(ctx); err == nil {
			if out, ok, err := accept(it.pool.Not(candidate), &it.stats.Dual); ok || err != nil {
				return out, err
			}
		}
	}
	if out := q.side(shared); out != nil {
		if out, ok, err := accept(out, &it.stats.Sides); ok || err != nil {
			return out, err
		}
	}
	if failure == nil {
		failure = ErrUnverified
	}
	return nil, failure
}

// splitCore returns the conjuncts of each side that one refutation of a and b uses.
func (it *Interpolator) splitCore(ctx context.Context, a, b *term.Term) (coreA, coreB []*term.Term, err error) {
	if a.IsFalse() || b.IsTrue() {
		return parts(a), nil, it.refuted(ctx, a, b)
	}
	s, err := it.solvers.NewSolver(it.opts.Solver)
	if err != nil {
		return nil, nil, fmt.Errorf("open a solver: %w", err)
	}
	defer s.Close()
	partsA, partsB := parts(a), parts(b)
	ofA := setOf(partsA)
	assumptions := append([]*term.Term{}, partsA...)
	for _, t := range partsB {
		if !ofA[t] {
			assumptions = append(assumptions, t)
		}
	}
	status, err := check(ctx, s, assumptions...)
	if err != nil {
		return nil, nil, err
	}
	if status == smt.Sat {
		return nil, nil, it.satisfied(s, a, b)
	}
	used := setOf(s.Core())
	for _, t := range partsA {
		if used[t] {
			coreA = append(coreA, t)
		}
	}
	// A conjunct of both sides is kept on both: it costs nothing and may spare the interpolant a part.
	for _, t := range partsB {
		if used[t] {
			coreB = append(coreB, t)
		}
	}
	return coreA, coreB, nil
}

// refuted returns nil when a and b contradict each other.
func (it *Interpolator) refuted(ctx context.Context, a, b *term.Term) error {
	s, err := it.solverFor(a, b)
	if err != nil {
		return err
	}
	defer s.Close()
	status, err := check(ctx, s)
	if err == nil && status == smt.Sat {
		return it.satisfied(s, a, b)
	}
	return err
}

// satisfied is the error for sides that the solver finds satisfiable.
func (it *Interpolator) satisfied(s smt.Solver, sides ...*term.Term) error {
	m, err := modelOf(s)
	if err != nil {
		return err
	}
	return it.together(m, sides...)
}

// modelOf reads the model of the last check. One with a value that terms do not have is none.
func modelOf(s smt.Solver) (*smt.Model, error) {
	m, err := s.Model()
	if errors.Is(err, smt.ErrNoValue) {
		err = fmt.Errorf("%w: %w", ErrModel, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read a model: %w", err)
	}
	return m, nil
}

// together is the error for sides that a solver's model satisfies: ErrNotDisjoint, or ErrModel when the model shows otherwise.
func (it *Interpolator) together(m *smt.Model, sides ...*term.Term) error {
	eval := term.NewEvaluator(it.pool, term.Complete(it.pool, m))
	if slices.ContainsFunc(sides, eval.False) {
		return ErrModel
	}
	return ErrNotDisjoint
}

// checkOnce decides a conjunction in a solver of its own.
func (it *Interpolator) checkOnce(ctx context.Context, fs ...*term.Term) (smt.Status, error) {
	s, err := it.solverFor(fs...)
	if err != nil {
		return smt.Unknown, err
	}
	defer s.Close()
	return check(ctx, s)
}

// solverFor opens a solver that knows the formulas.
func (it *Interpolator) solverFor(fs ...*term.Term) (smt.Solver, error) {
	s, err := it.solvers.NewSolver(it.opts.Solver)
	if err != nil {
		return nil, fmt.Errorf("open a solver: %w", err)
	}
	if err := s.Assert(fs...); err != nil {
		s.Close()
		return nil, fmt.Errorf("assert: %w", err)
	}
	return s, nil
}

// check decides; an undecided check is ErrBudget.
func check(ctx context.Context, s smt.Solver, assumptions ...*term.Term) (smt.Status, error) {
	status, err := s.Check(ctx, assumptions...)
	switch {
	case ctx.Err() != nil:
		return smt.Unknown, fmt.Errorf("check: %w (%w)", ErrBudget, ctx.Err())
	case err != nil:
		return smt.Unknown, fmt.Errorf("check: %w", err)
	case status == smt.Unknown:
		return smt.Unknown, fmt.Errorf("check gave no answer (%s): %w", s.ReasonUnknown(), ErrBudget)
	}
	return status, nil
}

// verify checks in fresh solvers that candidate is an interpolant of a and b over shared.
func (it *Interpolator) verify(ctx context.Context, a, b, candidate *term.Term, shared []*term.Term) (bool, error) {
	allowed := setOf(shared)
	for _, v := range term.Vars(candidate) {
		if !allowed[v] {
			return false, nil
		}
	}
	for _, sides := range [][]*term.Term{{a, it.pool.Not(candidate)}, {candidate, b}} {
		status, err := it.checkOnce(ctx, sides...)
		if err != nil {
			return false, fmt.Errorf("verify the interpolant: %w", err)
		}
		if status != smt.Unsat {
			return false, nil
		}
	}
	return true, nil
}

func setOf(ts []*term.Term) map[*term.Term]bool {
	m := make(map[*term.Term]bool, len(ts))
	for _, t := range ts {
		m[t] = true
	}
	return m
}

// intersect returns the terms that are in all lists, in the order of the first.
func intersect(ts []*term.Term, others ...[]*term.Term) []*term.Term {
	var out []*term.Term
	sets := make([]map[*term.Term]bool, len(others))
	for i, o := range others {
		sets[i] = setOf(o)
	}
next:
	for _, t := range ts {
		for _, s := range sets {
			if !s[t] {
				continue next
			}
		}
		out = append(out, t)
	}
	return out
}
