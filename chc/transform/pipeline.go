package transform

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/witness"
)

// maxRepeats bounds the repetition of neighbouring passes marked Repeat. Chains of dependent simplifications are short in
// practice; what is left after this many rounds is left to the engine.
const maxRepeats = 12

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
	env.memos = memos{}
	defer env.memos.close()
	start := time.Now()
	run := &pipelineRun{env: env, sys: sys, report: &Report{Before: Count(sys)}}
	run.report.Passes = make([]PassReport, len(passes))
	for i, p := range passes {
		run.report.Passes[i].Name = p.Name
	}
	from := 0
	for _, g := range Groups(passes) {
		if err := run.group(ctx, passes, from, from+len(g)); err != nil {
			return nil, nil, nil, err
		}
		from += len(g)
	}
	run.report.After = Count(run.sys)
	run.report.Time = time.Since(start)
	return run.sys, run.back, run.report, nil
}

// Groups splits passes into those that a Pipeline repeats together and those that it runs once. What it makes of a system is what
// one Pipeline after the other makes of it, each with a group.
func Groups(passes []Pass) [][]Pass {
	var out [][]Pass
	for i := 0; i < len(passes); {
		end := i + 1
		for passes[i].Repeat && end < len(passes) && passes[end].Repeat {
			end++
		}
		out = append(out, passes[i:end])
		i = end
	}
	return out
}

type pipelineRun struct {
	env    Environment
	sys    *chc.System
	back   Composition
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

// Composition translates through several passes, the last one first.
type Composition []Translator

// Model translates a model; recursive functions that a pass does not mention are kept.
func (c Composition) Model(ctx context.Context, m *witness.Model) (*witness.Model, error) {
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

// Refutation translates a refutation.
func (c Composition) Refutation(ctx context.Context, r *witness.Refutation) (*witness.Refutation, error) {
	var err error
	for i := len(c) - 1; i >= 0; i-- {
		carry := func(r *witness.Refutation) (*witness.Refutation, error) { return c[i].Refutation(ctx, r) }
		if r, err = carryRefutation(c[i], r, carry); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// CarriesRepeats says that repeated steps are carried back, where the passes can.
func (c Composition) CarriesRepeats() bool { return true }
