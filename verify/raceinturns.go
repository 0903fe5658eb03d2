package verify

import (
	"context"
	"slices"
	"sync"
	"time"

	"hornbeam/frontend"
	"hornbeam/internal/work"
)

// inTurns is run where work is counted: the strategies work one at a time, and what becomes of one is decided while no other works. stop
// ends ctx.
func (r *race[A]) inTurns(ctx context.Context, stop context.CancelFunc) (finished[A], bool) {
	defer stop()
	var (
		all     sync.WaitGroup
		answer  *finished[A]
		over    bool
		waits   bool
		last    *time.Timer
		began   = work.Now(ctx)
		line    = work.Of(ctx).Line()
		turns   = line.Group(1)
		mains   []*work.Part
		entered func(s frontend.Strategy[A], after time.Duration)
	)
	// enter lets f work when its time has come.
	enter := func(g *work.Group, t work.Terms, f func(ctx context.Context)) *work.Part {
		p := g.Join(t)
		all.Go(func() {
			p.Begin()
			defer p.Leave()
			f(work.With(ctx, p))
		})
		return p
	}
	discharge := func() {
		for _, s := range r.waiting {
			entered(s, 0)
		}
		r.waiting = nil
		for _, p := range mains {
			p.Hurry()
		}
	}
	// settle says what follows from what a strategy has found.
	settle := func(f finished[A]) {
		if over {
			return
		}
		if r.settles(f) {
			answer, over = &f, true
			stop()
			return
		}
		if r.conditional != nil {
			discharge()
		}
		if (r.conditional != nil || r.silent != nil) && !waits {
			waits = true
			enter(line.Group(1), work.Terms{After: r.patience(work.Since(ctx, began))}, func(context.Context) {
				over = true
				stop()
			})
			if end, ok := ctx.Deadline(); ok {
				left := time.Until(end)
				last = time.AfterFunc(left-left/20, stop)
			}
		}
	}
	entered = func(s frontend.Strategy[A], after time.Duration) {
		g := turns
		if !s.Turns {
			g = line.Group(1)
		}
		p := enter(g, work.Terms{After: after, Turn: turn}, func(ctx context.Context) { settle(r.decide(ctx, s)) })
		if s.Main {
			mains = append(mains, p)
		}
	}
	later := func(s frontend.Strategy[A]) bool { return s.Discharges }
	for _, s := range r.waiting {
		if !later(s) {
			entered(s, s.After)
		}
	}
	r.waiting = slices.DeleteFunc(r.waiting, func(s frontend.Strategy[A]) bool { return !later(s) })
	line.Start()
	all.Wait()
	if last != nil {
		last.Stop()
	}
	if answer != nil {
		return *answer, false
	}
	return r.best()
}
