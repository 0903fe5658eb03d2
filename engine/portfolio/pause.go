package portfolio

import (
	"context"
	"sync"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// gate makes whoever asks solvers stand still while it is shut. It is shut at first.
type gate struct {
	mu sync.Mutex
	// opened is closed while the gate is open.
	opened chan struct{}
}

func newGate() *gate { return &gate{opened: make(chan struct{})} }

// open lets everyone pass, also those who wait. The gate is shut before.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.opened)
}

// shut makes everyone wait who comes from now on. The gate is open before.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = make(chan struct{})
}

// pass returns when the gate is open or ctx is done.
func (g *gate) pass(ctx context.Context) {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	select {
	case <-opened:
	case <-ctx.Done():
	}
}

// passage is what whoever asks a solver has to pass.
type passage interface {
	// pass returns when it is open, or ctx is done.
	pass(ctx context.Context)
}

// gated wraps an opener so that checks wait until they may pass. What is done between two checks goes on.
func gated(open smt.Opener, g passage) smt.Opener {
	return aroundChecks(open, func() check {
		return func(ctx context.Context, s smt.Solver, assumptions []*term.Term) (smt.Status, error) {
			g.pass(ctx)
			return s.Check(ctx, assumptions...)
		}
	})
}

// pauseTime is how long the others stand still for one that finishes.
const pauseTime = 2 * time.Second

// Pause makes all who take part stand still at their next question to a solver while one of them checks its answer. Requests that
// are decided side by side share one. The zero value is ready to be used.
type Pause struct {
	mu sync.Mutex
	// holders is how many keep the others standing still.
	holders int
	// resume is closed when the last of the holders lets the others go on; nil where there are none.
	resume chan struct{}
}

// hold makes the others stand still until release is called.
func (p *Pause) hold() (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.holders++; p.holders == 1 {
		p.resume = make(chan struct{})
	}
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.holders--; p.holders == 0 {
			close(p.resume)
			p.resume = nil
		}
	})
}

// pass returns when nobody has to stand still, or ctx is done.
func (p *Pause) pass(ctx context.Context) {
	p.mu.Lock()
	resume := p.resume
	p.mu.Unlock()
	if resume == nil {
		return
	}
	select {
	case <-resume:
	case <-ctx.Done():
	}
}

// finishing lets an engine that has an answer carry it back and check it, one after the other, while the rest pause: their work would
// most likely be for nothing. They go on when it takes long, since then it may be for something.
type finishing struct {
	turn   sync.Mutex
	others *Pause
}

// begin waits until no one else of the same request finishes, and then keeps the others standing still until end is called or the
// time is over.
func (f *finishing) begin() (end func()) {
	if f == nil {
		return func() {}
	}
	f.turn.Lock()
	release := f.others.hold()
	timer := time.AfterFunc(pauseTime, release)
	return func() {
		timer.Stop()
		release()
		f.turn.Unlock()
	}
}

// gated wraps the opener of an engine's solvers.
func (f *finishing) gated(open smt.Opener) smt.Opener {
	if f == nil {
		return open
	}
	return gated(open, f.others)
}
