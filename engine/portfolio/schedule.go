package portfolio

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"hornbeam/engine"
	"hornbeam/internal/cputime"
	"hornbeam/internal/work"
)

// Auto names the portfolio: the strategies that fit the system's theories, side by side.
const Auto = "auto"

// AutoDoc says what the portfolio does.
const AutoDoc = "Runs the prover and the hunter on the same clauses at once, which tell each other what they learn, and beside them the strategies " +
	"that fit the clauses' theories, each with its own preprocessing; takes the first checked answer. The default."

// schedule is the strategies of a request. The main strategy runs from the beginning to the end, or takes turns with the others when it
// has worked for a while. Beside it, each from its start on or from when the main strategy gave up, the others take turns: each gets
// slice, of processor time, and is then paused, at its next question to a solver, while the rest have theirs; the last one left gets all
// the time. So a strategy that needs little is not kept waiting long by one that needs much. Strategies share the term pool, what the
// main one's passes make, the statistics, which then count all of them together, and the log.
type schedule struct {
	main   strategy
	others []strategy
	slice  time.Duration
}

// run returns the first verdict; without one, a fault if any strategy had one, and else what the main strategy said.
func (c schedule) run(ctx context.Context, req Request) engine.Answer {
	if len(c.others) > 0 {
		req.Stats.Set("strategies", int64(1+len(c.others)))
		if req.Events != nil {
			req.Events = &sharedSink{sink: req.Events}
		}
	}
	switch {
	case work.Of(ctx) != nil:
		return c.inTurns(ctx, req)
	case len(c.others) == 0:
		return c.main.solve(ctx, req)
	}
	c.main.main, req.prepared = true, newPrepared(slices.Concat(req.First, c.main.passes))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	main, others := make(chan engine.Answer, 1), make(chan engine.Answer, 1)
	mainEnded := make(chan struct{})
	var turns Turns
	go func() {
		own := req.in(c.main)
		defer own.Stats.End()
		if c.main.alone > 0 {
			turn := turns.JoinLater(cmp.Or(c.main.slice, c.slice), c.main.alone)
			defer turn.Leave()
			own = turn.Of(own)
		}
		main <- c.main.solve(ctx, own)
		close(mainEnded)
	}()
	go func() { others <- c.takeTurns(ctx, req, &turns, mainEnded) }()
	var best engine.Answer
	var won time.Time
	for range 2 {
		var a engine.Answer
		select {
		case a = <-main:
			if best.Verdict == engine.Unknown && !best.Internal {
				best = a
			}
		case a = <-others:
			if best.Verdict == engine.Unknown && (a.Verdict != engine.Unknown || a.Internal) {
				best = a
			}
		}
		if a.Verdict != engine.Unknown && won.IsZero() {
			won = time.Now()
			cancel()
		}
	}
	if !won.IsZero() {
		req.Stats.AddTime("time.stopping", time.Since(won))
	}
	return best
}

// in returns the request as a strategy sees it, whose part of the statistics is to be ended.
func (r Request) in(l strategy) Request {
	r.Events = marked(r.Events, "strategy", l.name)
	r.Stats = r.Stats.Part(l.name)
	return r
}

// takeTurns runs the other strategies; it returns the first verdict, or else the last fault, or else an empty answer.
func (c schedule) takeTurns(ctx context.Context, req Request, turns *Turns, mainEnded <-chan struct{}) (best engine.Answer) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	ended := make(chan engine.Answer, len(c.others))
	watch := cputime.Start()
	// The line is in the order of the starts, whatever order clocks end in.
	byStart := slices.Clone(c.others)
	slices.SortStableFunc(byStart, func(a, b strategy) int { return cmp.Compare(a.start, b.start) })
	started := 0
	for _, l := range byStart {
		waitFor(ctx, watch, l.start, mainEnded)
		if ctx.Err() != nil {
			break
		}
		length := cmp.Or(l.slice, c.slice)
		turn := turns.JoinBriefly(cmp.Or(l.first, length), length)
		started++
		running.Go(func() {
			defer turn.Leave()
			var a engine.Answer
			if turn.Wait(ctx); ctx.Err() == nil {
				a = l.solve(ctx, turn.Of(req.in(l)))
			}
			if a.Verdict != engine.Unknown {
				cancel()
			}
			ended <- a
		})
	}
	for range started {
		if a := <-ended; best.Verdict == engine.Unknown && (a.Verdict != engine.Unknown || a.Internal) {
			best = a
		}
	}
	return best
}
