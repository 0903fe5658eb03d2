package main

import (
	"context"
	"slices"

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
		if p.modular() || v.Verdict != engine.Unknown || v.Internal || len(p.encoding.Program.Approximated) > 0 || ctx.Err() != nil {
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
		seeming = verdict{Answer: portfolio.Solve(ctx, req)}
		p.log.Info("passed over a place that seems to fail", "place", failing.Pos, "verdict", seeming.Verdict)
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
