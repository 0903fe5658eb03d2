package portfolio

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"hornbeam/internal/cputime"
	"hornbeam/internal/work"
)

// headStarts are what some members of a strategy have before others. A head start ends early when nobody has it who works.
type headStarts struct {
	mu      sync.Mutex
	working int
	waiting []*headStart
}

// headStart is that of the others before one member.
type headStart struct {
	length time.Duration
	over   chan struct{}
}

// join adds a member. All join before any waits.
func (h *headStarts) join(length time.Duration) *headStart {
	one := &headStart{length: length, over: make(chan struct{})}
	if length > 0 {
		h.waiting = append(h.waiting, one)
	} else {
		h.working++
		close(one.over)
	}
	return one
}

// wait returns when a head start is over. It reports whether that was before ctx was done. Where work is counted, whoever works has
// waited for it already.
func (h *headStarts) wait(ctx context.Context, one *headStart) bool {
	if work.Of(ctx) != nil {
		h.end(one)
		return true
	}
	waitFor(ctx, cputime.Start(), one.length, one.over)
	if ctx.Err() != nil {
		return false
	}
	h.end(one)
	return true
}

// waitFor returns when the process has worked so long since the watch was started, or over is closed, or ctx is done.
func waitFor(ctx context.Context, watch cputime.Stopwatch, length time.Duration, over <-chan struct{}) {
	for left := watch.Left(length); left > 0; left = watch.Left(length) {
		select {
		case <-ctx.Done():
			return
		case <-over:
			return
		case <-time.After(left):
		}
	}
}

// end ends a head start, if it is not over.
func (h *headStarts) end(one *headStart) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.waiting, one); i >= 0 {
		h.begin(i)
	}
}

// leave says that a member which worked has ended. Of those that wait while nobody works, the one goes on that would be the next.
func (h *headStarts) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.working--; h.working > 0 || len(h.waiting) == 0 {
		return
	}
	next := slices.MinFunc(h.waiting, func(a, b *headStart) int { return cmp.Compare(a.length, b.length) })
	h.begin(slices.Index(h.waiting, next))
}

// begin ends the head start before one of those that wait. The lock is held.
func (h *headStarts) begin(i int) {
	close(h.waiting[i].over)
	h.waiting = slices.Delete(h.waiting, i, i+1)
	h.working++
}
