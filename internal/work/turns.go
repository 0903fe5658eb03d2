package work

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Spend counts work of the part, which has the line, ends the contexts whose deadlines that passes, and returns when it is the part's
// turn again.
func (p *Part) Spend(work time.Duration) {
	p.count(work)
	l := p.group.line
	l.mu.Lock()
	if next := l.next(); l.yields(p, next) {
		l.pass(next)
		l.mu.Unlock()
		<-p.wake
	} else {
		l.mu.Unlock()
	}
	if l.outer != nil {
		l.outer.Spend(work)
	}
}

// count counts work on the part's own line.
func (p *Part) count(work time.Duration) {
	p.mu.Lock()
	p.now += work
	p.mu.Unlock()
	p.expire()
	l := p.group.line
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count(p, work)
}

// Count counts work as Spend does, but the part goes on until it spends more: what follows is short, and may end the work of all.
func (p *Part) Count(work time.Duration) {
	for q := p; q != nil; q = q.group.line.outer {
		q.count(work)
	}
}

// Slice is how much work at a time the part may do without a call of Spend, so that others do not wait for long, compared with what it has
// worked; 0 where there are no others, on its line and those around it.
func (p *Part) Slice() time.Duration {
	slice := max(leastSlice, p.terms.Turn/10, p.spent()/sliceOfWork)
	for q := p; q != nil; q = q.group.line.outer {
		if q.group.line.shared() {
			return slice
		}
	}
	return 0
}

// shared reports whether more than one part is on the line.
func (l *Line) shared() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.groups) > 1 || len(l.groups) == 1 && len(l.groups[0].parts) > 1
}

// Leave takes the part, which has the line, out of it.
func (p *Part) Leave() {
	if p == nil {
		return
	}
	l := p.group.line
	l.mu.Lock()
	defer l.mu.Unlock()
	p.group.remove(p)
	l.working = nil
	l.pass(l.next())
}

// expire ends the contexts whose deadlines have passed.
func (p *Part) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadlines = slices.DeleteFunc(p.deadlines, func(d *deadline) bool {
		if d.at > p.now {
			return false
		}
		d.cancel(context.DeadlineExceeded)
		return true
	})
}

// count adds work of the part to the line's clock, its group's and its turn. The lock is held.
func (l *Line) count(p *Part, work time.Duration) {
	l.now += work
	preferred := min(work, p.preferred)
	p.preferred -= preferred
	work -= preferred - preferred/preference
	share := p.group.share
	if p.terms.Reduced > 0 && p.now > p.terms.Credit {
		share *= p.terms.Reduced
	}
	p.group.pass += time.Duration(float64(work) / share)
	if then := p.terms.Then; then != nil && p.now > p.terms.Credit && p.group != then {
		p.group.remove(p)
		p.group = then
		then.add(p)
		p.turn = 0
		return
	}
	if p.turn += work; p.turn >= p.present && len(p.group.parts) > 1 {
		p.turn, p.present = 0, p.terms.Turn
		g := p.group
		g.parts = append(slices.DeleteFunc(g.parts, func(q *Part) bool { return p == q }), p)
	}
}

// next returns the part that is to work, nil for none: the first one that has begun of the group that is furthest behind. Where no part
// has begun, time passes until one does. The lock is held.
func (l *Line) next() *Part {
	var all []*Part
	for _, g := range l.groups {
		all = append(all, g.parts...)
	}
	if len(all) == 0 {
		return nil
	}
	l.now = max(l.now, slices.MinFunc(all, func(a, b *Part) int { return cmp.Compare(a.starts, b.starts) }).starts)
	l.begin()
	var best *Group
	var part *Part
	for _, g := range l.groups {
		i := slices.IndexFunc(g.parts, func(p *Part) bool { return p.starts <= l.now })
		if i >= 0 && (best == nil || g.pass < best.pass) {
			best, part = g, g.parts[i]
		}
	}
	return part
}

// begin gives groups that have nobody who works until now the place of the one that is furthest behind, so that they have nothing to
// catch up with. The lock is held.
func (l *Line) begin() {
	var behind time.Duration
	found := false
	for _, g := range l.groups {
		if g.active && (!found || g.pass < behind) {
			behind, found = g.pass, true
		}
	}
	for _, g := range l.groups {
		active := slices.ContainsFunc(g.parts, func(p *Part) bool { return p.starts <= l.now })
		if active && !g.active {
			g.pass = max(g.pass, behind)
		}
		g.active = active
	}
}

// yields reports whether p, which works, makes way for next. The lock is held.
func (l *Line) yields(p, next *Part) bool {
	switch {
	case next == nil || next == p:
		return false
	case next.group == p.group:
		return true
	default:
		return p.group.pass-next.group.pass > grain
	}
}

// pass lets a part work. The lock is held.
func (l *Line) pass(p *Part) {
	if l.working = p; p != nil {
		p.wake <- struct{}{}
	}
}
