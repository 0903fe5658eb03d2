package main

import (
	"context"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/execute"
)

// besideRuns has the clauses decided, while runs on concrete values look for bugs deep in loops. A run that fails ends
// the search for an answer, and is the answer when it passes its check.
func (p *program) besideRuns(ctx context.Context, solve func(context.Context) engine.Answer) engine.Answer {
	// An engine that was asked for is left alone, and a hunt keeps to its bound.
	if !p.byContracts || p.modular() || p.values.Text("engine") != portfolio.DefaultEngine || p.values.Duration("runs") <= 0 {
		return solve(ctx)
	}
	solving, end := context.WithCancel(ctx)
	defer end()
	var found *witness.Refutation
	var running sync.WaitGroup
	running.Go(func() {
		if found = p.run(solving); found != nil {
			end()
		}
	})
	a := solve(solving)
	end()
	running.Wait()
	exact := p.encoding.System.Approximation != chc.Over
	switch {
	case found == nil || a.Verdict == engine.Unsat:
		return a
	case a.Verdict == engine.Sat && exact:
		p.log.Error("internal error", "phase", "comparing a proof with a run that fails")
		return engine.Answer{Reason: "internal error: the clauses have a model, and a run fails", Internal: true}
	case a.Verdict == engine.Sat:
		return a
	}
	a = engine.Answer{Engine: "runs", Lane: "runs", Refutation: found, Reason: "a run of the clauses that fails may be no run of the program: " + strings.Join(p.encoding.System.Notes, "; ")}
	if exact {
		a.Verdict, a.Reason = engine.Unsat, ""
	}
	return a
}

// run runs the program until a run fails, and returns that as a refutation that was checked; nil when none was found.
func (p *program) run(ctx context.Context) *witness.Refutation {
	limited, stop := context.WithTimeout(ctx, p.values.Duration("runs"))
	defer stop()
	defer func() {
		if v := recover(); v != nil {
			p.log.Error("panic", "phase", "running the program", "value", v, "stack", string(debug.Stack()))
		}
	}()
	start := time.Now()
	r, stats := execute.Refute(limited, p.encoding, execute.Options{Seed: uint64(p.values.Int("seed"))})
	p.stats.Add("runs", int64(stats.Runs))
	p.stats.Add("runs.steps", int64(stats.Steps))
	if r != nil {
		if err := witness.CheckRefutation(ctx, p.encoding.System, r); err != nil {
			p.log.Debug("a run that fails is no refutation", "error", err)
			r = nil
		}
	}
	p.stats.AddTime("time.runs", time.Since(start))
	return r
}
