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

// gated wraps an opener so that checks wait for the gate. What is done between two checks goes on.
func gated(open smt.Opener, g *gate) smt.Opener {
	return aroundChecks(open, func() check {
		return func(ctx context.Context, s smt.Solver, assumptions []*term.Term) (smt.Status, error) {
			g.pass(ctx)
			return s.Check(ctx, assumptions...)
		}
	})
}

// pauseTime is how long the others stand still for one that finishes.
const pauseTime = 2 * time.Second

// pause lets an engine that has an answer carry it back and check it, one after the other, while the rest stand still at
// their next question to a solver: their work would most likely be for nothing. They go on when it takes long, since
// then it may be for something, and the next one that has an answer begins with its own.
type pause struct {
	// finishing has room for the one that finishes.
	finishing chan struct{}
	gate      *gate
}

func newPause() *pause {
	q := &pause{finishing: make(chan struct{}, 1), gate: newGate()}
	q.gate.open()
	return q
}

// begin waits until no one else finishes, or the time of the one that does is over, and then keeps the others paused until end is
// called or the time is over.
func (q *pause) begin() (end func()) {
	if q == nil {
		return func() {}
	}
	q.finishing <- struct{}{}
	q.gate.shut()
	again := sync.OnceFunc(func() {
		q.gate.open()
		<-q.finishing
	})
	timer := time.AfterFunc(pauseTime, again)
	return func() {
		timer.Stop()
		again()
	}
}

// gated wraps the opener of an engine's solvers.
func (q *pause) gated(open smt.Opener) smt.Opener {
	if q == nil {
		return open
	}
	return gated(open, q.gate)
}
