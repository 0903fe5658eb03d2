package portfolio

import (
	"context"
	"math"
	"math/bits"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/work"
)

const (
	// rate is how many of Z3's resource units stand for a second of work. It does from 1 to 4 million a second on today's processors,
	// by the theory.
	rate = 2_500_000
	// eachCheck is the work of a check beside what Z3 counts: that of the engine before and after it.
	eachCheck = 50 * time.Microsecond
)

// units are the resource units of a span of work.
func units(work time.Duration) uint64 {
	return max(1, uint64(max(0, work).Seconds()*rate))
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
		return &pacedContext{ctx}, nil
	}
}

type pacedContext struct{ smt.Context }

// SetPatterns hands patterns on, where the solver takes them.
func (c *pacedContext) SetPatterns(q *term.Term, patterns [][]*term.Term) {
	if p, ok := c.Context.(smt.Patterned); ok {
		p.SetPatterns(q, patterns)
	}
}

func (c *pacedContext) NewSolver(p smt.Params) (smt.Solver, error) {
	s, err := c.Context.NewSolver(p)
	if err != nil {
		return nil, err
	}
	return &pacedSolver{Solver: s, context: c.Context}, nil
}

type pacedSolver struct {
	smt.Solver
	context smt.Context
	limit   smt.Limit
}

func (s *pacedSolver) SetLimit(l smt.Limit) { s.limit = l }

func (s *pacedSolver) Check(ctx context.Context, assumptions ...*term.Term) (smt.Status, error) {
	part, inner := work.Of(ctx), work.Uncounted(ctx)
	if part == nil {
		s.Solver.SetLimit(s.limit)
		return s.Solver.Check(ctx, assumptions...)
	}
	if err := ctx.Err(); err != nil {
		return s.Solver.Check(inner, assumptions...)
	}
	limit := s.limit.Resources
	if t := s.limit.Time; t > 0 && (limit == 0 || units(t) < limit) {
		limit = units(t)
	}
	left, bounded := work.Left(ctx)
	byDeadline := bounded && (limit == 0 || units(left) < limit)
	if byDeadline {
		limit = roundedUp(units(left))
	}
	s.Solver.SetLimit(smt.Limit{Resources: limit})
	before := s.context.Stats().Resources
	status, err := s.Solver.Check(inner, assumptions...)
	used := s.context.Stats().Resources - before
	done := eachCheck + time.Duration(float64(used)/rate*float64(time.Second))
	if byDeadline && status == smt.Unknown && used >= limit-limit/16 {
		done = max(done, left)
	}
	part.Spend(done)
	return status, err
}

// roundedUp is the next power of two, so that the settings of a solver are seldom changed.
func roundedUp(n uint64) uint64 {
	if n > math.MaxUint32 {
		return 0
	}
	return 1 << bits.Len64(n-1)
}
