package verify

import (
	"context"
	"slices"
	"time"

	"hornbeam/engine/portfolio"
	"hornbeam/frontend"
	"hornbeam/internal/work"
)

// A conditional proof waits for one without an assumption, or for a bug, until conditionalShare has passed since the beginning, and
// at least for conditionalWait, in which it is tried to prove the assumption. Both were measured on SV-COMP's and Quokka's programs:
// most assumptions are proved within a second, or not at all.
const (
	conditionalShare = 5 * time.Second
	conditionalWait  = 2 * time.Second
)

// turn is the processor time that a strategy has before the next one works, of those that take turns.
const turn = 2 * time.Second

// conditional is an attempt whose proof may rest on an assumption.
type conditional interface {
	frontend.Attempt
	// Overflows reports whether a proof rests on the assumption that nothing overflows.
	Overflows() bool
	// UnprovedOverflows are the places at which the assumption is not proved.
	UnprovedOverflows() []string
	// AssumeNoOverflow adds the assumption to the proof.
	AssumeNoOverflow(unproved []string)
	// WritesOutLoops reports whether a proof says nothing of the program's loops, since they are written out.
	WritesOutLoops() bool
}

// finished is a strategy that has come to its end.
type finished[A conditional] struct {
	representation frontend.Strategy[A]
	attempt        A
	outcome
	err error
}

// race runs the strategies of a program side by side until one of them has the answer.
type race[A conditional] struct {
	waiting []frontend.Strategy[A]
	decide  func(ctx context.Context, s frontend.Strategy[A]) finished[A]

	running int
	ended   chan finished[A]
	// invariants says that a proof which says nothing of loops counts less than others.
	invariants bool
	// silent is a proof that counts less, conditional one with an assumption, first the first outcome that is no answer, failed the
	// first error of a strategy, which counts where no other has an outcome.
	silent, conditional, first, failed *finished[A]
	// unproved are the places at which the assumption is not proved.
	unproved []string
}

// sideBySide decides a program by several strategies at once. It returns the outcome that counts, and whether that is a proof with an
// assumption. A proof that says nothing of the program's loops waits for one with invariants where these are asked for.
func sideBySide[A conditional](ctx context.Context, strategies []frontend.Strategy[A], template portfolio.Request, invariants bool, solve func(strategy string) solver) (best finished[A], assumes bool) {
	var turns portfolio.Turns
	one := func(ctx context.Context, s frontend.Strategy[A]) finished[A] {
		f := finished[A]{representation: s}
		template := template
		if s.Turns && work.Of(ctx) == nil {
			own := turns.Join(turn)
			defer own.Leave()
			template = own.Of(template)
		}
		if f.attempt, f.err = s.Begin(ctx); f.err == nil {
			f.outcome, f.err = decide(ctx, f.attempt, template, solve(s.Name))
		}
		return f
	}
	if len(strategies) == 1 {
		return one(ctx, strategies[0]), false
	}
	ctx, stop := context.WithCancel(ctx)
	r := &race[A]{invariants: invariants, waiting: slices.Clone(strategies), decide: one, ended: make(chan finished[A], len(strategies))}
	if work.Of(ctx) != nil {
		return r.inTurns(ctx, stop)
	}
	best, assumes = r.run(ctx)
	stop()
	for ; r.running > 0; r.running-- {
		<-r.ended
	}
	return best, assumes
}

// run starts the strategies and waits for the first that has an answer.
func (r *race[A]) run(ctx context.Context) (finished[A], bool) {
	began := time.Now()
	var share <-chan time.Time
	for {
		r.startDue(ctx, time.Since(began))
		if r.running == 0 {
			return r.best()
		}
		var next <-chan time.Time
		if at, ok := r.nextStart(); ok {
			next = time.After(time.Until(began.Add(at)))
		}
		select {
		case f := <-r.ended:
			r.running--
			if r.settles(f) {
				return f, false
			}
			if (r.conditional != nil || r.silent != nil) && share == nil {
				share = time.After(within(ctx, r.patience(time.Since(began))))
			}
		case <-share:
			return r.best()
		case <-next:
		}
	}
}

// settles keeps what a strategy has found, and reports whether it is the answer.
func (r *race[A]) settles(f finished[A]) bool {
	switch {
	case f.err != nil:
		if r.failed == nil || f.representation.Main {
			r.failed = &f
		}
		return false
	case f.Step == frontend.Unsafe || f.Internal:
		return true
	case f.Step == frontend.Safe && r.invariants && f.attempt.WritesOutLoops():
		if r.silent == nil {
			r.silent = &f
		}
		return false
	case f.Step == frontend.Safe && !(f.representation.Conditional && f.attempt.Overflows()):
		return true
	case f.Step == frontend.Safe:
		r.conditional = &f
		return false
	}
	if f.representation.Discharges {
		r.unproved = f.attempt.UnprovedOverflows()
	}
	if r.first == nil || f.representation.Main {
		r.first = &f
	}
	return false
}

// patience is how long the proof waits that was found after a time.
func (r *race[A]) patience(after time.Duration) time.Duration {
	wait := max(conditionalShare-after, conditionalWait)
	if r.conditional == nil {
		return min(conditionalWait+after, wait)
	}
	return wait
}

// within is how much of a time to wait there is before ctx is done.
func within(ctx context.Context, wait time.Duration) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		return min(wait, left-left/20)
	}
	return wait
}

// best is the outcome when no strategy has the answer, and whether it is a proof with an assumption.
func (r *race[A]) best() (finished[A], bool) {
	switch {
	case r.silent != nil:
		return *r.silent, false
	case r.conditional != nil:
		r.conditional.attempt.AssumeNoOverflow(r.unproved)
		return *r.conditional, true
	case r.first != nil:
		return *r.first, false
	}
	return *r.failed, false
}

// nextStart is when the next strategy starts that waits for its time.
func (r *race[A]) nextStart() (time.Duration, bool) {
	for _, s := range r.waiting {
		if !s.Discharges {
			return s.After, true
		}
	}
	return 0, false
}

// startDue starts the strategies whose time has come, and the next one when none is running.
func (r *race[A]) startDue(ctx context.Context, since time.Duration) {
	due := func(s frontend.Strategy[A]) bool {
		if r.conditional != nil {
			return s.Discharges || s.Main || since >= s.After
		}
		return !s.Discharges && (since >= s.After || r.running == 0)
	}
	for {
		i := slices.IndexFunc(r.waiting, due)
		if i < 0 {
			return
		}
		s := r.waiting[i]
		r.waiting = slices.Delete(r.waiting, i, i+1)
		r.running++
		go func() { r.ended <- r.decide(ctx, s) }()
	}
}
