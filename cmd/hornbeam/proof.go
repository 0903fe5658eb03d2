package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/internal/smt/z3"
)

// shownProof is a proof as it is printed after the verdict.
type shownProof struct {
	text   []byte
	places []proof.Place
	// dropped says what of it Boogie has no words for.
	dropped []string
	// file is the annotated program, empty when none was asked for; why says what keeps its contracts and invariants from
	// being confirmed, and is empty when they are, which is then said.
	file, why, said string
}

// proofOptions are the options about proofs.
func proofOptions() []engine.Option {
	return []engine.Option{
		{Name: "proof", Kind: "bool", Default: "false", Doc: "show the proof of a safe program: what procedures, or functions of C, require and ensure, and the invariants of loops"},
		{Name: "annotate", Kind: "string", Default: "", Doc: "write a safe program to this file with its proof as contracts and invariants, and verify that as --modular does; a C program gets them as comments in ACSL"},
	}
}

// proves reports whether a proof is to be shown or written; a hunt has none.
func (p *program) proves() bool {
	return p.byContracts && (p.values.Bool("proof") || p.values.Text("annotate") != "")
}

// checkProofFlags refuses what does not go together.
func checkProofFlags(v engine.Values, files []string) error {
	switch annotate := v.Text("annotate"); {
	case v.Bool("modular") && (v.Bool("proof") || annotate != ""):
		return usageError("with --modular the contracts are the proof: there is none to show or to write")
	case v.Text("blocks") == "procedures" && (v.Bool("proof") || annotate != ""):
		return usageError("with --blocks procedures there are no invariants of loops to be shown or written: --proof and --annotate go with the other choices")
	case annotate != "" && len(files) > 1:
		return usageError("--annotate writes one program, and there are %d", len(files))
	case annotate != "":
		// Better now than after the proof.
		if _, err := os.Stat(filepath.Dir(annotate)); err != nil {
			return usageError("--annotate %s: %w", annotate, err)
		}
	}
	return nil
}

// prove turns the model of a safe program into what is to be shown of it. A model without interpretations is that of a
// program whose own contracts and invariants prove it.
func (p *program) prove(ctx context.Context, model *witness.Model, v *verdict) error {
	start := time.Now()
	defer func() { p.stats.AddTime("time.proof", time.Since(start)) }()
	if model == nil {
		return errors.New("the engine gave no model")
	}
	claims := proof.Claims(p.encoding, model, proof.Options{ErrorProcedures: p.errorProcedures()})
	v.proof = &shownProof{}
	places, dropped := proof.Places(p.encoding, claims)
	if p.values.Bool("proof") {
		v.proof.places = places
		v.proof.text = proof.Text(places)
	}
	for _, d := range dropped {
		v.proof.dropped = append(v.proof.dropped, oneLine(d.String()))
	}
	path := p.values.Text("annotate")
	if path == "" {
		return nil
	}
	v.proof.file, v.proof.said = path, "every procedure is verified by its contract"
	proof.Annotate(p.encoding, claims)
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s with what Hornbeam found that its procedures require and ensure, and the invariants of its loops.\n", p.name)
	for _, d := range v.proof.dropped {
		fmt.Fprintf(&b, "// %s\n", d)
	}
	b.WriteString("\n")
	if err := ast.Print(&b, p.encoding.Program); err != nil {
		return fmt.Errorf("write the annotated program: %w", err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return usageError("write the annotated program: %w", err)
	}
	confirming := time.Now()
	v.proof.why = oneLine(p.confirm(ctx, path, b.Bytes()))
	p.stats.AddTime("time.confirm", time.Since(confirming))
	return nil
}

// confirm verifies an annotated program by its contracts, and returns what is in the way of that, or nothing.
func (p *program) confirm(ctx context.Context, file string, src []byte) string {
	read := boogie.Options{Strict: true, Dialect: boogie.DialectBoogie}
	entry := p.values.Text("main")
	if entry != "" {
		read.Entries = []string{entry}
	}
	tree, err := boogie.Read(file, src, read)
	if err != nil {
		return "it cannot be read again: " + err.Error()
	}
	e, err := encode.Encode(ctx, tree, term.NewPool(), encode.Options{ErrorProcedures: p.errorProcedures(), Modular: true})
	if err != nil {
		return err.Error()
	}
	q := *p
	q.encoding, q.stats = e, engine.NewStats()
	v := q.decideModular(ctx, portfolio.Request{System: e.System, Seed: uint64(p.values.Int("seed")), Check: true, Open: z3.Open, Log: p.log, Stats: q.stats})
	if v.Verdict == engine.Sat {
		return ""
	}
	for _, m := range v.modular.procedures() {
		if len(m.Obligations) > 0 {
			return m.Obligations[0]
		}
	}
	return v.Reason
}

// printProof writes a proof behind the verdict.
func (p *program) printProof(s *shownProof) error {
	for _, d := range s.dropped {
		p.err.comment("%s", d)
	}
	if _, err := p.out.Write(s.text); err != nil {
		return err
	}
	switch {
	case s.file == "":
	case s.why == "":
		if _, err := fmt.Fprintf(p.out, "%s: %s\n", s.file, s.said); err != nil {
			return err
		}
	default:
		p.err.comment("%s is not verified by its contracts: %s", s.file, s.why)
		p.err.comment("the verdict does not depend on that: the model of the clauses was checked")
	}
	return nil
}
