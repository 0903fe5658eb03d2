package indices

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/transform/expand"
	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// loop is one run of the engine.
type loop struct {
	engine.Settings
	options
	source  *chc.System
	inner   engine.Inner
	start   time.Time
	context smt.Context
	tracked *expand.Tracked
	// accessed are the elements that derivations have accessed.
	accessed map[expand.Index]bool
}

func newLoop(sys *chc.System, s engine.Settings, o options, inner engine.Inner) (*loop, error) {
	l := &loop{
		Settings: s, options: o, source: sys, inner: inner, start: time.Now(), tracked: expand.NewTracked(sys), accessed: map[expand.Index]bool{},
	}
	var err error
	if l.context, err = s.Open(sys.Pool, smt.Config{Seed: s.Seed}); err != nil {
		return nil, fmt.Errorf("opening a solver: %w", err)
	}
	l.Stats.Set("indices.arrays", int64(l.tracked.Arrays()))
	return l, nil
}

func (l *loop) close() { l.context.Close() }

// run solves the clauses over the elements that are tracked, and ends with a model or a refutation that holds on the arrays; or it
// tracks more elements, so that the refutation is none any more.
func (l *loop) run(ctx context.Context) (engine.Answer, error) {
	for {
		a, err := l.tracked.Abstract(ctx)
		if err != nil {
			return engine.Answer{}, err
		}
		l.Stats.Add("indices.rounds", 1)
		l.emit("encoding", engine.Field{Name: "indices", Value: l.tracked.Indices()})
		found, err := l.inner(ctx, a.System)
		switch {
		case err != nil:
			return engine.Answer{}, fmt.Errorf("solving the clauses over elements: %w", err)
		case ctx.Err() != nil:
			return engine.Answer{}, ctx.Err()
		case found.Model != nil:
			m, err := a.Model(ctx, found.Model)
			return engine.Answer{Verdict: engine.Sat, Model: m}, err
		case found.Refutation == nil:
			return engine.Answer{Reason: "indices: the clauses over elements were not decided: " + found.Reason}, nil
		}
		if answer, err := l.derivation(ctx, a, found.Refutation); err != nil || answer.Verdict != engine.Unknown || answer.Reason != "" {
			return answer, err
		}
	}
}

func (l *loop) emit(kind string, fields ...engine.Field) {
	if l.Events != nil && l.Events.Enabled() {
		l.Events.Emit(engine.Event{At: time.Since(l.start), Kind: kind, Fields: fields})
	}
}
