package refine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Overflows reports whether a proof may have taken an operation for one on unbounded integers that leaves its range: then it is one
// of the runs without signed overflow only.
func (a *Attempt) Overflows() bool { return a.lowered == nil || len(a.lowered.MayOverflow) > 0 }

// UnprovedOverflows are the places of the operations that may overflow as far as the last lowering tells, or the one at which a run
// does, as FILE:LINE:COLUMN.
func (a *Attempt) UnprovedOverflows() []string {
	switch {
	case a.lowered == nil:
		return nil
	case a.overflow.Line > 0:
		return []string{a.overflow.String()}
	}
	var places []chc.Position
	for p := range a.lowered.MayOverflow {
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b chc.Position) int {
		return strings.Compare(fmt.Sprintf("%s:%09d:%09d", a.File, a.Line, a.Column), fmt.Sprintf("%s:%09d:%09d", b.File, b.Line, b.Column))
	})
	var names []string
	for _, p := range places {
		names = append(names, p.String())
	}
	return names
}

// AssumeNoOverflow adds the assumption of a conditional proof: that no signed operation overflows, at the places that are not
// proved.
func (a *Attempt) AssumeNoOverflow(unproved []string) {
	e := translate.NoSignedOverflow()
	if e.Names = unproved; len(e.Names) == 0 {
		e.Names = a.UnprovedOverflows()
	}
	a.Translation.Assumptions.Add(e)
}

// A run that looks for the overflow in another one has so many steps, or so many times that one's, if that is more: it leaves out about as
// many turns of loops.
const (
	overflowSteps  = 1_000_000
	overflowFactor = 4
)

// Overflow is where the run of the evidence first has a signed operation whose result does not fit in its type, and true, or false
// if there is none, or no such run. C leaves undefined what happens there; the run wraps around. Where the run takes too long to tell,
// as fewer turns of loops may be left out of it than where nobody looks for overflows, the result is the outcome of that run.
func (e *Evidence) Overflow(ctx context.Context, p *tree.Program, o Options) (interpret.Outcome, bool) {
	if e.Script == nil || o.Unbounded || o.Translate.Faults.Has(fault.Overflow) || o.Translate.EndAtOverflow {
		return interpret.Outcome{}, false
	}
	if known := e.overflow; known.script == e.Script {
		return known.outcome, known.found
	}
	run := o.Run()
	run.EndAtOverflow, run.Steps = true, max(overflowFactor*e.Outcome.Steps, overflowSteps, o.Steps)
	defined, err := interpret.New(p, run)
	if err != nil {
		return interpret.Outcome{}, false
	}
	outcome, err := defined.Run(ctx, e.Script, nil)
	if err != nil {
		return outcome, false
	}
	found := outcome.Kind == interpret.Undefined
	if outcome.Kind == interpret.LimitReached {
		outcome.What, found = "it is not known whether an operation behind this place overflows", true
	}
	e.overflow.script, e.overflow.outcome, e.overflow.found = e.Script, outcome, found
	return outcome, found
}

// definedSteps is how many steps are spent on a run without overflow when one that overflows has been found.
const definedSteps = 2_000_000

// PreferDefined replaces a run that reaches the error behind a signed overflow by one without, if a search of some time finds one.
func (e *Evidence) PreferDefined(ctx context.Context, p *tree.Program, o Options, limit time.Duration) {
	if _, overflows := e.Overflow(ctx, p, o); !overflows {
		return
	}
	run := o.Run()
	run.EndAtOverflow = true
	defined, err := interpret.New(p, run)
	if err != nil {
		return
	}
	found, err := defined.Explore(ctx, interpret.Search{Seed: 3, Steps: definedSteps, Time: limit})
	if err != nil || found.Script == nil {
		return
	}
	e.Reaches(ctx, found.Script)
}
