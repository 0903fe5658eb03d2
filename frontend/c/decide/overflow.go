package decide

import (
	"context"
	"time"

	"hornbeam/frontend/c/bits"
	"hornbeam/frontend/c/translate"
	"hornbeam/frontend/c/tree"
)

// NoSignedOverflow is what a proof takes for granted that is only about runs in which no signed operation overflows.
const NoSignedOverflow = "no signed operation overflows, since C leaves undefined what happens then"

// proveOrAssume proves a program, or else, if Options.Assume allows it, proves it under the assumption that no signed operation
// overflows: that is often easy where the values of counters have no bounds that are. A quarter of the time is left for that.
func (r *Result) proveOrAssume(ctx context.Context, p *tree.Program, o Options, decide Decider) error {
	if !o.Assume || o.Unbounded || o.Mode != bits.Ranged || o.Translate.Property != translate.Reach || o.Translate.EndAtOverflow {
		return r.prove(ctx, p, o, decide)
	}
	whole := ctx
	if end, ok := ctx.Deadline(); ok {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, end.Add(-time.Until(end)/4))
		defer stop()
	}
	if err := r.prove(ctx, p, o, decide); err != nil || r.Verdict != Unknown || r.Internal || r.Stopped != nil || whole.Err() != nil {
		return err
	}
	o.Translate.EndAtOverflow = true
	second := &Result{Runner: r.Runner}
	if err := second.prove(whole, p, o, decide); err != nil || second.Verdict == Unknown {
		// What was found before is as good an answer; an error there is none of the program's.
		return nil
	}
	if second.Verdict == Safe {
		second.Translation.Assumptions = append([]translate.Assumption{{What: NoSignedOverflow}}, second.Translation.Assumptions...)
	}
	second.Rounds = append(r.Rounds, second.Rounds...)
	*r = *second
	return nil
}
