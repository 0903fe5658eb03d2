package portfolio

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/cputime"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

const (
	// rate is how many of Z3's resource units stand for a second of work. It does from 1 to 4 million a second on today's processors,
	// by the theory.
	rate = 2_500_000
	// eachCheck is the work of a check beside what Z3 counts and the terms that are made: that of the engine before and after it.
	eachCheck = 300 * time.Microsecond
	// A check whose processor time is more than uncountedPart times as much as its limit, and uncountedLeast, is not counted by the solver.
	uncountedPart  = 2
	uncountedLeast = 500 * time.Millisecond
	// leastOfTactics is what a check by Z3's tactics is asked for at a time: they begin anew when they are broken off, where another solver
	// goes on with what it has learnt. One with a limit of its own that is not above wholeOfTactics is not broken off at all.
	leastOfTactics = 2 * time.Second
	wholeOfTactics = 8 * time.Second
)

// units are the resource units of a span of work.
func units(work time.Duration) uint64 {
	return max(1, uint64(max(0, work).Seconds()*rate))
}

// timeOf is the span of work that resource units stand for.
func timeOf(units uint64) time.Duration {
	return time.Duration(float64(units) / rate * float64(time.Second))
}

// Paced wraps an opener so that a check whose context has a work.Part counts its work there and waits for the part's next turn, and
// that limits of time are limits of work for it. Other checks are as they were.
func Paced(open smt.Opener) smt.Opener {
	return func(p *term.Pool, c smt.Config) (smt.Context, error) {
		c.Count = true
		ctx, err := open(p, c)
		if err != nil {
			return nil, err
		}
		return &pacedContext{ctx, p}, nil
	}
}

type pacedContext struct {
	smt.Context
	pool *term.Pool
}

func (c *pacedContext) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	if err != nil {
		return nil, err
	}
	return &pacedSolver{Solver: s, context: c.Context, pool: c.pool, tactics: p.Tactics()}, nil
}

type pacedSolver struct {
	smt.Solver
	context smt.Context
	pool    *term.Pool
	limit   smt.Limit
	// tactics says that checks begin anew when they are broken off.
	tactics bool
}

func (s *pacedSolver) SetLimit(l smt.Limit) { s.limit = l }

// Check asks for as much work at a time as others may have to wait for, and then for twice as much: what it has done is lost then, but
// nobody waits for ever for a query that is not decided.
func (s *pacedSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	part := work.Of(ctx)
	if part == nil || ctx.Err() != nil {
		s.Solver.SetLimit(s.limit)
		return s.Solver.Check(ctx, assumptions...)
	}
	slice := part.Slice()
	switch own := s.limit.Time; {
	case slice > 0 && s.limit.Whole && own > 0:
		slice = max(slice, own)
	case slice == 0 || !s.tactics:
	case own > 0 && own <= wholeOfTactics:
		slice = max(slice, own)
	default:
		slice = max(slice, leastOfTactics)
	}
	for ; ; slice *= 2 {
		status, broken, err := s.attempt(ctx, part, slice, assumptions)
		if !broken || ctx.Err() != nil {
			return status, err
		}
	}
}

// attempt makes a check that takes no more work than a slice; 0 is no bound. It reports whether the check was broken off for the slice's
// sake.
func (s *pacedSolver) attempt(ctx context.Context, part *work.Part, slice time.Duration, assumptions []*term.Term) (status smt.Status, broken bool, err error) {
	limit := s.limit.Resources
	if t := s.limit.Time; t > 0 && (limit == 0 || units(t) < limit) {
		limit = units(t)
	}
	left, bounded := work.Left(ctx)
	byDeadline := bounded && (limit == 0 || units(left) < limit)
	if byDeadline {
		limit = roundedUp(units(left))
	}
	bySlice := slice > 0 && (limit == 0 || units(slice) < limit)
	if bySlice {
		limit = units(slice)
	}
	s.Solver.SetLimit(smt.Limit{Resources: limit})
	before := s.context.Stats().Resources
	if limit > 0 {
		var uncounted bool
		longest := uncountedPart*timeOf(limit) + uncountedLeast
		if status, uncounted, err = s.within(ctx, longest, assumptions); uncounted {
			part.SpendMade(longest, s.pool)
			// A check that has had as much time as its own limit allows is not asked again.
			again := bySlice && (s.limit.Time == 0 || longest < s.limit.Time)
			return smt.Unknown, again, nil
		}
	} else {
		status, err = s.Solver.Check(work.Uncounted(ctx), assumptions...)
	}
	used := s.context.Stats().Resources - before
	exhausted := limit > 0 && status == smt.Unknown && used >= limit-limit/16
	done := eachCheck + timeOf(used)
	if byDeadline && !bySlice && exhausted {
		done = max(done, left)
	}
	if (s.limit.Whole || s.tactics) && status != smt.Unknown {
		// Others have waited for this answer.
		part.Count(done)
		return status, false, err
	}
	part.SpendMade(done, s.pool)
	return status, bySlice && exhausted && err == nil, err
}

// within makes a check that is broken off when it takes more processor time than a limit, which says that the solver counts little of what
// it does: the limit is so high that it makes no difference otherwise.
func (s *pacedSolver) within(ctx context.Context, limit time.Duration, assumptions []*term.Term) (status smt.Status, exceeded bool, err error) {
	inner, cancel := context.WithCancelCause(work.Uncounted(ctx))
	defer cancel(nil)
	cputime.Within(limit, func() { cancel(errUncounted) }, func() { status, err = s.Solver.Check(inner, assumptions...) })
	return status, context.Cause(inner) == errUncounted && status == smt.Unknown && ctx.Err() == nil, err
}

// errUncounted is the cause of a check's context that was ended since the solver did not count its work.
var errUncounted = errors.New("the solver does not count its work")

// roundedUp is the next power of two, so that the settings of a solver are seldom changed.
func roundedUp(n uint64) uint64 {
	if n > math.MaxUint32 {
		return 0
	}
	return 1 << bits.Len64(n-1)
}
