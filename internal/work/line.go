package work

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// grain is how much more than its share one may have before another one works.
const grain = 10 * time.Millisecond

// What is done at a time where others wait is at least leastSlice, and at least what the part has worked so far divided by sliceOfWork.
const (
	leastSlice  = 250 * time.Millisecond
	sliceOfWork = 2
)

// Line lets one of several parts work at a time. Which one does is decided by what they have done: of the groups that have begun, the one
// that is furthest behind its share goes on, and the parts of a group take turns. A line may be part of another one.
type Line struct {
	// outer is the part that the line is of another one; nil for none.
	outer *Part

	mu  sync.Mutex
	now time.Duration
	// groups has those with parts, in the order in which they began.
	groups []*Group
	// working is who has the line; nil while nobody does.
	working *Part
}

// NewLine returns a line, which is a part of another line where outer is not nil.
func NewLine(outer *Part) *Line { return &Line{outer: outer} }

// Group is parts of a line that share a share, and take turns.
type Group struct {
	line *Line
	// Share is how much of the line's work the group has, compared with others.
	share float64
	// pass is the group's work by its share.
	pass time.Duration
	// active says that a part of it has begun, and has not left.
	active bool
	parts  []*Part
}

// Terms are how a part works.
type Terms struct {
	// After is how much the others of its line work before it begins, while any do.
	After time.Duration
	// Turn is how long it works before another part of its group does, and First how long it does so at first; 0 is Turn.
	Turn, First time.Duration
	// Credit is how much it works for the group's share; after that it gets Reduced times that share, unless Reduced is 0, or takes turns
	// with the parts of another group, unless Then is nil.
	Credit  time.Duration
	Reduced float64
	Then    *Group
}

// Part works on a line: one goroutine, and what it calls. A nil one is for work that time bounds: it never waits.
type Part struct {
	group *Group
	terms Terms
	// starts is when it begins, by the line's clock.
	starts time.Duration
	// preferred is how much of its next work counts little for its group and its turn.
	preferred time.Duration
	// made is how many terms there were when the part was last asked what it had made; 0 before that.
	made int
	// wake gets a value when it is the part's turn.
	wake chan struct{}

	// mu guards what follows; the rest is guarded by the line's mutex.
	mu        sync.Mutex
	now       time.Duration
	deadlines []*deadline
	// turn is what it has worked in its turn, and present how long that one is.
	turn, present time.Duration
}

// Group returns a new group of parts with a share; nil where l is nil.
func (l *Line) Group(share float64) *Group {
	if l == nil {
		return nil
	}
	return &Group{line: l, share: share}
}

// Join makes a part, which waits for its turn before it works; nil where g is nil. Parts of one line are made by one that works on it, or
// before any does.
func (g *Group) Join(t Terms) *Part {
	if g == nil {
		return nil
	}
	l := g.line
	l.mu.Lock()
	defer l.mu.Unlock()
	t.First = cmp.Or(t.First, t.Turn)
	p := &Part{group: g, terms: t, present: t.First, starts: l.now + t.After, wake: make(chan struct{}, 1)}
	g.add(p)
	return p
}

// add gives the group a part. The line's lock is held.
func (g *Group) add(p *Part) {
	if len(g.parts) == 0 {
		g.active = false
		g.line.groups = append(g.line.groups, g)
	}
	g.parts = append(g.parts, p)
}

// remove takes a part out of the group, and the group out of the line where it was the last one. The line's lock is held.
func (g *Group) remove(p *Part) {
	g.parts = slices.DeleteFunc(g.parts, func(q *Part) bool { return p == q })
	if len(g.parts) == 0 {
		g.line.groups = slices.DeleteFunc(g.line.groups, func(h *Group) bool { return g == h })
	}
}

// Line returns a line whose work is the part's; nil where p is nil.
func (p *Part) Line() *Line {
	if p == nil {
		return nil
	}
	return NewLine(p)
}

// Begin waits for the part's first turn. The line begins to work with the call of Start.
func (p *Part) Begin() {
	if p != nil {
		<-p.wake
	}
}

// Hurry has the part begin at once, if it has not begun. One that works on the line calls it.
func (p *Part) Hurry() {
	l := p.group.line
	l.mu.Lock()
	defer l.mu.Unlock()
	p.starts = min(p.starts, l.now)
}

// preference is how much more than its share a part works that is preferred.
const preference = 8

// Prefer has the part do so much work, counted from now, before others have done much more: work that is likely to be the last. What is
// left of it when release is called, since it was not the last, is gone. One that works on the line calls both.
func (p *Part) Prefer(work time.Duration) (release func()) {
	set := func(work time.Duration) {
		for q := p; q != nil; q = q.group.line.outer {
			q.group.line.mu.Lock()
			q.preferred = work
			q.group.line.mu.Unlock()
		}
	}
	set(work)
	return func() { set(0) }
}

// Start gives the line to the part that is the first.
func (l *Line) Start() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pass(l.next())
}

// spent is the work that the part has done.
func (p *Part) spent() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// expect adds a deadline.
func (p *Part) expect(d *deadline) {
	p.mu.Lock()
	p.deadlines = append(p.deadlines, d)
	p.mu.Unlock()
	p.expire()
}

func (p *Part) forget(d *deadline) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadlines = slices.DeleteFunc(p.deadlines, func(x *deadline) bool { return x == d })
}
