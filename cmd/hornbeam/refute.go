package main

import (
	"context"
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	replay "hornbeam/frontend/boogie/trace"
)

// maxSpurious is how many places at which a program may seem to fail are passed over.
const maxSpurious = 30

// refute replays a refutation. When it turns out to be no run, since the clauses allow more than the program, or none of
// which that can be told, it goes on without the place where the run seems to fail: another one may be a bug. The program
// is not proved then, whatever becomes of the rest.
func (p *program) refute(ctx context.Context, req portfolio.Request, v *verdict) {
	seeming := *v
	p.replay(ctx, v)
	first := *v
	sys := *req.System
	sys.Clauses = slices.Clone(sys.Clauses)
	req.System = &sys
	for range maxSpurious {
		if v.Verdict != engine.Unknown || v.Internal || len(p.encoding.Program.Approximated) > 0 || ctx.Err() != nil {
			break
		}
		failing := replay.Failing(p.encoding, seeming.Refutation)
		i := slices.Index(sys.Clauses, failing)
		if failing == nil || i < 0 {
			break
		}
		without := *failing
		without.Constraint = sys.Pool.False()
		sys.Clauses[i] = &without
		p.log.Info("passed over a place that seems to fail", "place", failing.Pos, "reason", v.Reason)
		seeming = verdict{Answer: solve(ctx, req)}
		if seeming.Refutation == nil {
			break
		}
		*v = seeming
		p.replay(ctx, v)
	}
	if v.Verdict == engine.Unknown && !v.Internal {
		*v = first
	}
}

// solve decides a request's system. Where that allows more than the program, a refutation comes with the verdict unknown:
// it is to be replayed. There is nothing else to be waited for when there is one, since there is no model then.
func solve(ctx context.Context, req portfolio.Request) engine.Answer {
	if req.System.Approximation != chc.Over {
		return portfolio.Solve(ctx, req)
	}
	sys := *req.System
	sys.Approximation = chc.Exact
	req.System = &sys
	a := portfolio.Solve(ctx, req)
	if a.Verdict == engine.Unsat {
		a.Verdict, a.Reason = engine.Unknown, "a refutation of the clauses may be no run of the program: "+strings.Join(sys.Notes, "; ")
	}
	return a
}
