package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/proof"
)

// prove turns the model of a safe program into what is to be shown of it. A model without interpretations is that of a
// program whose own contracts and invariants prove it.
func (p *Boogie) prove(ctx context.Context, r *Result) error {
	stats := p.request.Solver.Stats
	start := time.Now()
	defer func() { stats.AddTime("time.proof", time.Since(start)) }()
	if r.Model == nil {
		return errors.New("the engine gave no model")
	}
	claims := proof.Claims(p.Encoding, r.Model, proof.Options{ErrorProcedures: p.request.Options.Errors})
	if err := proof.Reduce(ctx, p.Encoding, claims, p.request.Solver.Open); err != nil && ctx.Err() == nil {
		return err
	}
	out := &Proof{About: "every procedure is verified by its contract"}
	places, dropped := proof.Places(p.Encoding, claims)
	out.Places, out.Text = places, proof.Text(places)
	for _, d := range dropped {
		out.Dropped = append(out.Dropped, engine.OneLine(d.String()))
	}
	r.Proof = out
	found, _ := proof.Insertions(p.Encoding, claims, p.request.Source)
	out.Insertions = insertionsOf(found)
	if !p.request.Options.Annotate {
		return nil
	}
	proof.Annotate(p.Encoding, claims)
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s with what Hornbeam found that its procedures require and ensure, and the invariants of its loops.\n", p.request.File)
	for _, d := range out.Dropped {
		fmt.Fprintf(&b, "// %s\n", d)
	}
	b.WriteString("\n")
	if err := ast.Print(&b, p.Encoding.Program); err != nil {
		return fmt.Errorf("write the annotated program: %w", err)
	}
	out.Annotated = b.Bytes()
	confirming := time.Now()
	out.Unconfirmed = engine.OneLine(p.confirm(ctx, out.Annotated))
	stats.AddTime("time.confirm", time.Since(confirming))
	return nil
}

// confirm verifies an annotated program by its contracts, and returns the reason where that fails, or nothing.
func (p *Boogie) confirm(ctx context.Context, src []byte) string {
	o := p.request.Options
	own := p.request
	own.Source = src
	own.Options = Options{Main: o.Main, Errors: o.Errors, Modular: true, Strict: true, Dialect: "boogie"}
	own.Solver = portfolio.Request{Seed: own.Solver.Seed, Check: true, Open: own.Solver.Open, Log: own.Solver.Log, Stats: engine.NewStats()}
	q, err := ReadBoogie(ctx, own)
	if err != nil {
		return "it cannot be read again: " + err.Error()
	}
	if err := q.Encode(ctx); err != nil {
		return err.Error()
	}
	r := q.verifyModular(ctx)
	if r.Verdict == engine.Sat {
		return ""
	}
	if r.Modular != nil {
		i := slices.IndexFunc(r.Modular.Procedures, func(m ModularProcedure) bool { return len(m.Obligations) > 0 })
		if i >= 0 {
			return r.Modular.Procedures[i].Obligations[0]
		}
	}
	return r.Reason
}
