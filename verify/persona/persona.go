package persona

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"hornbeam/chc/witness"
	"hornbeam/chc/witness/proof"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/bounded"
	"hornbeam/verify/session"
)

// Call is a call of one of the tools.
type Call struct {
	Tool      string
	Arguments []string
	In        io.Reader
	Out       io.Writer
	// Comment writes a line to standard error.
	Comment func(format string, args ...any)
	// Version is Hornbeam's.
	Version string
	// Cache is the folder with the answers of earlier calls; "" is none.
	Cache string
	// Solver says how clauses are decided: all but the clauses, limits and the model.
	Solver portfolio.Request
}

// simplifyShare is the part of the time that goes into making a model smaller.
const simplifyShare = 10

// Run answers the call. It reports whether something was wrong with the script, which z3 ends with the exit code 1 for; the error is a
// *UsageError, one of reading or one of writing.
func Run(ctx context.Context, c Call) (wrong bool, err error) {
	a, err := read(c.Tool, c.Arguments)
	if err != nil {
		return false, err
	}
	switch {
	case a.version:
		_, err := fmt.Fprintf(c.Out, "Hornbeam version %s, in place of %s\n", c.Version, c.Tool)
		return false, err
	case a.help:
		_, err := fmt.Fprintf(c.Out, "Hornbeam version %s decides Horn clauses here with the command line of %s.\n", c.Version, c.Tool)
		return false, err
	}
	in, name := c.In, "<stdin>"
	if a.file != "" {
		file, err := os.Open(a.file)
		if err != nil {
			return false, err
		}
		defer file.Close()
		in, name = file, a.file
	}
	ctx, stop := portfolio.WithLimits(ctx, before(a.total), a.memory)
	defer stop()
	p := &persona{Call: c, arguments: a}
	err = session.Run(ctx, session.Options{
		Name: name, In: in, Out: c.Out, Version: c.Version, BareEcho: true, Always: c.Tool == Eldarica, Patience: before(a.limit),
		Decide: p.decide, Undecided: func(_ *smtlib.Script, reason string) error { return p.unknown(reason) },
		Model: p.printModel, Proof: p.printProof, Error: p.wrong,
	})
	return p.failed, err
}

// persona is a call that is being answered.
type persona struct {
	Call
	*arguments
	// failed says that something was wrong with a command.
	failed bool
}

// decide decides a script and prints the answer.
func (p *persona) decide(ctx context.Context, script *smtlib.Script, memory *session.Memory) (engine.Answer, error) {
	limit := before(p.limit)
	if script.Timeout > 0 && (limit == 0 || script.Timeout < limit) {
		limit = script.Timeout
	}
	ctx, stop := portfolio.WithLimits(ctx, limit, 0)
	defer stop()
	a, err := bounded.Run(ctx, func() (engine.Answer, error) {
		if a, ok := p.cached(ctx, script); ok {
			return a, nil
		}
		req := p.Solver
		req.System, req.Check, req.Repeats, req.Stats = script.System, true, true, engine.NewStats()
		if p.model {
			req.Spelled = true
			req.Simplify = limit / simplifyShare
			if limit == 0 {
				req.Simplify = time.Second
			}
		}
		a := memory.Solve(ctx, script, req)
		p.keep(script, a)
		return a, nil
	})
	if err != nil {
		a = engine.Answer{Reason: engine.OneLine(err.Error())}
		if errors.Is(err, bounded.ErrLeftBehind) {
			a.Reason = portfolio.EndReason(ctx)
		}
	}
	if a.Verdict == engine.Unknown {
		return a, p.unknown(a.Reason)
	}
	if _, err := fmt.Fprintln(p.Out, a.Verdict); err != nil {
		return a, err
	}
	if p.model && a.Verdict == engine.Sat {
		return a, p.printModel(script, a)
	}
	return a, nil
}

// unknown prints that a check has no verdict.
func (p *persona) unknown(reason string) error {
	p.Comment("%s", reason)
	_, err := fmt.Fprintln(p.Out, engine.Unknown)
	return err
}

// printModel prints a model. Where hosts could not read it, they are better off with the verdict alone.
func (p *persona) printModel(script *smtlib.Script, a engine.Answer) error {
	if p.model && a.Model.Least {
		p.Comment("the model is the least one, of which there are no invariants to print")
		return nil
	}
	var text bytes.Buffer
	if err := witness.PrintModel(&text, script.DeclaredSystem(), a.Model); err != nil {
		return err
	}
	if len(a.Model.Definitions) > 0 {
		p.Comment("the model defines recursive functions and is not printed")
		return nil
	}
	_, err := p.Out.Write(withSumsOfNaturals(text.Bytes()))
	return err
}

// printProof prints a refutation in z3's form, which repeats no steps; nothing, which hosts take for no proof, when it is too long
// without.
func (p *persona) printProof(script *smtlib.Script, a engine.Answer) error {
	if _, err := a.Refutation.Unroll(witness.MaxWritten); err != nil {
		p.Comment("%s", err)
		return nil
	}
	return proof.WriteZ3(p.Out, script.DeclaredSystem(), a.Refutation, false)
}

// wrong prints an error of a command as z3 does.
func (p *persona) wrong(e *smtlib.Error, _ bool) error {
	p.failed = true
	_, err := fmt.Fprintf(p.Out, "(error %s)\n", session.Quote(fmt.Sprintf("line %d column %d: %s", e.Pos.Line, e.Pos.Column, engine.OneLine(e.Msg))))
	return err
}
