package verify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/engine"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
)

// modularShare is the share of the time that goes into the obligations one by one, before the engines look at all of them.
const modularShare = 0.6

// Modular is what modular verification finds out: each procedure with the obligations that are not proved, and the candidates.
type Modular struct {
	Procedures []ModularProcedure `json:"procedures"`
	Candidates []ModularCandidate `json:"candidates,omitempty"`
}

// ModularProcedure is a procedure with the obligations that are not proved, a line each.
type ModularProcedure struct {
	Procedure   string   `json:"procedure"`
	Verified    bool     `json:"verified"`
	Obligations []string `json:"obligations,omitempty"`
}

// ModularCandidate is the name of an existential constant, or a specification that is marked {:candidate} behind its place.
type ModularCandidate struct {
	Constant      string `json:"constant,omitempty"`
	Specification string `json:"specification,omitempty"`
	Holds         bool   `json:"holds"`
}

// verifyModular verifies each procedure by itself. What cannot be proved by contracts and invariants need not be a bug.
func (p *Boogie) verifyModular(ctx context.Context) *Result {
	inner, stop := ctx, func() {}
	if end, ok := ctx.Deadline(); ok {
		inner, stop = context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*modularShare))
	}
	c, err := p.contracts(inner, p.Encoding.Program, false, encode.Options{Everywhere: true})
	stop()
	r := &Result{}
	if err == nil {
		r.Modular = newModular(c)
		if c.Proved {
			r.Answer = engine.Answer{Verdict: engine.Sat, Engine: "contracts"}
			return r
		}
	}
	req := p.request.Solver
	req.System, req.Candidates = p.Encoding.System, p.Encoding.Candidates
	w := p.request.solver("modular")(ctx, req)
	r.Answer = engine.Answer{Engine: w.Engine, Strategy: w.Strategy, Reason: engine.OneLine(w.Reason), Internal: w.Internal}
	switch {
	case w.Model != nil:
		r.Verdict, r.Reason, r.Model = engine.Sat, "", w.Model
		if r.Modular != nil {
			for i := range r.Modular.Procedures {
				r.Modular.Procedures[i].Verified, r.Modular.Procedures[i].Obligations = true, nil
			}
		}
	case w.Refutation != nil:
		// A run that fails only because a contract says too little is none of the program's.
		r.Obligation = replay.Obligation(p.Encoding, w.Refutation)
		r.Reason = "not proved by contracts and invariants alone: " + r.Obligation
	}
	return r
}

func newModular(r *contracts.Result) *Modular {
	out := &Modular{}
	for _, q := range r.Procedures {
		m := ModularProcedure{Procedure: q.Name, Verified: len(q.Failed) == 0}
		for _, o := range q.Failed {
			m.Obligations = append(m.Obligations, replay.Describe(r.Encoding, o.Clause))
		}
		out.Procedures = append(out.Procedures, m)
	}
	for _, c := range r.Candidates {
		out.Candidates = append(out.Candidates, ModularCandidate{Constant: c, Holds: slices.Contains(r.Held, c)})
	}
	for _, s := range r.Specifications {
		out.Candidates = append(out.Candidates, ModularCandidate{Specification: fmt.Sprintf("%s: %s", s.Pos, ast.String(s.Cond)), Holds: s.Holds})
	}
	return out
}
