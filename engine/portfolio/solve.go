package portfolio

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/internal/smt/z3"
	"hornbeam/internal/work"
)

// Solve decides the request's system: it runs the passes and the engine, carries the witness back and checks it on the
// system as it was given. Whatever goes wrong ends in an Unknown answer with a one-line reason. The answer's Internal
// is set when the reason is a fault of Hornbeam's: a panic, an error of a component, or a witness that failed its check.
//
// On a system that approximates its problem only the sound verdict is given; the witness of the other one comes with an
// Unknown answer, for the caller to try on the exact problem.
func Solve(ctx context.Context, req Request) engine.Answer {
	if req.Log == nil {
		req.Log = slog.New(slog.DiscardHandler)
	}
	if req.Open == nil {
		req.Open = z3.Open
	}
	c, err := choose(req)
	if err == nil {
		err = c.setBlocks(req.Blocks)
	}
	if err != nil {
		return engine.Answer{Reason: err.Error(), Engine: req.Engine}
	}
	ctx, stop := WithLimits(ctx, req.Timeout, req.Memory)
	defer stop()
	if req.Deterministic && work.Of(ctx) == nil {
		ctx = work.Alone(ctx)
	}
	switch {
	case work.Of(ctx) != nil:
		if req.CheckOpen == nil {
			req.CheckOpen = req.Open
		}
		req.Open, req.CheckOpen = Paced(req.Open), Paced(req.CheckOpen)
	case len(c.others) > 0 || len(c.main.members) > 1:
		req.pause = newPause()
	}
	return c.run(ctx, req)
}

// EndReason says in a few words why the context is done.
func EndReason(ctx context.Context) string {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(cause, context.Canceled):
		return "interrupted"
	default:
		return cause.Error()
	}
}

// sound reports whether a verdict on a system so approximated holds for what it stands for.
func sound(v engine.Verdict, a chc.Approximation) bool {
	switch a {
	case chc.Over:
		return v != engine.Unsat
	case chc.Under:
		return v != engine.Sat
	}
	return true
}

func approximationReason(sys *chc.System) string {
	reason := "a refutation was found, but it may be spurious, since its clauses over-approximate the problem"
	if sys.Approximation == chc.Under {
		reason = "a model was found, but it may not hold, since its clauses under-approximate the problem"
	}
	if len(sys.Notes) > 0 {
		reason += ": " + strings.Join(sys.Notes, "; ")
	}
	return strings.ReplaceAll(reason, "\n", " ")
}

func kind(a engine.Answer) string {
	if a.Verdict == engine.Sat {
		return "model"
	}
	return "refutation"
}

func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
}

// Witness is a checked witness of clauses that may only approximate a problem: a model, a refutation, or with neither the reason.
// It is no verdict on the problem, which is for whoever repeats the refutation there, or knows what a model is worth.
type Witness struct {
	Model      *witness.Model
	Refutation *witness.Refutation
	Reason     string
	// Internal says that there is none because of a fault of Hornbeam's.
	Internal bool
	// Engine and Strategy say who found it.
	Engine, Strategy string
}

// Decide decides the request's clauses for their own sake, whatever they approximate: it ends with the first witness of either
// kind, where Solve goes on until there is one that is sound for the problem.
func Decide(ctx context.Context, req Request) Witness {
	sys := *req.System
	sys.Approximation = chc.Exact
	req.System = &sys
	a := Solve(ctx, req)
	w := Witness{Reason: a.Reason, Internal: a.Internal, Engine: a.Engine, Strategy: a.Strategy}
	switch a.Verdict {
	case engine.Sat:
		w.Model = a.Model
	case engine.Unsat:
		w.Refutation = a.Refutation
	}
	return w
}
