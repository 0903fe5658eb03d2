package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	replay "hornbeam/frontend/boogie/trace"
	"hornbeam/frontend/svlib"
	"hornbeam/internal/smt"
)

// witnessSimplify is the most time that goes into making a proof smaller of which a script asks for the witness.
const witnessSimplify = 2 * time.Second

// Call is what is known of a verify-call of a script in SV-LIB.
type Call struct {
	Pos     chc.Position
	Verdict engine.Verdict
	Reason  string
	// Asked says that the script asks for the witness.
	Asked bool
	// Commands are those of the witness, empty where there is none, and Missing says why. Dropped says what a proof has that a
	// witness has no words for, and Unconfirmed why the witness is not confirmed.
	Commands, Missing, Unconfirmed string
	Dropped                        []string
}

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
	p := &SVLIB{script, r.withDefaults()}
	if script.AsksForWitness() {
		p.request.Solver.Spelled = true
		if p.request.Solver.Simplify == 0 {
			p.request.Solver.Simplify = witnessSimplify
		}
	}
	return p, nil
}

// boogie is a translation as a program that was read, with what records its run that fails.
func (p *SVLIB) boogie(program *svlib.Program) (*Boogie, *svlib.Recorder) {
	r := svlib.NewRecorder(program)
	return &Boogie{Tree: program.Tree, request: p.request, observe: r.Observe}, r
}

func (p *SVLIB) clauses(ctx context.Context) (*chc.System, error) {
	if len(p.Script.Calls) == 0 {
		return nil, fmt.Errorf("%s: a script without verify-call has no clauses", p.request.File)
	}
	runs, err := p.Script.Runs(p.Script.Calls[0])
	if err != nil {
		return nil, err
	}
	program, _ := p.boogie(runs)
	return program.clauses(ctx)
}

// decide decides the script: it is safe when all of its verify-calls are correct, and unsafe when one is incorrect, whose run the
// result has.
func (p *SVLIB) decide(ctx context.Context) (*Result, error) {
	var worst *Result
	var calls []Call
	for i, c := range p.Script.Calls {
		own, stop := ctx, func() {}
		if end, ok := ctx.Deadline(); ok {
			own, stop = context.WithTimeout(ctx, time.Until(end)/time.Duration(len(p.Script.Calls)-i))
		}
		known := Call{Pos: c.Pos, Asked: c.Witness}
		r, err := p.call(own, c, &known)
		stop()
		if err != nil {
			if r, err = Unread(ctx, err); err != nil {
				return nil, err
			}
		}
		known.Verdict, known.Reason = r.Verdict, r.Reason
		calls = append(calls, known)
		if worst == nil || r.Verdict == engine.Unsat && worst.Verdict != engine.Unsat || r.Verdict == engine.Unknown && worst.Verdict == engine.Sat {
			worst = r
		}
	}
	if worst == nil {
		worst = unknown("nothing is asked: the script has no verify-call")
	}
	worst.SVLIB = calls
	if p.request.Options.Witness || p.Script.AsksForWitness() {
		p.confirm(ctx, calls)
	}
	return worst, nil
}

// call decides a verify-call. Runs are decided first, and then, where annotations are to be proofs, whether they are strong enough.
// A select-trace before the call leaves one run to be looked at.
func (p *SVLIB) call(ctx context.Context, c *svlib.VerifyCall, known *Call) (*Result, error) {
	if c.Trace != nil {
		if err := p.follow(ctx, p.Script, c); err != nil {
			return unknown(fmt.Sprintf("%s: the trace is not confirmed: %s", c.Trace.Pos, err)), nil
		}
		known.Commands = c.Trace.Source + "\n"
		return &Result{Answer: engine.Answer{Verdict: engine.Unsat, Engine: "trace"}}, nil
	}
	open := p.Script.Open(c)
	claims, exact := p.Script.Claims(c)
	runs, err := p.Script.Runs(c)
	if err != nil {
		return nil, err
	}
	program, recorder := p.boogie(runs)
	r, err := program.decide(ctx)
	switch {
	case err != nil:
		return nil, err
	case r.Verdict == engine.Unsat:
		known.violated(recorder)
		r.Trace = runs.Explain(r.Trace)
		return r, nil
	case r.Verdict == engine.Unknown || open != "":
		return closed(r, open), nil
	}
	proof := r
	if claims {
		proved, err := program.contracts(ctx, runs.Tree, true, encode.Options{})
		if err != nil || !proved.Proved {
			modular, err := p.Script.Modular(c)
			if err != nil {
				return nil, err
			}
			strong, recorder := p.boogie(modular)
			if r, err = strong.decide(ctx); err != nil {
				return nil, err
			}
			switch {
			case r.Verdict == engine.Unsat && !exact:
				return unknown("no run breaks an annotation, but an invariant at a label may be too weak for a proof: " + r.Trace.Failure().Pos.String()), nil
			case r.Verdict == engine.Unsat:
				known.violated(recorder)
				r.Trace = modular.Explain(r.Trace)
				r.Notes = append(r.Notes, "no run breaks an annotation: an invariant or contract is too weak to be a proof")
			}
		}
	}
	switch {
	case r.Verdict != engine.Sat || proof.Model == nil:
	case proof.Model.Least:
		known.Missing = "the proof is that of all derivations together, which has no invariants to write"
	default:
		known.Commands, known.Dropped = runs.Annotations(program.Encoding, proof.Model)
	}
	return r, nil
}

// closed takes back a verdict that all is correct where something remains open.
func closed(r *Result, open string) *Result {
	if r.Verdict == engine.Sat {
		return unknown("unsupported: " + open)
	}
	return r
}

// violated takes over the witness of a run that breaks an annotation.
func (c *Call) violated(r *svlib.Recorder) {
	text, err := r.Witness()
	if err != nil {
		c.Missing = engine.OneLine(err.Error())
	}
	c.Commands = text
}

// Witness is the witness of the script: a list of commands for each verify-call, or for those only that are asked for.
func (r *Result) Witness(file, producer string, asked bool) []byte {
	var b strings.Builder
	for _, c := range r.SVLIB {
		if asked && !c.Asked {
			continue
		}
		b.WriteString("(")
		if c.Verdict != engine.Unknown && c.Missing == "" {
			b.WriteString(svlib.Head(file, producer) + c.Commands)
		}
		b.WriteString(")\n")
	}
	return []byte(b.String())
}

// confirm checks the witnesses of calls as CheckSVLIB does, and says of those that are not confirmed why.
func (p *SVLIB) confirm(ctx context.Context, calls []Call) {
	r := &Result{SVLIB: calls}
	script, speaks, err := svlib.WithWitness(p.request.File, p.request.Source, p.request.File+".witness", r.Witness(p.request.File, "hornbeam", false))
	if err != nil {
		for i := range calls {
			calls[i].Unconfirmed = engine.OneLine(err.Error())
		}
		return
	}
	for i, c := range speaks {
		if calls[i].Verdict == engine.Unknown || calls[i].Missing != "" {
			continue
		}
		if err := p.checked(ctx, script, c); err != nil {
			calls[i].Unconfirmed = engine.OneLine(err.Error())
		}
	}
}

// CheckSVLIB checks the witness of a script in SV-LIB: a proof by contracts and invariants alone, a run that fails by the program's
// interpreter. It says what was checked. The error is of the input, or wraps witness.ErrInvalid or witness.ErrUndecided.
func CheckSVLIB(ctx context.Context, file string, src []byte, witnessFile string, text []byte, open smt.Opener) (what string, err error) {
	script, calls, err := svlib.WithWitness(file, src, witnessFile, text)
	if err != nil {
		return "", err
	}
	r := Request{File: file, Source: src}
	r.Solver.Open, r.Solver.Stats = open, engine.NewStats()
	p := &SVLIB{script, r.withDefaults()}
	traces := 0
	for _, c := range calls {
		if err := p.checked(ctx, script, c); err != nil {
			return "", fmt.Errorf("%s: %w", c.Pos, err)
		}
		if c.Trace != nil {
			traces++
		}
	}
	return fmt.Sprintf("the witness of %d calls, of which %d are incorrect,", len(calls), traces), nil
}

// checked checks the witness that stands before a verify-call.
func (p *SVLIB) checked(ctx context.Context, script *svlib.Script, c *svlib.VerifyCall) error {
	if c.Trace != nil {
		return p.follow(ctx, script, c)
	}
	if open := script.Open(c); open != "" {
		return fmt.Errorf("%w: unsupported: %s", witness.ErrUndecided, open)
	}
	program, err := script.Runs(c)
	if err != nil {
		return err
	}
	b, _ := p.boogie(program)
	proved, err := b.contracts(ctx, program.Tree, true, encode.Options{})
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", witness.ErrUndecided, err)
	case proved.Proved:
		return nil
	}
	i := slices.IndexFunc(proved.Procedures, func(q contracts.Procedure) bool { return len(q.Failed) > 0 })
	if i < 0 {
		return fmt.Errorf("%w: nothing was proved", witness.ErrUndecided)
	}
	reason, failed := witness.ErrInvalid, proved.Procedures[i].Failed[0]
	if failed.Why != "" {
		reason = witness.ErrUndecided
	}
	return fmt.Errorf("%w: %s", reason, replay.Describe(proved.Encoding, failed.Clause))
}

// follow runs the program as the select-trace before a verify-call says.
func (p *SVLIB) follow(ctx context.Context, script *svlib.Script, c *svlib.VerifyCall) error {
	translate := script.Runs
	if c.Trace.Leaps() {
		translate = script.Modular
	}
	program, err := translate(c)
	if err != nil {
		return err
	}
	err = program.Replay(ctx, c.Trace)
	switch {
	case errors.Is(err, svlib.ErrRefused):
		return fmt.Errorf("%w: %w", witness.ErrInvalid, err)
	case err != nil:
		return fmt.Errorf("%w: %w", witness.ErrUndecided, err)
	}
	return nil
}
