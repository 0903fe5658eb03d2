package portfolio

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/internal/work"
)

// strategy is one way to decide a system: preprocessing, and engines that work on what it makes, all at once.
type strategy struct {
	name   string
	passes []transform.Pass
	// changes names the passes that must change the system for the strategy to be worth a try.
	changes []string
	members []member
	// start is how long the main strategy has worked when this one begins; that of the main one is how long others have, where work is
	// counted.
	start time.Duration
	// slice is how long its turns are, 0 standing for those of the schedule.
	slice time.Duration
	// first is how long its first turn is, 0 standing for as long as the others.
	first time.Duration
	// alone is the processor time after which the main strategy takes turns with the others; 0 says that it never does.
	alone time.Duration
	// share is what a strategy has beside the main one and those that take turns, which have 1 each; 0 says that it takes turns.
	share float64
	// main says that it is the main strategy of a schedule, whose preprocessing the others share.
	main bool
}

// member is an engine in a strategy.
type member struct {
	engine engine.Engine
	// after is the head start that the others have. It ends early when all of them that have begun are done without an answer.
	after time.Duration
	// background members leave the processor to whoever else wants it, as far as inBackground goes.
	background bool
	// first is how long a background member works before it does so.
	first time.Duration
	// limit is how long the member works at most; 0 is no limit.
	limit time.Duration
	// options are settings that hold unless the request says otherwise.
	options map[string]string
}

// single is a strategy with one engine.
func single(name string, e engine.Engine, passes []transform.Pass) strategy {
	return strategy{name: name, passes: passes, members: []member{{engine: e}}}
}

// solve runs the strategy's passes and engines on the request. It returns the first verdict, and else the last fault, or
// what the first engine said. Nothing of it is left behind.
func (l strategy) solve(ctx context.Context, req Request) engine.Answer {
	a := l.decide(ctx, req)
	a.Strategy = l.name
	return a
}

func (l strategy) decide(ctx context.Context, req Request) engine.Answer {
	if req.Log == nil {
		req.Log = slog.New(slog.DiscardHandler)
	}
	if req.CheckOpen == nil {
		req.CheckOpen = req.Open
	}
	req.Open, req.CheckOpen = metered(req.Open, req.Stats), metered(req.CheckOpen, req.Stats)
	first := run{Request: req, engine: l.members[0].engine}
	t, err := first.prepare(ctx, l)
	if err != nil {
		a := first.failure(ctx, err)
		a.Engine = first.engine.Name
		return a
	}
	if i := slices.IndexFunc(l.changes, func(pass string) bool { return !t.changed[pass] }); i >= 0 {
		return engine.Answer{Engine: first.engine.Name, Reason: fmt.Sprintf("the pass %s does not change the clauses", l.changes[i])}
	}
	if len(l.members) == 1 {
		return l.members[0].solve(ctx, req, t)
	}
	return l.together(ctx, req, t)
}

// together runs the engines on the preprocessed system until one has a checked answer.
func (l strategy) together(ctx context.Context, req Request, t *transformed) engine.Answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.exchange = engine.NewExchange(t.system)
	if _, several := req.Events.(markedSink); !several && req.Events != nil {
		req.Events = &sharedSink{sink: req.Events}
	}
	type report struct {
		index int
		engine.Answer
	}
	reports := make(chan report, len(l.members))
	line := work.Of(ctx).Line()
	var heads headStarts
	starts := make([]*headStart, len(l.members))
	for i, m := range l.members {
		starts[i] = heads.join(m.after)
	}
	for i, m := range l.members {
		own := req
		own.Events = marked(req.Events, "engine", m.engine.Name)
		part := line.Group(shareOf(i)).Join(m.terms())
		go func() {
			part.Begin()
			part.Resume(req.System.Pool)
			defer part.Leave()
			a := engine.Answer{Engine: m.engine.Name}
			if heads.wait(ctx, starts[i]) {
				a = m.solve(work.With(ctx, part), own, t)
				if a.Verdict != engine.Unknown {
					cancel()
					if req.decided != nil {
						req.decided()
					}
				}
				heads.leave()
			} else {
				a.Reason = EndReason(ctx)
			}
			reports <- report{i, a}
		}()
	}
	line.Start()
	answers := make([]engine.Answer, len(l.members))
	verdict, won := -1, time.Time{}
	for range l.members {
		r := <-reports
		answers[r.index] = r.Answer
		if r.Verdict != engine.Unknown && verdict < 0 {
			verdict, won = r.index, time.Now()
		}
	}
	if verdict >= 0 {
		req.Stats.AddTime("time.stopping", time.Since(won))
		return answers[verdict]
	}
	if i := slices.IndexFunc(answers, func(a engine.Answer) bool { return a.Internal }); i >= 0 {
		return answers[i]
	}
	return answers[0]
}

// limited returns the context of the member's work.
func (m member) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if m.limit == 0 {
		return ctx, func() {}
	}
	return work.WithTimeout(ctx, m.limit)
}

// solve runs the member's engine.
func (m member) solve(ctx context.Context, req Request, t *transformed) engine.Answer {
	if len(m.options) > 0 {
		options := maps.Clone(m.options)
		maps.Copy(options, req.Options)
		req.Options = options
	}
	if m.background && work.Of(ctx) == nil {
		req.Open = inBackground(req.Open, m.after, m.first)
	}
	r := run{Request: req, engine: m.engine}
	ctx, stop := m.limited(ctx)
	defer stop()
	return r.attempt(ctx, t)
}

// take takes what translating guards. Where work is counted, whoever has it may be waiting for its turn, which comes when this one has
// worked.
func (t *transformed) take(ctx context.Context) {
	if work.Of(ctx) == nil {
		t.translating.Lock()
		return
	}
	for !t.translating.TryLock() {
		work.Spend(ctx, waiting)
	}
}

// translate carries a witness back.
func (t *transformed) translate(ctx context.Context, found engine.Answer) (engine.Answer, error) {
	t.take(ctx)
	defer t.translating.Unlock()
	out := found
	var err error
	if found.Verdict == engine.Sat {
		out.Model, err = t.back.Model(ctx, found.Model)
	} else if out.Refutation, err = t.back.Refutation(ctx, found.Refutation); err == nil {
		out.Refutation = out.Refutation.Prune()
	}
	return out, err
}
