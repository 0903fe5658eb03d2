package verify

import (
	"slices"
	"sync"
	"time"

	"hornbeam/engine/portfolio"
)

// turn is how long a strategy works before the next one does, of those that take turns.
const turn = 2 * time.Second

// turns lets one strategy of several work at a time: as many representations of a program as there is time for share the
// machine with the first one as if they were one.
type turns struct {
	// length is how long a turn is.
	length time.Duration

	mu sync.Mutex
	// gates are those of the strategies that run; the first one is open.
	gates []*portfolio.Gate
	// next ends the turn of the first; nil where there is only one.
	next *time.Timer
}

// join returns the gate of a strategy that begins.
func (t *turns) join() *portfolio.Gate {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := portfolio.NewGate()
	t.gates = append(t.gates, g)
	if len(t.gates) == 1 {
		g.Open()
	}
	t.arm()
	return g
}

// leave ends the turns of a strategy.
func (t *turns) leave(g *portfolio.Gate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.gates, g)
	t.gates = slices.Delete(t.gates, i, i+1)
	if i == 0 && len(t.gates) > 0 {
		t.gates[0].Open()
	}
	t.arm()
}

// arm sees to it that a turn ends when others wait. The lock is held.
func (t *turns) arm() {
	switch {
	case len(t.gates) < 2 && t.next != nil:
		t.next.Stop()
		t.next = nil
	case len(t.gates) > 1 && t.next == nil:
		t.next = time.AfterFunc(t.length, t.rotate)
	}
}

// rotate gives the turn to the strategy that has waited longest.
func (t *turns) rotate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = nil
	if len(t.gates) < 2 {
		return
	}
	first := t.gates[0]
	first.Shut()
	t.gates = append(t.gates[1:], first)
	t.gates[0].Open()
	t.arm()
}
