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
	"checked answer: the prover alone for arithmetic. The default."

// lane is one way to decide a system. The lanes of a request run side by side and share nothing but the term pool, the
// statistics, which then count all of them together, and the log.
type lane struct {
	name   string
	engine engine.Engine
	passes []transform.Pass
	// after is how long the lanes before it are left alone.
	after time.Duration
}

// runLanes runs the lanes, each of which begins when its time has come or when no other is at work, until one of them
// gives a verdict or all have given up. The answer is the first verdict; without one it is a fault if any lane had one,
// and else what the first lane said.
func runLanes(ctx context.Context, req Request, lanes []lane) engine.Answer {
	if len(lanes) == 1 {
		return solve(ctx, req, lanes[0].engine, lanes[0].passes)
	}
	ctx, cancel := context.WithCancel(ctx)
	req.Stats.Set("lanes", int64(len(lanes)))
	shared := &sharedSink{sink: req.Events}
	type result struct {
		lane   int
		answer engine.Answer
	}
	results := make(chan result, len(lanes))
	start := time.Now()
	launch := func(i int) {
		own := req
		if shared.Enabled() {
			own.Events = laneSink{shared, lanes[i].name}
		}
		go func() { results <- result{i, solve(ctx, own, lanes[i].engine, lanes[i].passes)} }()
	}
	answers := make([]engine.Answer, len(lanes))
	var decided *engine.Answer
	launched, running := 0, 0
	for running > 0 || (decided == nil && launched < len(lanes)) {
		var next <-chan time.Time
		if decided == nil && launched < len(lanes) {
			wait := max(0, lanes[launched].after-time.Since(start))
			if running == 0 {
				wait = 0
			}
			next = time.After(wait)
		}
		select {
		case <-next:
			launch(launched)
			launched++
			running++
		case r := <-results:
			running--
			answers[r.lane] = r.answer
			if r.answer.Verdict != engine.Unknown && decided == nil {
				decided = &r.answer
				cancel()
			}
		}
	}
	cancel()
	if decided != nil {
		return *decided
	}
	if i := slices.IndexFunc(answers, func(a engine.Answer) bool { return a.Internal }); i >= 0 {
		return answers[i]
	}
	return answers[0]
}

// sharedSink lets several lanes write to one sink.
type sharedSink struct {
	mu   sync.Mutex
	sink engine.Sink
}

// Enabled reports whether anyone reads the events.
func (s *sharedSink) Enabled() bool { return s.sink != nil && s.sink.Enabled() }

// laneSink marks a lane's events with its name.
type laneSink struct {
	*sharedSink
	lane string
}

// Emit writes the event with the lane's name as its last field.
func (s laneSink) Emit(e engine.Event) {
	e.Fields = append(slices.Clip(e.Fields), engine.Field{Name: "lane", Value: s.lane})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Emit(e)
}
