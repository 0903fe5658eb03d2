package transform

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/witness"
)

// maxRepeats bounds the repetition of neighbouring passes marked Repeat. Chains of dependent simplifications are short in
// practice; what is left after this many rounds is left to the engine.
const maxRepeats = 12

// memo is what passes remember within one Pipeline, so that repeating a pass costs little where nothing changed.
type memo struct {
	// feasibility keeps the answers of the pass unsat-bodies and its solver.
	feasibility *feasibility
	// specialised counts the runs of the pass specialise.
	specialised int
	// contexts counts the changes of the pass context.
	contexts int
}

func (m *memo) close() {
	if m.feasibility != nil {
		m.feasibility.close()
	}
}

// Passes returns every pass in the order in which Pipeline is meant to run them.
func Passes() []Pass {
	return []Pass{
		Determined(),
		Selectors(),
		Divisions(),
		DivMod(),
		Peano(),
		Flatten(),
		Constructors(),
		Sizes(),
		BitBlast(),
		IntBlast(),
		Specialise(),
		Normalise(),
		ConeOfInfluence(),
		Subsume(),
		Constants(),
		Slice(),
		FreeArguments(),
		Inline(),
		Context(),
		UnsatBodies(),
		Cells(),
		CellPairs(),
		CellsApart(),
		Merge(),
		SplitOr(),
	}
}

// optional are the passes that Default leaves out: variants for engines that profit from another shape of clauses.
var optional = map[string]bool{"determined": true, "sizes": true, "bit-blast": true, "int-blast": true, "divmod": true, "split-or": true, "cells": true, "cell-pairs": true, "cells-apart": true}

// Default returns the passes that are run when nothing else is asked for.
func Default() []Pass {
	var ps []Pass
	for _, p := range Passes() {
		if !optional[p.Name] {
			ps = append(ps, p)
		}
	}
	return ps
}

// Select reads a comma-separated list of pass names. A list that begins with -NAME starts from the default passes, any
// other from none; NAME adds a pass, -NAME removes one, and `default`, `all` and `none` add the default passes, add all
// and remove all. The result is in the order of Passes.
func Select(names string) ([]Pass, error) {
	all := Passes()
	known := map[string]bool{}
	for _, p := range all {
		known[p.Name] = true
	}
	chosen := map[string]bool{}
	add := func(ps []Pass) {
		for _, p := range ps {
			chosen[p.Name] = true
		}
	}
	for i, word := range strings.Split(names, ",") {
		word = strings.TrimSpace(word)
		name, remove := strings.CutPrefix(word, "-")
		if i == 0 && remove {
			add(Default())
		}
		switch {
		case word == "" || word == "none":
			clear(chosen)
		case word == "default":
			add(Default())
		case word == "all":
			add(all)
		case !known[name]:
			return nil, fmt.Errorf("no preprocessing pass is called %q", name)
		case remove:
			delete(chosen, name)
		default:
			chosen[name] = true
		}
	}
	var ps []Pass
	for _, p := range all {
		if chosen[p.Name] {
			ps = append(ps, p)
		}
	}
	return ps, nil
}

// PassReport is what one pass did to a system over all its runs in a Pipeline.
type PassReport struct {
	Name string
	// Runs counts the pass's runs, Changes those that changed the system.
	Runs, Changes int
	// Removed sums the differences of the counts before and after each run; what a pass adds counts negatively.
	Removed Counts
	Time    time.Duration
}

// Report is what a Pipeline did.
type Report struct {
	Before, After Counts
	Passes        []PassReport
	Time          time.Duration
}

// Pipeline runs the passes one after the other; neighbours that are marked Repeat are repeated together until none of
// them changes the system. The Translator carries witnesses of the result back to sys; it is never nil. An error is a
// pass that broke, or ctx's.
func Pipeline(ctx context.Context, env Environment, sys *chc.System, passes []Pass) (*chc.System, Translator, *Report, error) {
	env.memo = &memo{}
	defer env.memo.close()
	start := time.Now()
	run := &pipelineRun{env: env, sys: sys, report: &Report{Before: Count(sys)}}
	run.report.Passes = make([]PassReport, len(passes))
	for i, p := range passes {
		run.report.Passes[i].Name = p.Name
	}
	for i := 0; i < len(passes); {
		end := i + 1
		for passes[i].Repeat && end < len(passes) && passes[end].Repeat {
			end++
		}
		if err := run.group(ctx, passes, i, end); err != nil {
			return nil, nil, nil, err
		}
		i = end
	}
	run.report.After = Count(run.sys)
	run.report.Time = time.Since(start)
	return run.sys, run.back, run.report, nil
}

type pipelineRun struct {
	env    Environment
	sys    *chc.System
	back   composition
	report *Report
}

// group runs passes[from:to]: once, or when they are marked Repeat until a whole round changed nothing.
func (r *pipelineRun) group(ctx context.Context, passes []Pass, from, to int) error {
	unchanged := 0
	for range maxRepeats {
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("preprocessing: %w", err)
			}
			changed, err := r.pass(ctx, passes[i], &r.report.Passes[i])
			if err != nil {
				return fmt.Errorf("preprocessing pass %s: %w", passes[i].Name, err)
			}
			unchanged++
			if changed {
				unchanged = 0
			}
			if unchanged >= to-from {
				return nil
			}
		}
		if !passes[from].Repeat {
			return nil
		}
	}
	return nil
}

func (r *pipelineRun) pass(ctx context.Context, p Pass, rep *PassReport) (bool, error) {
	start := time.Now()
	next, back, err := p.Run(ctx, r.env, r.sys)
	rep.Time += time.Since(start)
	rep.Runs++
	if err != nil || next == r.sys {
		return false, err
	}
	before, after := Count(r.sys), Count(next)
	rep.Changes++
	rep.Removed.Clauses += before.Clauses - after.Clauses
	rep.Removed.Predicates += before.Predicates - after.Predicates
	rep.Removed.Arguments += before.Arguments - after.Arguments
	r.sys = next
	r.back = append(r.back, back)
	return true, nil
}

// composition translates through several passes, the last one first.
type composition []Translator

func (c composition) Model(ctx context.Context, m *witness.Model) (*witness.Model, error) {
	for i := len(c) - 1; i >= 0; i-- {
		out, err := c[i].Model(ctx, m)
		if err != nil {
			return nil, err
		}
		m = keepDefinitions(m, out)
	}
	return m, nil
}

// keepDefinitions gives the model after a translation the functions that the model before it defines, and the lemmas
// about them. A pass that leaves datatypes as they are need not think of them; one that has definitions of its own, or
// that changes those that there are, returns all that its model needs.
func keepDefinitions(before, after *witness.Model) *witness.Model {
	if before == after || len(before.Definitions) == 0 && len(before.Lemmas) == 0 ||
		len(after.Definitions) > 0 || len(after.Lemmas) > 0 {
		return after
	}
	out := *after
	out.Definitions, out.Lemmas = before.Definitions, before.Lemmas
	return &out
}

func (c composition) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	var err error
	for i := len(c) - 1; i >= 0; i-- {
		if r, err = c[i].Refutation(ctx, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}
