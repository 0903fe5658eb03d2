package verify

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"hornbeam/frontend"
	"hornbeam/internal/work"
)

// turnRace is a race where work is counted: the strategies work one at a time, and what follows from the end of one is decided before
// another one goes on, so that nothing here needs a lock.
type turnRace[A conditional] struct {
	*race[A]
	ctx  context.Context
	stop context.CancelFunc
	line *work.Line
	// turns are the strategies that take turns, mains the parts of those that a conditional proof starts before their time.
	turns *work.Group
	mains []*work.Part
	parts sync.WaitGroup

	// answer is what settles the race, if anything does, and over says that it is settled or that no more is waited for.
	answer *finished[A]
	over   bool
	// waits says that there is a proof that waits for a better one, and last ends the wait with the time that there is.
	waits bool
	last  *time.Timer
	// began is when the race began.
	began time.Duration
}

// inTurns is run where work is counted. stop ends ctx.
func (r *race[A]) inTurns(ctx context.Context, stop context.CancelFunc) (finished[A], bool) {
	defer stop()
	t := &turnRace[A]{race: r, ctx: ctx, stop: stop, line: work.Of(ctx).Line(), began: work.Now(ctx)}
	t.turns = t.line.Group(1)
	for _, s := range r.waiting {
		if !s.Discharges {
			t.enter(s, s.After)
		}
	}
	r.waiting = slices.DeleteFunc(r.waiting, func(s frontend.Strategy[A]) bool { return !s.Discharges })
	t.line.Start()
	t.parts.Wait()
	if t.last != nil {
		t.last.Stop()
	}
	if t.answer != nil {
		return *t.answer, false
	}
	return r.best()
}

// enter lets a strategy take part when the others have worked for so long.
func (t *turnRace[A]) enter(s frontend.Strategy[A], after time.Duration) {
	group := t.turns
	if !s.Turns {
		group = t.line.Group(cmp.Or(s.Share, 1))
	}
	p := t.join(group, work.Terms{After: after, Turn: turn}, func(ctx context.Context) { t.settle(t.decide(ctx, s)) })
	if s.Main {
		t.mains = append(t.mains, p)
	}
}

// join calls f when its time has come.
func (t *turnRace[A]) join(g *work.Group, terms work.Terms, f func(ctx context.Context)) *work.Part {
	p := g.Join(terms)
	t.parts.Go(func() {
		p.Begin()
		defer p.Leave()
		f(work.With(t.ctx, p))
	})
	return p
}

// settle says what follows from what a strategy has found.
func (t *turnRace[A]) settle(f finished[A]) {
	if t.over {
		return
	}
	if t.settles(f) {
		t.answer, t.over = &f, true
		t.stop()
		return
	}
	if t.conditional != nil {
		for _, s := range t.waiting {
			t.enter(s, 0)
		}
		t.waiting = nil
		for _, p := range t.mains {
			p.Hurry()
		}
	}
	if (t.conditional != nil || t.silent != nil) && !t.waits {
		t.wait()
	}
}

// wait ends the race when the proof that was found has waited for a better one for as long as it should.
func (t *turnRace[A]) wait() {
	t.waits = true
	t.join(t.line.Group(1), work.Terms{After: t.patience(work.Since(t.ctx, t.began))}, func(context.Context) {
		t.over = true
		t.stop()
	})
	if end, ok := t.ctx.Deadline(); ok {
		left := time.Until(end)
		t.last = time.AfterFunc(left-left/20, t.stop)
	}
}
