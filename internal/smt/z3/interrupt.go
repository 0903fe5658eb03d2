package z3

// #include "bridge.h"
import "C"

import (
	"context"
	"sync"
	"time"

	"hornbeam/internal/cputime"
)

// cause is what interrupted a check.
type cause uint8

const (
	nothing cause = iota
	cancelled
	timedOut
)

// watcher interrupts one check.
type watcher struct {
	h *C.hb_context
	z C.Z3_solver

	mu    sync.Mutex
	done  bool
	cause cause
	// quit is closed when the check has returned; running counts the interrupters that have not yet seen it.
	quit    chan struct{}
	running sync.WaitGroup
}

// watched makes a check, which it interrupts when ctx is cancelled or the time limit is over, and returns what fired. It waits until
// nothing can interrupt any more, so that the next check is left alone. Go's timers serve for the limit too: Z3's own timeout costs a
// thread's start and stop for every check, many times a small check, and does not count processor time.
func (s *solver) watched(ctx context.Context, check func()) cause {
	if ctx.Done() == nil && s.limit.Time <= 0 {
		check()
		return nothing
	}
	w := &watcher{h: s.ctx.h, z: s.z, quit: make(chan struct{})}
	stop := func() bool { return true }
	if ctx.Done() != nil {
		stop = context.AfterFunc(ctx, func() { w.interrupt(cancelled) })
	}
	if s.limit.Time > 0 {
		cputime.Within(s.limit.Time, func() { go w.interrupt(timedOut) }, check)
	} else {
		check()
	}
	stop()
	w.mu.Lock()
	w.done = true
	w.mu.Unlock()
	close(w.quit)
	w.running.Wait()
	return w.cause
}

// interrupt interrupts the check until it has returned: Z3 forgets an interrupt that comes before the check has begun.
func (w *watcher) interrupt(why cause) {
	w.mu.Lock()
	if w.done {
		w.mu.Unlock()
		return
	}
	if w.cause == nothing {
		w.cause = why
	}
	w.running.Add(1)
	w.mu.Unlock()
	defer w.running.Done()
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		C.hb_interrupt(w.h, w.z)
		select {
		case <-w.quit:
			return
		case <-time.After(pause):
		}
	}
}
