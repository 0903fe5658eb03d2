package main

import (
	"context"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/smt/z3"
)

const (
	// contractsShare is the share of the time, and contractsTime the most, that goes into a proof by the program's own
	// contracts before the engines look at it, contractsEach the most for one obligation.
	contractsShare = 0.5
	contractsTime  = 15 * time.Second
	contractsEach  = 5 * time.Second
)

// verifyByContracts tries to prove the program by the contracts and invariants in it, and reports whether that is a proof.
// It is tried where clauses allow more than the program: solvers know quantifiers that clauses have instances of only.
func (p *program) verifyByContracts(ctx context.Context) bool {
	sys := p.encoding.System
	if !p.byContracts || sys.Approximation != chc.Over && !p.hasCandidates() || p.values.Text("engine") != portfolio.Auto {
		return false
	}
	// Contracts say nothing of whether an exit is reached.
	if slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool {
		return c.IsQuery() && len(c.Body) > 0 && p.encoding.Meanings[c.Body[0].Pred].Kind == encode.Summary
	}) {
		return false
	}
	start := time.Now()
	defer func() { p.stats.AddTime("time.contracts", time.Since(start)) }()
	limit := contractsTime
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Duration(float64(time.Until(end))*contractsShare))
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	r, err := contracts.Verify(ctx, p.tree, true, contracts.Options{
		Encode: encode.Options{Entry: p.values.Text("main"), ErrorProcedures: p.errorProcedures()},
		Open:   z3.Open, Seed: uint64(p.values.Int("seed")), Each: contractsEach,
	})
	if err != nil {
		p.log.Info("not proved by contracts", "reason", err)
		return false
	}
	p.stats.Add("contracts.obligations", int64(r.Obligations))
	p.log.Info("looked at contracts", "proved", r.Proved, "obligations", r.Obligations)
	return r.Proved
}

// hasCandidates reports whether there are candidates, or existential constants, which guard what a proof may need.
func (p *program) hasCandidates() bool {
	return len(ast.Candidates(p.encoding.Program)) > 0 || slices.ContainsFunc(p.encoding.Program.Constants, func(v *ast.Variable) bool { return v.Attributes.Has("existential") })
}
