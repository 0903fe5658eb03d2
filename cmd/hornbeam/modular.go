package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/internal/smt/z3"
)

// modularShare is the share of the time that goes into the obligations one by one, before the engines look at all of them.
const modularShare = 0.6

// modularReport is what --modular finds out: each procedure with the obligations that are not proved, and the candidates.
type modularReport struct {
	Procedures []modularProcedure `json:"procedures"`
	Candidates []modularCandidate `json:"candidates,omitempty"`
}

type modularProcedure struct {
	Procedure   string   `json:"procedure"`
	Verified    bool     `json:"verified"`
	Obligations []string `json:"obligations,omitempty"`
}

type modularCandidate struct {
	// Constant is the name of an existential constant; Specification is what is marked {:candidate}, behind its place.
	Constant      string `json:"constant,omitempty"`
	Specification string `json:"specification,omitempty"`
	Holds         bool   `json:"holds"`
}

// decideModular verifies each procedure by itself. What cannot be proved by contracts and invariants need not be a bug.
func (p *program) decideModular(ctx context.Context, req portfolio.Request) verdict {
	start := time.Now()
	inner, stop := ctx, func() {}
	if end, ok := ctx.Deadline(); ok {
		inner, stop = context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*modularShare))
	}
	r, err := contracts.Verify(inner, p.encoding.Program, false, contracts.Options{
		Encode: encode.Options{Entry: p.values.Text("main"), ErrorProcedures: p.errorProcedures(), Everywhere: true},
		Open:   z3.Open, Seed: uint64(p.values.Int("seed")), Each: contractsEach,
	})
	stop()
	p.stats.AddTime("time.contracts", time.Since(start))
	v := verdict{}
	if err == nil {
		p.stats.Add("contracts.obligations", int64(r.Obligations))
		v.modular = newModularReport(r)
		if r.Proved {
			v.Answer = engine.Answer{Verdict: engine.Sat, Engine: "contracts"}
			return v
		}
	}
	v.Answer = solve(ctx, req)
	switch {
	case v.Verdict == engine.Sat:
		for i := range v.modular.procedures() {
			v.modular.Procedures[i].Verified, v.modular.Procedures[i].Obligations = true, nil
		}
	case v.Refutation != nil:
		// A run that fails only because a contract says too little is none of the program's.
		v.contract = replay.Obligation(p.encoding, v.Refutation)
		v.Answer = engine.Answer{Engine: v.Engine, Lane: v.Lane, Reason: "not proved by contracts and invariants alone: " + v.contract}
	}
	return v
}

func newModularReport(r *contracts.Result) *modularReport {
	out := &modularReport{}
	for _, q := range r.Procedures {
		m := modularProcedure{Procedure: q.Name, Verified: len(q.Failed) == 0}
		for _, o := range q.Failed {
			m.Obligations = append(m.Obligations, replay.Describe(r.Encoding, o.Clause))
		}
		out.Procedures = append(out.Procedures, m)
	}
	for _, c := range r.Candidates {
		out.Candidates = append(out.Candidates, modularCandidate{Constant: c, Holds: slices.Contains(r.Held, c)})
	}
	for _, s := range r.Specifications {
		out.Candidates = append(out.Candidates, modularCandidate{Specification: fmt.Sprintf("%s: %s", s.Pos, ast.String(s.Cond)), Holds: s.Holds})
	}
	return out
}

func (m *modularReport) procedures() []modularProcedure {
	if m == nil {
		return nil
	}
	return m.Procedures
}

// printModular writes a line for each procedure that is verified, and for each obligation of others, and then one for each
// candidate.
func (p *program) printModular(m *modularReport) error {
	for _, q := range m.Procedures {
		if q.Verified {
			if _, err := fmt.Fprintf(p.out, "%s: verified\n", q.Procedure); err != nil {
				return err
			}
		}
		for _, o := range q.Obligations {
			if _, err := fmt.Fprintln(p.out, o); err != nil {
				return err
			}
		}
	}
	for _, c := range m.Candidates {
		line := fmt.Sprintf("%s = %t", c.Constant, c.Holds)
		switch {
		case c.Specification != "" && c.Holds:
			line = c.Specification + " holds"
		case c.Specification != "":
			line = c.Specification + " is dropped"
		}
		if _, err := fmt.Fprintln(p.out, line); err != nil {
			return err
		}
	}
	return nil
}
