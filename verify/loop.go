package verify

import (
	"context"
	"fmt"
	"maps"
	"time"

	"hornbeam/chc/witness"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend"
)

// solver decides the clauses of a request.
type solver func(ctx context.Context, req portfolio.Request) portfolio.Witness

// outcome is the finding of an attempt, and the engine that decided its last clauses.
type outcome struct {
	frontend.Finding
	engine, strategy string
	// model is that of the last clauses, nil if they have none.
	model *witness.Model
}

// chosen reports whether a request names its engines, passes or strategies.
func chosen(r portfolio.Request) bool {
	return r.Engine != "" && r.Engine != portfolio.Auto || r.Passes != nil || r.Strategies != nil
}

// decide decides an attempt: it has the clauses of each round decided and tells the attempt their witness, until that says that the
// program is safe or unsafe, or that no other round is worth trying. template says how clauses are decided. The error is one of
// encoding the program; where the time is over it is a reason instead, since that may be only the time of a part.
func decide(ctx context.Context, a frontend.Attempt, template portfolio.Request, solve solver) (outcome, error) {
	var out outcome
	for {
		clauses, err := a.Clauses(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			out.Finding = frontend.Finding{Reason: "the time is over: " + err.Error()}
			return out, nil
		case err != nil:
			return out, err
		case clauses == nil || clauses.Engine != "" && chosen(template):
			// What is for one engine is not for those that somebody has chosen.
			out.Finding = frontend.Finding{Reason: a.Open("")}
			return out, nil
		}
		req := template
		req.System, req.Candidates, req.Unwound, req.First = clauses.System, clauses.Candidates, clauses.Unwound, clauses.First
		if clauses.Engine != "" {
			req.Engine = clauses.Engine
			req.Options = maps.Clone(clauses.Options)
			maps.Copy(req.Options, template.Options)
		}
		w := solve(ctx, req)
		out.engine, out.strategy, out.model = w.Engine, w.Strategy, w.Model
		switch {
		case w.Model != nil:
			out.Finding = a.Proved(w.Model)
		case w.Refutation != nil:
			start := time.Now()
			out.Finding = a.Refuted(ctx, w.Refutation)
			template.Stats.AddTime("time.replay", time.Since(start))
		default:
			out.Finding = frontend.Finding{Reason: a.Open(w.Reason), Internal: w.Internal}
		}
		if out.Internal {
			template.Log.Error("internal error", "phase", "judging a witness", "error", out.Reason)
		}
		if out.Step != frontend.Again {
			return out, nil
		}
		if ctx.Err() != nil {
			out.Finding = frontend.Finding{Reason: fmt.Sprintf("%s after a refinement: %s", portfolio.EndReason(ctx), out.Reason)}
			return out, nil
		}
	}
}
