package portfolio

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

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
	timer := time.AfterFunc(one.length, func() { h.end(one) })
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-one.over:
		return true
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
