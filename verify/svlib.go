package verify

import (
	"context"
	"fmt"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/svlib"
)

// SVLIB is a script in SV-LIB that was read.
type SVLIB struct {
	Script  *svlib.Script
	request Request
}

func readSVLIB(r Request) (*SVLIB, error) {
	script, err := svlib.Read(r.File, r.Source)
	if err != nil {
		return nil, err
	}
	r.Options.Main, r.Options.Errors, r.Options.Modular = "", nil, false
	return &SVLIB{script, r.withDefaults()}, nil
}

// boogie is a translation as a program that was read.
func (p *SVLIB) boogie(program *svlib.Program) *Boogie {
	return &Boogie{Tree: program.Tree, request: p.request}
}

func (p *SVLIB) clauses(ctx context.Context) (*chc.System, error) {
	if len(p.Script.Calls) == 0 {
		return nil, fmt.Errorf("%s: a script without verify-call has no clauses", p.request.File)
	}
	runs, err := p.Script.Runs(p.Script.Calls[0])
	if err != nil {
		return nil, err
	}
	return p.boogie(runs).clauses(ctx)
}

// decide decides the script: it is safe when all of its verify-calls are correct, and unsafe when one is incorrect, whose run the
// result has.
func (p *SVLIB) decide(ctx context.Context) (*Result, error) {
	var worst *Result
	for i, c := range p.Script.Calls {
		own, stop := ctx, func() {}
		if end, ok := ctx.Deadline(); ok {
			own, stop = context.WithTimeout(ctx, time.Until(end)/time.Duration(len(p.Script.Calls)-i))
		}
		r, err := p.call(own, c)
		stop()
		if err != nil {
			if r, err = Unread(ctx, err); err != nil {
				return nil, err
			}
		}
		if worst == nil || r.Verdict == engine.Unsat && worst.Verdict != engine.Unsat || r.Verdict == engine.Unknown && worst.Verdict == engine.Sat {
			worst = r
		}
	}
	if worst == nil {
		worst = &Result{Answer: engine.Answer{Verdict: engine.Sat}, Notes: []string{"nothing to check: there is no verify-call"}}
	}
	return worst, nil
}

// call decides a verify-call. Where annotations are to be proofs, they are tried as the proof first; then runs are decided, and at
// last whether the annotations are strong enough for a proof.
func (p *SVLIB) call(ctx context.Context, c *svlib.VerifyCall) (*Result, error) {
	open := p.Script.Open(c)
	claims, exact := p.Script.Claims(c)
	runs, err := p.Script.Runs(c)
	if err != nil {
		return nil, err
	}
	program := p.boogie(runs)
	r, err := program.decide(ctx)
	if err != nil || r.Verdict != engine.Sat || !claims {
		return closed(r, open), err
	}
	proved, err := program.contracts(ctx, runs.Tree, true, encode.Options{})
	if err == nil && proved.Proved {
		return closed(r, open), nil
	}
	modular, err := p.Script.Modular(c)
	if err != nil {
		return nil, err
	}
	m, err := p.boogie(modular).decide(ctx)
	switch {
	case err != nil:
		return nil, err
	case m.Verdict == engine.Unsat && !exact:
		return unknown("no run breaks an annotation, but an invariant at a label may be too weak for a proof: " + m.Trace.Failure().Pos.String()), nil
	case m.Verdict == engine.Unsat:
		m.Notes = append(m.Notes, "no run breaks an annotation: an invariant or contract is too weak to be a proof")
	}
	return closed(m, open), nil
}

// closed takes back a verdict that all is correct where something remains open.
func closed(r *Result, open string) *Result {
	if r != nil && r.Verdict == engine.Sat && open != "" {
		return unknown("unsupported: " + open)
	}
	return r
}
