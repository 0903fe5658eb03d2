package verify

import (
	"context"
	"slices"
	"time"

	"hornbeam/chc"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/internal/work"
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
func (p *Boogie) verifyByContracts(ctx context.Context) bool {
	solver, sys := p.request.Solver, p.Encoding.System
	if sys.Approximation != chc.Over && !p.hasCandidates() || solver.Engine != portfolio.Auto {
		return false
	}
	// Contracts say nothing of whether an exit is reached.
	if slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool {
		return c.IsQuery() && len(c.Body) > 0 && p.Encoding.Meanings[c.Body[0].Pred].Kind == encode.Summary
	}) {
		return false
	}
	ctx, stop := work.WithTimeout(ctx, shareOf(ctx, contractsTime, contractsShare))
	defer stop()
	r, err := p.contracts(ctx, p.Tree, true, encode.Options{})
	if err != nil {
		solver.Log.Info("not proved by contracts", "reason", err)
		return false
	}
	solver.Log.Info("looked at contracts", "proved", r.Proved, "obligations", r.Obligations)
	return r.Proved
}

// contracts verifies the procedures of a tree by their contracts and invariants, one by one; whole says that the tree is a whole
// program and not an encoding's.
func (p *Boogie) contracts(ctx context.Context, tree *ast.Program, whole bool, o encode.Options) (*contracts.Result, error) {
	return p.contractsWith(ctx, tree, whole, contracts.Options{Encode: o, Each: contractsEach})
}

// contractsWith is contracts with limits of the caller's.
func (p *Boogie) contractsWith(ctx context.Context, tree *ast.Program, whole bool, o contracts.Options) (*contracts.Result, error) {
	solver := p.request.Solver
	start := time.Now()
	defer func() { solver.Stats.AddTime("time.contracts", time.Since(start)) }()
	o.Encode.Entry, o.Encode.ErrorProcedures = p.request.Options.Main, p.request.Options.Errors
	o.Open, o.Seed = solver.Open, solver.Seed
	r, err := contracts.Verify(ctx, tree, whole, o)
	if err == nil {
		solver.Stats.Add("contracts.obligations", int64(r.Obligations))
	}
	return r, err
}

// hasCandidates reports whether there are candidates, or existential constants, which guard what a proof may need.
func (p *Boogie) hasCandidates() bool {
	program := p.Encoding.Program
	return len(ast.Candidates(program)) > 0 || slices.ContainsFunc(program.Constants, func(v *ast.Variable) bool { return v.Attributes.Has("existential") })
}

// shareOf is a limit, or a share of the time that there is if that is less. Where work is counted the limit stands alone, since the time
// that there is depends on the machine.
func shareOf(ctx context.Context, limit time.Duration, share float64) time.Duration {
	if end, ok := ctx.Deadline(); ok && work.Of(ctx) == nil {
		return min(limit, time.Duration(float64(time.Until(end))*share))
	}
	return limit
}
