package decide

import (
	"context"
	"time"

	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// How long a proof of all runs is tried before the one without overflows, and how long that may take; no more than a sixth of
// the time that there is.
const (
	beginning = 2 * time.Second
	assuming  = 5 * time.Second
)

// proveOrAssume proves a program, or else, if Options.Assume allows it, proves it under the assumption that no signed operation
// overflows: that is often easy where counters have no bounds that are. It is looked for when a proof of all runs is not
// found at once, and is the answer only when that is not found in all of the time.
func (r *Result) proveOrAssume(ctx context.Context, p *tree.Program, o Options, decide Decider) error {
	if !o.Assume || o.Unbounded || o.Mode != bits.Ranged || o.Translate.Property != translate.Reach || o.Translate.EndAtOverflow {
		return r.prove(ctx, p, o, decide)
	}
	first := &Result{Runner: r.Runner}
	late, err := first.within(ctx, beginning, p, o, decide)
	if err != nil || first.settled() || ctx.Err() != nil {
		*r = *first
		return err
	}
	without := o
	without.Translate.EndAtOverflow = true
	second := &Result{Runner: r.Runner}
	if _, err := second.within(ctx, assuming, p, without, decide); err != nil || second.Verdict == Unsafe {
		*r = *second
		return err
	}
	if second.Verdict == Safe {
		if end, ok := ctx.Deadline(); ok {
			// What is known by then has to be told, too.
			var stop context.CancelFunc
			ctx, stop = context.WithDeadline(ctx, end.Add(-time.Until(end)/20))
			defer stop()
		}
	}
	if late {
		*first = Result{Runner: r.Runner}
		err = first.prove(ctx, p, o, decide)
	}
	if *r = *first; second.Verdict == Safe && !r.settled() {
		*r, err = *second, nil
	}
	return err
}

// within proves a program for a part of the time, and reports whether that was over before it ended.
func (r *Result) within(whole context.Context, limit time.Duration, p *tree.Program, o Options, decide Decider) (late bool, err error) {
	if end, ok := whole.Deadline(); ok {
		limit = min(limit, time.Until(end)/6)
	}
	ctx, stop := context.WithTimeout(whole, limit)
	defer stop()
	err = r.prove(ctx, p, o, decide)
	if late = ctx.Err() != nil; late && whole.Err() == nil {
		err = nil
	}
	return late, err
}

// settled reports whether there is an answer, or will be none.
func (r *Result) settled() bool { return r.Verdict != Unknown || r.Internal || r.Stopped != nil }

// Overflow is where the run that reaches the error first has a signed operation whose result does not fit in its type, and
// true, or false if there is none, or no such run. C leaves undefined what happens there; the run wraps around.
func (r *Result) Overflow(ctx context.Context, p *tree.Program, o Options) (interpret.Outcome, bool) {
	if r.Verdict != Unsafe || o.Unbounded || o.Translate.Property != translate.Reach || o.Translate.EndAtOverflow {
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
