package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"hornbeam/chc/ledger"
	"hornbeam/engine"
	"hornbeam/frontend/c/harness"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/proof"
	"hornbeam/frontend/c/svcomp"
	ctrace "hornbeam/frontend/c/trace"
	"hornbeam/frontend/trace"
)

// Of a run of more than longTrace steps only the first eventsOfLongTrace events are told, and how it ends.
const (
	longTrace         = 5_000_000
	eventsOfLongTrace = 20_000
)

// report adds to a result what is to be shown of it: the run that fails, or the proof.
func (p *C) report(ctx context.Context, r *Result) error {
	o := p.request.Options
	switch {
	case r.Verdict == engine.Unsat && (o.Trace || o.Witness):
		return p.rerun(ctx, r)
	case r.Verdict == engine.Sat && o.Proof:
		start := time.Now()
		r.Proof = p.proof(ctx)
		p.request.Solver.Stats.AddTime("time.proof", time.Since(start))
	}
	return nil
}

// lateTrace is how long a trace may still be made when the time is over. The verdict does without it then.
const lateTrace = 50 * time.Millisecond

// rerun repeats the run of the evidence, for the trace and the witness. Of a long one only the beginning and the end are told. A trace
// for which there is no time left is none, as the verdict is known; of a witness the verdict is worth nothing without it.
func (p *C) rerun(ctx context.Context, r *Result) error {
	telling, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	if !p.request.Options.Witness {
		defer context.AfterFunc(ctx, func() { time.AfterFunc(lateTrace, stop) })()
	}
	recorder := ctrace.NewRecorder()
	for _, u := range p.units {
		recorder.Source(u.Name, u.Text)
	}
	if p.request.Options.Witness {
		p.violation = &svcomp.Violation{}
	}
	most := 0
	if o := p.Evidence.Outcome; o.Steps+o.Searched > longTrace {
		most = eventsOfLongTrace
	}
	events := 0
	_, err := p.Evidence.Runner.WatchFirst(telling, p.Evidence.Script, most, func(e interpret.Event) {
		if events++; most > 0 && events > most {
			recorder.Rest(p.Evidence.Outcome.Steps)
		}
		recorder.Observe(e)
		if p.violation != nil {
			p.violation.Observe(e)
		}
	}, recorder.Access)
	switch {
	case err != nil && telling.Err() != nil:
		r.Notes = append(r.Notes, "the run is not shown, as the time is over")
		return nil
	case err != nil || !p.request.Options.Trace:
		return err
	}
	r.Trace = recorder.Trace()
	for _, a := range r.Assumptions {
		if a.Kind == ledger.SignedOverflow {
			r.Trace.Note = a.String()
		}
	}
	return nil
}

// known is what a proof knows of the program; false if that is nothing.
func (p *C) known() (proof.Proof, bool) {
	e := p.Evidence
	if e.Encoding == nil || e.Model == nil {
		return proof.Proof{}, false
	}
	return proof.Proof{Program: p.Tree, Translation: e.Translation, Encoding: e.Encoding, Model: e.Model, Entry: p.entryName(), Open: p.request.Solver.Open}, true
}

// proof is the proof of a safe program in ACSL.
func (p *C) proof(ctx context.Context) *Proof {
	var places []proof.Place
	out := &Proof{About: "the program with what holds at its functions and loops, in ACSL"}
	if known, ok := p.known(); ok {
		var dropped []proof.Dropped
		places, dropped = proof.Places(ctx, known, proof.Logical)
		for _, d := range dropped {
			out.Dropped = append(out.Dropped, engine.OneLine(d.String()))
		}
		out.Reasons = reasons(dropped)
		if p.Evidence.LoopsWrittenOut {
			out.Reasons = append(out.Reasons, "the proof is of a program whose loops are written out: it says nothing of these")
		}
	}
	out.Places, out.Text = proof.Documents(places), proof.Text(places)
	out.Insertions = p.insertions(places)
	if !p.request.Options.Annotate {
		return out
	}
	written := 0
	for _, u := range p.units {
		text, left := proof.Annotate(u.Text, u.Name, places)
		written += len(places) - left
		out.Files = append(out.Files, AnnotatedFile{Name: u.Name, Text: text})
	}
	out.Annotated = out.Files[0].Text
	if left := len(places) - written; left > 0 {
		out.Omitted = fmt.Sprintf("what holds in included files and macros is not written: %s", trace.Plural(left, "place"))
	}
	return out
}

// insertions put what holds at places into the program, and into the files on the disk that it includes: those of the C library are none.
func (p *C) insertions(places []proof.Place) []Insertion {
	var included []string
	for _, place := range places {
		if place.Pos.File != p.Tree.Name && place.Pos.File != "" {
			included = append(included, place.Pos.File)
		}
	}
	slices.Sort(included)
	var out []Insertion
	add := func(file, name string, source []byte) {
		found, _ := proof.Insertions(source, name, places)
		for _, i := range found {
			out = append(out, Insertion{
				File: file, Offset: i.Offset, Text: i.Text, Procedure: i.Place.Function.Name, Pos: i.Place.Pos, Conditions: i.Place.Conditions(),
			})
		}
	}
	add("", p.Tree.Name, p.request.Source)
	for _, file := range slices.Compact(included) {
		if source, err := os.ReadFile(file); err == nil {
			add(file, file, source)
		}
	}
	return out
}

// reasons are the reasons for what is left out at each place, in the order of the first of each.
func reasons(dropped []proof.Dropped) []string {
	var order []string
	counts := map[string]int{}
	for _, d := range dropped {
		d.What = ""
		if counts[d.String()]++; counts[d.String()] == 1 {
			order = append(order, d.String())
		}
	}
	for i, r := range order {
		if n := counts[r]; n > 1 {
			r += " (" + trace.Plural(n, "condition") + ")"
		}
		order[i] = engine.OneLine("  " + r)
	}
	return order
}

// files are those of the program.
func (p *C) files() []svcomp.File {
	var out []svcomp.File
	for _, u := range p.units {
		out = append(out, svcomp.File{Name: u.Name, Text: u.Text})
	}
	return out
}

// Witness is a witness of the verdict, which Options.Witness asked for, in the format of SV-COMP, version 2.0: of a bug its run, of a proof the invariants of loops.
// dropped says what of a proof C has no words for, a line each.
func (p *C) Witness(ctx context.Context, r *Result, version string) (document []byte, dropped []string, err error) {
	m := svcomp.Metadata{
		Files: p.files(), Property: p.property.Text, Model: p.model.Name, Version: version, Created: time.Now(),
	}
	if r.Verdict == engine.Unsat {
		document, err = p.violation.Document(m)
		return document, nil, err
	}
	var invariants []svcomp.Invariant
	if known, ok := p.known(); ok {
		var left []proof.Dropped
		invariants, left = svcomp.Invariants(ctx, known, p.files())
		for _, d := range left {
			dropped = append(dropped, engine.OneLine(d.String()))
		}
	}
	p.request.Solver.Log.Info("witness", "invariants", len(invariants), "dropped", len(dropped))
	document, err = svcomp.Correctness(m, invariants)
	return document, dropped, err
}

// Harness is a C program that repeats the run that reaches the error when it is compiled by gcc. The error says why there is none.
func (p *C) Harness(ctx context.Context) ([]byte, error) {
	if len(p.units) > 1 {
		return nil, errors.New("the program has several files")
	}
	start := time.Now()
	defer func() { p.request.Solver.Stats.AddTime("time.harness", time.Since(start)) }()
	return harness.Write(context.WithoutCancel(ctx), harness.Input{
		Name: p.Tree.Name, Text: p.request.Source, Read: p.units[0].Options, Tree: p.Tree, Runner: p.Evidence.Runner, Script: p.Evidence.Script,
		Options: p.options.Run(),
	})
}

// Confirm compiles a harness with gcc and runs it. The error says why it does not reach the error.
func (p *C) Confirm(ctx context.Context, text []byte) error {
	if _, err := exec.LookPath("gcc"); err != nil {
		return errors.New("not run: there is no gcc")
	}
	if k := p.Evidence.Outcome.Fault; harness.Silent.Has(k) {
		return fmt.Errorf("not run: gcc has no sanitizer for faults of the kind %s", k)
	}
	start := time.Now()
	defer func() { p.request.Solver.Stats.AddTime("time.harness", time.Since(start)) }()
	reached, err := harness.Confirm(context.WithoutCancel(ctx), p.model, p.options.Translate.Faults, text)
	switch {
	case errors.Is(err, harness.ErrNotRun):
		return fmt.Errorf("not run: %w", harness.ErrNotRun)
	case err != nil:
		return fmt.Errorf("not confirmed: %w", err)
	case !reached:
		return errors.New("not confirmed: gcc's program does not reach the error")
	}
	return nil
}
