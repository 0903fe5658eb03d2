package decide

import (
	"context"

	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// Overflow is where the run that reaches the error first has a signed operation whose result does not fit in its type, and
// true, or false if there is none, or no such run. C leaves undefined what happens there; the run wraps around.
func (r *Result) Overflow(ctx context.Context, p *tree.Program, o Options) (interpret.Outcome, bool) {
	if r.Verdict != Unsafe && !r.OnlyRun || o.Unbounded || o.Translate.Property != translate.Reach || o.Translate.EndAtOverflow {
		return interpret.Outcome{}, false
	}
	defined, err := interpret.New(p, interpret.Options{
		Entry: o.Translate.Entry, ErrorLabel: o.Translate.ErrorLabel, EndAtOverflow: true, Steps: max(r.Outcome.Steps+1, o.Steps),
	})
	if err != nil {
		return interpret.Outcome{}, false
	}
	outcome, err := defined.Run(ctx, r.Script, nil)
	return outcome, err == nil && outcome.Kind == interpret.Undefined
}

// definedSteps is how many steps are spent on a run without overflow when one that overflows has been found.
const definedSteps = 2_000_000

// preferDefined replaces a run that reaches the error behind a signed overflow by one without, if a search finds one.
func (r *Result) preferDefined(ctx context.Context, p *tree.Program, o Options) {
	if _, overflows := r.Overflow(ctx, p, o); !overflows {
		return
	}
	defined, err := interpret.New(p, interpret.Options{Entry: o.Translate.Entry, ErrorLabel: o.Translate.ErrorLabel, EndAtOverflow: true, Steps: o.Steps})
	if err != nil {
		return
	}
	found := explore(ctx, defined, interpret.Search{Seed: 3, Steps: definedSteps, Time: o.Explore})
	if found.Script == nil {
		return
	}
	if outcome, err := r.Runner.Run(ctx, found.Script, nil); err == nil && outcome.Kind == interpret.ErrorReached {
		r.Script, r.Outcome = found.Script, outcome
	}
}
