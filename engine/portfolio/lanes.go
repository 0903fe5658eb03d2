package portfolio

import (
	"context"
	"slices"
	"sync"
	"time"

	"hornbeam/chc/transform"
	"hornbeam/engine"
)

// Auto names the portfolio: the lanes that fit the system's theories, side by side.
const Auto = "auto"

// AutoDoc says what the portfolio does.
const AutoDoc = "Runs the lanes that fit the clauses' theories side by side, each with its own preprocessing, and takes the first " +
	"checked answer: the prover alone for linear clauses over numbers. The default."

// lane is one way to decide a system.
type lane struct {
	name   string
	engine engine.Engine
	passes []transform.Pass
}

// course is the lanes of a request. The main lane runs from the beginning to the end. Beside it, from after on or from
// when the main lane gave up, the others take turns: each gets slice, and when all have had their turn those that did
// not give up by themselves begin again with slices three times as long; the last one left gets all the time. So never
// more than two are at work, and a lane that needs little is not kept waiting long by one that needs much. Lanes share
// nothing but the term pool, the statistics, which then count all of them together, and the log.
type course struct {
	main   lane
	others []lane
	after  time.Duration
	slice  time.Duration
}

// run returns the first verdict; without one, a fault if any lane had one, and else what the main lane said.
func (c course) run(ctx context.Context, req Request) engine.Answer {
	if len(c.others) == 0 {
		return c.main.solve(ctx, req)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req.Stats.Set("lanes", int64(1+len(c.others)))
	if req.Events != nil {
		req.Events = &sharedSink{sink: req.Events}
	}
	mainEnded := make(chan struct{})
	main, turns := make(chan engine.Answer, 1), make(chan engine.Answer, 1)
	go func() {
		main <- c.main.solve(ctx, req)
		close(mainEnded)
	}()
	go func() { turns <- c.takeTurns(ctx, req, mainEnded) }()
	var best engine.Answer
	for range 2 {
		var a engine.Answer
		select {
		case a = <-main:
			if best.Verdict == engine.Unknown && !best.Internal {
				best = a
			}
		case a = <-turns:
			if best.Verdict == engine.Unknown && (a.Verdict != engine.Unknown || a.Internal) {
				best = a
			}
		}
		if a.Verdict != engine.Unknown {
			cancel()
		}
	}
	return best
}

// takeTurns runs the other lanes; it returns the first verdict, or else the last fault, or else an empty answer.
func (c course) takeTurns(ctx context.Context, req Request, mainEnded <-chan struct{}) (fault engine.Answer) {
	select {
	case <-ctx.Done():
		return fault
	case <-mainEnded:
	case <-time.After(c.after):
	}
	lanes := c.others
	for slice := c.slice; len(lanes) > 0; slice *= 3 {
		var left []lane
		for _, l := range lanes {
			turn, stop := ctx, context.CancelFunc(func() {})
			if len(lanes) > 1 { // there is someone to wait
				turn, stop = context.WithTimeout(ctx, slice)
			}
			a := l.solve(turn, req)
			stopped := turn.Err() != nil
			stop()
			switch {
			case a.Verdict != engine.Unknown:
				return a
			case ctx.Err() != nil:
				return fault
			case a.Internal:
				fault = a
			case stopped:
				left = append(left, l)
			}
		}
		lanes = left
	}
	return fault
}

// solve runs the lane's passes and engine on the request.
func (l lane) solve(ctx context.Context, req Request) engine.Answer {
	if shared, ok := req.Events.(*sharedSink); ok && shared.Enabled() {
		req.Events = laneSink{shared, l.name}
	}
	return solve(ctx, req, l.engine, l.passes)
}

// sharedSink lets several lanes write to one sink.
type sharedSink struct {
	mu   sync.Mutex
	sink engine.Sink
}

// Enabled reports whether anyone reads the events.
func (s *sharedSink) Enabled() bool { return s.sink != nil && s.sink.Enabled() }

// Emit writes an event.
func (s *sharedSink) Emit(e engine.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Emit(e)
}

// laneSink marks a lane's events with its name.
type laneSink struct {
	*sharedSink
	lane string
}

// Emit writes the event with the lane's name as its last field.
func (s laneSink) Emit(e engine.Event) {
	e.Fields = append(slices.Clip(e.Fields), engine.Field{Name: "lane", Value: s.lane})
	s.sharedSink.Emit(e)
}
