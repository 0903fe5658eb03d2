package portfolio

import (
	"context"
	"sync"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// Gate makes whoever asks solvers stand still while it is shut. It is shut at first.
type Gate struct {
	mu sync.Mutex
	// opened is closed while the gate is open.
	opened chan struct{}
}

// NewGate returns a gate that is shut.
func NewGate() *Gate { return &Gate{opened: make(chan struct{})} }

// Open lets everyone pass, also those who wait. The gate is shut before.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.opened)
}

// Shut makes everyone wait who comes from now on. The gate is open before.
func (g *Gate) Shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = make(chan struct{})
}

// Pass returns when the gate is open or ctx is done.
func (g *Gate) Pass(ctx context.Context) {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	select {
	case <-opened:
	case <-ctx.Done():
	}
}

// Gated wraps an opener so that checks wait for the gate. What is done between two checks goes on.
func Gated(open smt.Opener, g *Gate) smt.Opener {
	return aroundChecks(open, func() check {
		return func(ctx context.Context, s smt.Solver, assumptions []*term.Term) (smt.Status, error) {
			g.Pass(ctx)
			return s.Check(ctx, assumptions...)
		}
	})
}

// pauseTime is how long the others stand still for one that finishes.
const pauseTime = 2 * time.Second

// pause lets an engine that has an answer carry it back and check it, one after the other, while the rest stand still at
// their next question to a solver: their work would most likely be for nothing. They go on when it takes long, since
// then it may be for something.
type pause struct {
	finishing sync.Mutex
	gate      *Gate
}

func newPause() *pause {
	q := &pause{gate: NewGate()}
	q.gate.Open()
	return q
}

// begin waits until no one else finishes, and then keeps the others pause until end is called or the time is over.
func (q *pause) begin() (end func()) {
	if q == nil {
		return func() {}
	}
	q.finishing.Lock()
	q.gate.Shut()
	again := sync.OnceFunc(q.gate.Open)
	timer := time.AfterFunc(pauseTime, again)
	return func() {
		timer.Stop()
		again()
		q.finishing.Unlock()
	}
}

// gated wraps the opener of an engine's solvers.
func (q *pause) gated(open smt.Opener) smt.Opener {
	if q == nil {
		return open
	}
	return Gated(open, q.gate)
}
