package portfolio

import (
	"context"
	"slices"
	"sync"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/cputime"
	"hornbeam/internal/smt"
)

// patience is how many times as long as a turn it may take on a machine that is busy.
const patience = 3

// Turns lets one of several work at a time, each until its turn is over and then again when the others have had theirs. The zero
// value is ready to be used.
type Turns struct {
	mu sync.Mutex
	// line has those who take turns; the gate of the first is open.
	line []*Turn
	// ends is when the turn of the first one is over; nil where nobody waits.
	ends *time.Timer
}

// Turn is the place of one of those who take turns.
type Turn struct {
	turns *Turns
	gate  *gate
	// length is the processor time of a turn, and present that of the present one, which used tells how much of it its solvers took
	// since it began, or since others came to wait for its end.
	length, present, used time.Duration
	// alone is what its solvers may still take before it takes its place in the line.
	alone time.Duration
}

// Join takes a place at the end of the line, for turns of a length: so much processor time in solvers, or patience times as much
// time in all. On a busy machine a turn that counted all time would end before the work that it is for.
func (t *Turns) Join(length time.Duration) *Turn { return t.JoinBriefly(length, length) }

// JoinBriefly is Join with another length of the first turn.
func (t *Turns) JoinBriefly(first, length time.Duration) *Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := &Turn{turns: t, gate: newGate(), length: length, present: first}
	t.enter(one)
	return one
}

// JoinLater is Join for one that works beside those in the line until its solvers have taken a processor time.
func (t *Turns) JoinLater(length, alone time.Duration) *Turn {
	one := &Turn{turns: t, gate: newGate(), length: length, present: length, alone: alone}
	one.gate.open()
	return one
}

// enter puts one with a shut gate at the end of the line. The lock is held.
func (t *Turns) enter(one *Turn) {
	t.line = append(t.line, one)
	switch len(t.line) {
	case 1:
		one.gate.open()
	case 2:
		t.arm()
	}
}

// Leave gives the place up.
func (o *Turn) Leave() {
	t := o.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	if o.alone > 0 {
		o.alone = 0
		return
	}
	i := slices.Index(t.line, o)
	t.line = slices.Delete(t.line, i, i+1)
	switch {
	case i == 0:
		t.begin()
	case len(t.line) == 1:
		t.arm()
	}
}

// Wait returns when it is the turn of o, or ctx is done.
func (o *Turn) Wait(ctx context.Context) { o.gate.pass(ctx) }

// Of is a request whose solvers wait for the turns of o. Whoever has a witness need not wait to have it checked.
func (o *Turn) Of(req Request) Request {
	if req.CheckOpen == nil {
		req.CheckOpen = req.Open
	}
	req.Open = gated(timed(req.Open, o.use), o.gate)
	return req
}

// use counts the processor time of a check or a model.
func (o *Turn) use(spent time.Duration) {
	t := o.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	if o.alone > 0 {
		if o.alone -= spent; o.alone <= 0 {
			o.gate.shut()
			t.enter(o)
		}
		return
	}
	if o.used += spent; o.used >= o.present {
		t.end(o)
	}
}

// begin begins the turn of the first in the line. The lock is held.
func (t *Turns) begin() {
	if len(t.line) > 0 {
		t.line[0].gate.open()
	}
	t.arm()
}

// arm begins to count the turn of the first if others wait. The lock is held.
func (t *Turns) arm() {
	if t.ends != nil {
		t.ends.Stop()
		t.ends = nil
	}
	if len(t.line) > 1 {
		first := t.line[0]
		first.used = 0
		t.ends = time.AfterFunc(patience*first.present, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.end(first)
		})
	}
}

// end ends a turn. The lock is held.
func (t *Turns) end(first *Turn) {
	if len(t.line) < 2 || t.line[0] != first {
		return // it has ended since
	}
	first.gate.shut()
	first.present = first.length
	t.line = append(t.line[1:], first)
	t.begin()
}

// timed wraps an opener so that the processor time of each check and of each model is told.
func timed(open smt.Opener, spent func(time.Duration)) smt.Opener {
	timedCheck := func(ctx context.Context, s smt.Solver, assumptions []*term.Term) (status smt.Status, err error) {
		spent(cputime.Of(func() { status, err = s.Check(ctx, assumptions...) }))
		return status, err
	}
	timedModel := func(s smt.Solver) (m *smt.Model, err error) {
		spent(cputime.Of(func() { m, err = s.Model() }))
		return m, err
	}
	return around(open, func() (check, model) { return timedCheck, timedModel })
}
