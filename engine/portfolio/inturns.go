package portfolio

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"hornbeam/engine"
	"hornbeam/internal/work"
)

// The shares of those that work in turns. They are first guesses: no others were measured.
const (
	// othersShare is that of all strategies but the main one, which has 1.
	othersShare = 1.0
	// helperShare is that of each engine of a strategy but the first, which has 1.
	helperShare = 0.5
	// backgroundShare is what is left of its share to a background engine when it has had its first part.
	backgroundShare = 0.2
)

// waiting is what counts as work each time that one lets others work that it waits for.
const waiting = 20 * time.Millisecond

func shareOf(member int) float64 {
	if member == 0 {
		return 1
	}
	return helperShare
}

// terms are how a member works in turns.
func (m member) terms() work.Terms {
	t := work.Terms{After: m.after, Credit: m.first}
	if m.background {
		t.Reduced = backgroundShare
	}
	return t
}

// inTurns is run where the same request is to have the same answer: the strategies work one at a time, and so do the engines of each,
// in an order that the work of their solvers decides.
func (c schedule) inTurns(ctx context.Context, req Request) engine.Answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line := work.Of(ctx).Line()
	type report struct {
		main bool
		engine.Answer
	}
	reports := make(chan report, 1+len(c.others))
	// won is the strategy that has the answer. The others end at once, not only when all of its engines have had the turns in which they
	// notice that they are to stop.
	var won atomic.Pointer[string]
	begin := func(s strategy, part *work.Part, isMain bool) {
		go func() {
			part.Begin()
			part.Resume(req.System.Pool)
			defer part.Leave()
			own := req
			if len(c.others) > 0 {
				own = req.in(s)
				defer own.Stats.End()
			}
			own.decided = func() {
				won.CompareAndSwap(nil, &s.name)
				cancel()
			}
			a := s.solve(work.With(ctx, part), own)
			if a.Verdict != engine.Unknown {
				own.decided()
			}
			reports <- report{isMain, a}
		}()
	}
	others := line.Group(othersShare)
	turn := func(s strategy) time.Duration { return cmp.Or(s.slice, c.slice) }
	terms := work.Terms{After: c.main.start, Turn: turn(c.main)}
	if c.main.alone > 0 {
		terms.Credit, terms.Then = c.main.alone, others
	}
	begin(c.main, line.Group(1).Join(terms), true)
	for _, s := range c.others {
		group := others
		if s.share > 0 {
			group = line.Group(s.share)
		}
		begin(s, group.Join(work.Terms{After: s.start, Turn: turn(s), First: s.first}), false)
	}
	line.Start()
	var best engine.Answer
	for range 1 + len(c.others) {
		r := <-reports
		if winner := won.Load(); winner != nil && r.Verdict != engine.Unknown && r.Strategy != *winner {
			continue
		}
		if best.Verdict == engine.Unknown && (r.Verdict != engine.Unknown || !best.Internal && (r.Internal || r.main)) {
			best = r.Answer
		}
	}
	return best
}
