package refine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
	runs "hornbeam/frontend/c/replay"
	"hornbeam/frontend/c/translate"
)

// replayFuel bounds the statements of the translation's run.
const replayFuel = 50_000_000

// replayed is the outcome of running the program as a refutation says.
type replayed struct {
	// reached says that the run reached the error: the program is unsafe.
	reached bool
	// executed are the inexact operations that the run executed, failed where it failed, and reason why it is no run of C.
	executed map[int]bool
	failed   chc.Position
	reason   string
	internal bool
	// abstract is what the translation's run violates with what a contract or an invariant stands for, which no run of C executes.
	abstract string
}

// replay runs the program as a refutation says, first its translation and then, with what that chose, the program itself.
func (a *Attempt) replay(ctx context.Context, refutation *witness.Refutation) replayed {
	p := runs.New(a.Translation.Origins, a.lowered, a.Encoding.Origins, a.addressBits)
	t, err := replay.Replay(ctx, a.Encoding, refutation, replay.Options{Fuel: replayFuel, Observe: p.Observe})
	if err != nil {
		internal := ctx.Err() == nil && !errors.Is(err, replay.ErrUndetermined) && a.lowered.Relation.Refutes()
		return replayed{reason: fmt.Sprintf("what was found does not replay: %s", err), internal: internal}
	}
	out := replayed{executed: p.Executed(), failed: t.Failure().Pos}
	if a.lowered.Overflows[out.failed] && !a.options.Translate.Faults.Has(fault.Overflow) {
		a.overflow = out.failed
		out.reason = fmt.Sprintf("a proof in integers without bounds, as --bits nobv asks for, needs that no integer overflows, and one does at %s: "+
			"use --bits auto or --bits ranged, which represent wrap-around", a.overflow)
		return out
	}
	recorder := &interpret.Recorder{Choices: p}
	running, stop := context.WithCancel(ctx)
	defer stop()
	outcome, err := a.Runner.Run(running, recorder, p.Watch(stop))
	switch {
	case err != nil && ctx.Err() == nil:
		out.reason = "what was found is no run of the program, which goes on for longer"
	case err != nil:
		out.reason = fmt.Sprintf("run what was found: %s", err)
	case outcome.Kind == interpret.ErrorReached:
		out.reached = true
		a.Outcome, a.Script = outcome, recorder.Script
		if a.Script == nil {
			a.Script = interpret.NewScript()
		}
	default:
		if outcome.Kind == interpret.Undetermined && a.options.Translate.Stops == translate.StopsFail {
			a.stopped = a.Translation.Stop(out.failed)
		}
		if outcome.Kind == interpret.Undetermined && outcome.What == interpret.Abstracted && a.stopped == nil {
			out.abstract = strings.TrimPrefix(t.Failure().Text, "error: ")
		}
		out.reason = "what was found is no run of the program, " + deviation(outcome)
	}
	return out
}

// deviation says what the run of C does where a refutation has an error.
func deviation(o interpret.Outcome) string {
	at := ""
	if p := o.Pos(); p.Line > 0 {
		at = " at " + p.String()
	}
	switch o.Kind {
	case interpret.Ended:
		return "which ends without an error" + at
	case interpret.AssumptionFailed:
		return "in which an assumption does not hold" + at
	case interpret.Undefined:
		return "whose behaviour is undefined" + at + ": " + o.What
	case interpret.Undetermined:
		return "which cannot be executed exactly" + at + ": " + o.What
	}
	return "which runs into a limit" + at + ": " + o.What
}

// inexact says what the clauses are not exact about: a few places.
func (a *Attempt) inexact() string {
	const most = 3
	s := ""
	for i, place := range a.Translation.Approximations {
		if i == most {
			s += fmt.Sprintf(", and at %d more places", len(a.Translation.Approximations)-most)
			break
		}
		if i > 0 {
			s += ","
		}
		s += " " + place.What
		if place.Pos.Line > 0 {
			s += fmt.Sprintf(" at %s", place.Pos)
		}
	}
	if s == "" {
		return ""
	}
	return "; not exact is" + s
}
