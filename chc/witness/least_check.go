package witness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/unfold"
	"hornbeam/internal/smt"
)

// LeastAnswer is what AskLeast finds: the least model where no query can be derived, and otherwise what a derivation is read from.
type LeastAnswer struct {
	// Model is the least model, which has passed its check on the system that was asked about; nil where a query can be derived.
	Model *Model
	// Unfolding is all derivations of queries, and Values make its formula true.
	Unfolding *unfold.Unfolding
	Values    term.Assignment
}

// AskLeast asks whether a query can be derived from clauses without recursion. This one question both checks the least model and looks
// for a refutation, and it is often all the work there is; so CheckModel takes the answer's model for checked where it is asked about the
// very same clauses again. The solvers are AskLeast's own. told, if it is not nil, hears of the formula before the solver does.
//
// The error wraps ErrUndecided, and ErrOpen too where more time may help, or ErrInvalid where a predicate depends on itself, or is that of
// ctx or of a solver. limit is that of CheckModel.
func AskLeast(ctx context.Context, open smt.Opener, sys *chc.System, limit smt.Limit, told func(*unfold.Unfolding)) (*LeastAnswer, error) {
	if limit.Time == 0 {
		limit.Time = DefaultLimit
	}
	u, err := unfold.Of(ctx, sys)
	switch {
	case errors.Is(err, unfold.ErrRecursive):
		return nil, fmt.Errorf("%w: there is no formula for the least model: %w", ErrInvalid, err)
	case errors.Is(err, unfold.ErrTooMany):
		return nil, fmt.Errorf("%w: %w", ErrUndecided, err)
	case err != nil:
		return nil, fmt.Errorf("write out all derivations: %w", err)
	}
	if told != nil {
		told(u)
	}
	q := leastQuestion{open: open, pool: sys.Pool, limit: limit}
	if relaxed := u.Relaxed(sys.Pool); relaxed != nil {
		if status, err := q.ask(ctx, relaxed, nil); err != nil {
			return nil, err
		} else if status == smt.Unsat {
			return leastModel(sys, u)
		}
	}
	scalars, answer := u.Scalars(sys.Pool), &LeastAnswer{Unfolding: u}
	status, err := q.ask(ctx, scalars.Formula, func(s smt.Solver) error {
		found, err := s.Model()
		if err == nil {
			answer.Values = scalars.Assignment(term.Complete(sys.Pool, found))
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case status == smt.Unsat:
		return leastModel(sys, u)
	case status == smt.Sat:
		return answer, nil
	}
	return nil, fmt.Errorf("%w: whether a query can be derived: %w: %s", ErrUndecided, ErrOpen, q.reason)
}

// leastModel is the answer where no query can be derived.
func leastModel(sys *chc.System, u *unfold.Unfolding) (*LeastAnswer, error) {
	if err := apart(u); err != nil {
		return nil, err
	}
	return &LeastAnswer{Model: &Model{Least: true, checked: slices.Clone(sys.Clauses)}}, nil
}

// leastQuestion asks whether a query can be derived.
type leastQuestion struct {
	open  smt.Opener
	pool  *term.Pool
	limit smt.Limit
	// reason is why the last solver did not know.
	reason string
}

// ask asks one solver after the other whether a formula has a model, which sat may read from the solver.
func (q *leastQuestion) ask(ctx context.Context, formula *term.Term, sat func(smt.Solver) error) (status smt.Status, err error) {
	for _, a := range leastAttempts(formula) {
		limit := q.limit
		limit.Time, limit.Whole = limit.Time*a.share/shares, a.whole
		err := a.within(q.open, q.pool, limit, func(s smt.Solver) error {
			if err := s.Assert(formula); err != nil {
				return err
			}
			if status, err = s.Check(ctx); err != nil || status != smt.Sat || sat == nil {
				q.reason = s.ReasonUnknown()
				return err
			}
			return sat(s)
		})
		switch {
		case err != nil:
			return smt.Unknown, fmt.Errorf("ask whether a query can be derived: %w", err)
		case status != smt.Unknown:
			return status, nil
		case ctx.Err() != nil:
			return smt.Unknown, ctx.Err()
		}
	}
	return smt.Unknown, nil
}

// leastAttempts take turns, each longer than before. Of formulas that are not over bits alone, the simplex solver decides most of those of
// programs with their loops written out in a tenth of the time in which Z3's tactics only prepare them, and these decide others. Of what it
// does for sums and choices alone, Z3 counts ten times as much as for remainders.
func leastAttempts(formula *term.Term) []attempt {
	if term.BitsOnly(formula) {
		return leastOverBits
	}
	first := time.Duration(shares / 4)
	if term.SumsOnly(formula) {
		first = shares
	}
	return []attempt{
		{params: smt.Params{ArithSolver: 2}, share: first, whole: true},
		{params: smt.Params{Auto: true}, share: shares / 4},
		{params: smt.Params{ArithSolver: 2}, share: max(first, shares/2)},
		{params: smt.Params{Auto: true}, share: shares},
		{params: smt.Params{Finite: true}, share: shares / 2},
		{params: smt.Params{ArithSolver: 2}, share: 2 * shares},
	}
}

// leastOverBits are for bit-vectors. Z3's choice of tactics and bits alone decide different formulas, many of them within a second, where
// the other one does not end in twenty: so they take turns, each longer than before.
var leastOverBits = []attempt{
	{params: smt.Params{Auto: true}, share: shares / 4},
	{params: smt.Params{Blast: true}, share: shares / 2},
	{params: smt.Params{Auto: true}, share: shares * 3 / 2},
	{params: smt.Params{Blast: true}, share: 2 * shares},
	{params: smt.Params{Auto: true}, share: 2 * shares},
}

// checkLeast checks that no query can be derived from the clauses, none of whose predicates may depend on itself.
func checkLeast(ctx context.Context, open smt.Opener, sys *chc.System, limit smt.Limit) error {
	answer, err := AskLeast(ctx, open, sys, limit, nil)
	switch {
	case err != nil:
		return fmt.Errorf("checking the least model: %w", err)
	case answer.Model == nil:
		return fmt.Errorf("%w: a query can be derived", ErrInvalid)
	}
	return nil
}

// AskWithin asks how many steps the derivations from linear clauses have at most, and whether they derive a query. The least model that
// it returns has passed its check, as that of AskLeast. The error wraps ErrUndecided, or ErrInvalid where clauses are not linear or a
// query is derived, or is that of ctx or of a solver.
func AskWithin(ctx context.Context, open smt.Opener, sys *chc.System, limit smt.Limit) (*Model, error) {
	if limit.Time == 0 {
		limit.Time = DefaultLimit
	}
	var last error
	for _, a := range []attempt{{}, {params: smt.Params{ArithSolver: 2}}} {
		steps := 0
		err := a.within(open, sys.Pool, limit, func(s smt.Solver) (err error) {
			steps, err = Exhaust(ctx, s, sys)
			return err
		})
		switch {
		case errors.Is(err, ErrNonlinear), errors.Is(err, ErrReached):
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		case errors.Is(err, ErrOpen), errors.Is(err, unfold.ErrTooMany):
			last = fmt.Errorf("%w: %w", ErrUndecided, err)
		case err != nil:
			return nil, fmt.Errorf("write out the derivations by their length: %w", err)
		default:
			m := LeastWithin(steps)
			m.checked = slices.Clone(sys.Clauses)
			return m, nil
		}
	}
	return nil, last
}

// checkWithin checks that the derivations from linear clauses end after so many steps and derive no query.
func checkWithin(ctx context.Context, open smt.Opener, sys *chc.System, steps int, limit smt.Limit) error {
	found, err := AskWithin(ctx, open, sys, limit)
	switch {
	case err != nil:
		return fmt.Errorf("checking the derivations by their length: %w", err)
	case found.Steps > steps:
		return fmt.Errorf("%w: there are derivations of %d steps, not of %d at most", ErrInvalid, found.Steps, steps)
	}
	return nil
}

// within opens a solver with the attempt's parameters for use.
func (a attempt) within(open smt.Opener, pool *term.Pool, limit smt.Limit, use func(smt.Solver) error) error {
	solvers, err := open(pool, smt.Config{Seed: a.seed})
	if err != nil {
		return err
	}
	defer solvers.Close()
	s, err := solvers.NewSolver(a.params)
	if err != nil {
		return err
	}
	defer s.Close()
	s.SetLimit(limit)
	return use(s)
}

// ErrNonlinear says that a clause has several premises, ErrReached that a query can be derived, and ErrOpen that the solver gave up.
var (
	ErrNonlinear = errors.New("a clause has several premises")
	ErrReached   = errors.New("a query can be derived")
	ErrOpen      = errors.New("the solver gives up")
)

// Exhaust writes out the derivations of linear clauses forward, all of one length together, until there are none that are longer, and
// asks the solver, which has no assertions, for each length whether a query is derived. It returns how many clauses the longest
// derivation of a predicate has. The error wraps ErrNonlinear, ErrReached, ErrOpen or unfold.ErrTooMany, or is that of ctx or the solver.
func Exhaust(ctx context.Context, solver smt.Solver, sys *chc.System) (steps int, err error) {
	u, linear := unfold.Unwind(sys)
	if !linear {
		return 0, ErrNonlinear
	}
	for _, c := range sys.Clauses {
		if c.Head != nil || len(c.Body) > 0 {
			continue
		}
		if err := unreached(ctx, solver, c.Constraint); err != nil {
			return 0, fmt.Errorf("ask for a query without premises: %w", err)
		}
	}
	for ; ; steps++ {
		facts, err := u.Step()
		if err != nil {
			return 0, err
		}
		if err := solver.Assert(facts...); err != nil {
			return 0, fmt.Errorf("assert what derivations of %d steps are: %w", steps+1, err)
		}
		left, err := u.Reached(func(_ *chc.Predicate, holds *term.Term) (bool, error) { return possible(ctx, solver, holds) })
		if err != nil {
			return 0, fmt.Errorf("ask what is derived in %d steps: %w", steps+1, err)
		}
		if left == 0 {
			return steps, nil
		}
		if err := unreached(ctx, solver, u.Queries()); err != nil {
			return 0, fmt.Errorf("ask for a query behind %d steps: %w", steps+1, err)
		}
	}
}

// unreached is nil where a formula, which says that a query is derived, does not hold.
func unreached(ctx context.Context, solver smt.Solver, f *term.Term) error {
	derived, err := possible(ctx, solver, f)
	if err == nil && derived {
		err = ErrReached
	}
	return err
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
