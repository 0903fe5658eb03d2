package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hornbeam/bench/task"
	"hornbeam/chc"
	"hornbeam/chc/ledger"
	"hornbeam/cmd/hornbeam/internal/sarif"
	"hornbeam/engine"
	"hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/frontend/trace"
	"hornbeam/internal/bounded"
	"hornbeam/verify"
)

// programJob is one program that is being decided.
type programJob struct {
	*job
	file    string
	stats   *engine.Stats
	request verify.Request
	// files are the program and what it was made from; nil before it is read.
	files *trace.Files
	// unwritten says that the annotated program could not be written.
	unwritten bool
}

// read reads the program's text, and before it the definition of a task where the file is one.
func (p *programJob) read() error {
	options, err := p.programOptions()
	if err != nil {
		return err
	}
	path := p.file
	if filepath.Ext(path) == ".yml" {
		t, err := definition(path)
		if err != nil {
			return err
		}
		path = t.Inputs[0]
		options.Property = cmp.Or(options.Property, t.PropertyFile)
		options.ILP32 = options.ILP32 || t.DataModel == "ILP32" && !options.LP64
	}
	name, src, err := readFile(path, p.in)
	if err != nil {
		return err
	}
	p.files = trace.NewFiles(name, src)
	p.request = verify.Request{File: name, Source: src, Language: p.languages[p.file], Solver: p.solver(p.stats)}
	if p.request.Units, err = p.units(name, src, &options); err != nil {
		return err
	}
	p.describeUnits()
	p.request.Options = options
	if options.Proof || options.Witness {
		// Of a smaller model more can be said in the program's language.
		p.request.Solver.Simplify = p.values.Duration("simplify")
	}
	return nil
}

// programOptions are what the flags ask of programs. Flags that a command does not have are off.
func (j *job) programOptions() (verify.Options, error) {
	set := map[string]string{"modular": "false", "runs": "0"}
	for name, value := range j.values.Set() {
		set[name] = value
	}
	o, err := verify.NewOptions(set)
	if err != nil {
		return o, &coded{exitUsage, err}
	}
	o.Track = j.values.Text("track")
	o.Trace = j.values.Text("trace") != "none" || j.values.Bool("json") || j.values.Has("sarif") && j.values.Text("sarif") != ""
	if j.values.Has("annotate") {
		o.Annotate = j.values.Text("annotate") != ""
		o.Proof = o.Annotate || j.values.Bool("proof")
	}
	o.Witness = j.values.Text("witness") != ""
	return o, nil
}

// definition reads a task definition. Of several properties the first that can be decided counts.
func definition(file string) (task.Task, error) {
	tasks, err := task.Load(file)
	if err != nil {
		// What is around it says that a list of tasks is read.
		return task.Task{}, cmp.Or(errors.Unwrap(err), err)
	}
	t := tasks[0]
	for _, other := range tasks {
		if verify.Decidable(other.PropertyFile) {
			t = other
			break
		}
	}
	if len(t.Inputs) != 1 {
		return t, fmt.Errorf("%s: a task of %d files, and only those of one are read", file, len(t.Inputs))
	}
	return t, nil
}

// decide reads the program, decides it and writes the files that were asked for. An error is one of the input, or of usage.
func (p *programJob) decide(ctx context.Context) (*verify.Result, error) {
	if err := p.read(); err != nil {
		return nil, err
	}
	r, err := verify.Program(ctx, p.request)
	if err != nil {
		return nil, err
	}
	p.writeFiles(ctx, r)
	return r, nil
}

// writeFiles writes the witness, the harness and the annotated program of a verdict where they were asked for. What cannot be
// written is a note: the verdict does not depend on it.
func (p *programJob) writeFiles(ctx context.Context, r *verify.Result) {
	note := func(flag, file string, err error) {
		r.Notes = append(r.Notes, engine.OneLine(fmt.Sprintf("--%s %s is not written: %s", flag, file, err)))
	}
	write := func(flag, file string, text []byte) bool {
		err := os.WriteFile(file, text, 0o666)
		if err != nil {
			note(flag, file, err)
		}
		return err == nil
	}
	if file := p.values.Text("witness"); file != "" && len(r.SVLIB) > 0 {
		write("witness", file, r.Witness(p.request.File, "hornbeam "+version, false))
	}
	if file := p.values.Text("witness"); file != "" && r.C != nil && r.Verdict != engine.Unknown {
		switch text, dropped, err := r.C.Witness(ctx, r, version); {
		case err != nil:
			note("witness", file, err)
		case write("witness", file, text):
			if r.Verdict == engine.Sat && p.values.Text("blocks") == "procedures" {
				r.Notes = append(r.Notes, file+": loops are procedures, so that nothing is said of them")
			}
			r.Notes = append(r.Notes, p.leftOut(file+": left out is what C has no words for", dropped)...)
		}
	}
	if file := p.values.Text("harness"); file != "" && r.C != nil && r.Verdict == engine.Unsat {
		switch text, err := r.C.Harness(ctx); {
		case err != nil:
			r.Notes = append(r.Notes, engine.OneLine(fmt.Sprintf("there is no harness: %s", err)))
		case write("harness", file, text) && p.values.Bool("harness-run"):
			confirmed := file + " is confirmed: gcc's program reaches the error"
			if err := r.C.Confirm(ctx, text); err != nil {
				confirmed = file + " is " + engine.OneLine(err.Error())
			}
			r.Notes = append(r.Notes, confirmed)
		}
	}
	if r.Proof != nil && p.values.Text("annotate") != "" {
		file := p.values.Text("annotate")
		if len(p.linked[p.file]) == 0 {
			p.unwritten = !write("annotate", file, r.Proof.Annotated)
			return
		}
		for _, f := range r.Proof.Files {
			to := beneath(file, f.Name)
			err := makeRoom(to, f.Name)
			if err != nil {
				note("annotate", to, err)
			}
			p.unwritten = err != nil || !write("annotate", to, f.Text) || p.unwritten
		}
	}
}

// leftOut says how much is left out of a proof, in a line if it is anything, or with --full what.
func (p *programJob) leftOut(what string, dropped []string) []string {
	switch {
	case len(dropped) == 0:
		return nil
	case !p.values.Bool("full"):
		return []string{what + ": " + trace.Plural(len(dropped), "condition")}
	}
	var out []string
	for _, d := range dropped {
		out = append(out, what+": "+d)
	}
	return out
}

// programCode is the exit code of a verdict on a program.
func programCode(r *verify.Result) int {
	switch {
	case r.Verdict == engine.Unsat:
		return exitBug
	case r.Verdict == engine.Sat && r.Proof != nil && r.Proof.Unconfirmed != "":
		return exitInconclusive
	case r.Verdict == engine.Sat:
		return exitOK
	case r.Internal:
		return exitInternal
	}
	return exitInconclusive
}

// programReport is the JSON object of verify --json; docs/verify.md describes it.
type programReport struct {
	report
	// SVCOMP is the verdict in SV-COMP's words, with --svcomp.
	SVCOMP string `json:"svcomp,omitempty"`
	// Bound is the recursion bound up to which a hunt found no bug, when the verdict is unknown.
	Bound *int `json:"bound,omitempty"`
	// Properties are the results of each property, or of each check with --all, where several were asked.
	Properties []propertyReport `json:"properties,omitempty"`
	Obligation string           `json:"obligation,omitempty"`
	Modular    *verify.Modular  `json:"modular,omitempty"`
	Trace      *trace.Document  `json:"trace,omitempty"`
	Proof      []proof.Place    `json:"proof,omitempty"`
	// Annotated is the file that an annotated program was written to, Unconfirmed what keeps its contracts from being
	// verified.
	Annotated   string `json:"annotated,omitempty"`
	Unconfirmed string `json:"unconfirmed,omitempty"`
	// Assumptions are what the verdict assumes, Notes what else is to be said of it.
	Assumptions []assumption `json:"assumptions,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// propertyReport is the result of one property of several, or of one check, in JSON.
type propertyReport struct {
	Property string          `json:"property"`
	Verdict  string          `json:"verdict"`
	Reason   string          `json:"reason,omitempty"`
	Trace    *trace.Document `json:"trace,omitempty"`
}

// assumption is an entry of the ledger in JSON.
type assumption struct {
	Kind  ledger.Kind `json:"kind"`
	What  string      `json:"what"`
	Names []string    `json:"names,omitempty"`
}

// find notes for --sarif what is to be said of the program.
func (p *programJob) find(r *verify.Result) {
	f := sarif.Finding{Rule: cmp.Or(r.Property, "assertion"), Place: chc.Position{File: p.file}}
	switch {
	case r.Verdict == engine.Unknown:
		f.Open, f.Message = true, "not decided: "+engine.OneLine(r.Reason)
	case r.Verdict == engine.Unsat && r.Trace != nil:
		f.Run = inTheSource(r.Trace, p.files)
		f.Place = f.Run.Failure().Pos
		_, f.Message, _ = strings.Cut(f.Run.Summary(), "error: ")
	case r.Verdict == engine.Unsat:
		f.Message = "a run breaks the property"
	default:
		return
	}
	p.findings = append(p.findings, f)
}

// printAssumptions says what the verdict assumes, in a line, or with --full a line for each assumption.
func (p *programJob) printAssumptions(assumptions []ledger.Entry) {
	var brief []string
	for _, a := range assumptions {
		if p.values.Bool("full") {
			p.err.comment("assumed: %s", engine.OneLine(a.String()))
		} else if s := a.Brief(); s != "" {
			brief = append(brief, engine.OneLine(s))
		}
	}
	if len(brief) > 0 {
		p.err.comment("assumed: %s", strings.Join(brief, "; "))
	}
}

// print writes the verdict and what was asked for after it.
func (p *programJob) print(r *verify.Result, bound *int) error {
	word := r.Word()
	if p.values.Bool("svcomp") {
		word = p.svcompWord(r)
	}
	if _, err := io.WriteString(p.out, p.verdictLine(p.file, word, r.Verdict)); err != nil {
		return err
	}
	if len(r.Properties)+len(r.Checks) > 0 {
		return p.printProperties(r)
	}
	if r.Verdict == engine.Unknown {
		p.err.comment("%s", r.Reason)
	}
	p.printAssumptions(r.Assumptions)
	for _, n := range r.Notes {
		p.err.comment("%s", n)
	}
	p.describeCalls(r)
	// A script in SV-LIB that asks for its witness gets it instead of a trace, unless that is asked for, too.
	witness := r.Witness(p.request.File, "hornbeam "+version, true)
	if p.values.Text("witness") != "" || p.values.Bool("json") {
		witness = nil
	}
	if len(witness) > 0 && !p.traced {
		r.Trace = nil
	}
	var err error
	switch {
	case p.values.Bool("json"):
		if err = encoder(p.out).Encode(p.document(r, bound)); err == nil && r.Trace != nil && p.tracePath(p.file) != "" {
			err = p.showTrace(p.file, p.files, r.Trace)
		}
	case r.Proof != nil:
		err = p.printProof(r)
	case r.Modular != nil:
		err = p.printModular(r.Modular)
	case r.Trace != nil:
		err = p.showTrace(p.file, p.files, r.Trace)
	}
	if err == nil {
		_, err = p.out.Write(witness)
	}
	if err == nil && p.values.Bool("stats") {
		printStats(p.err, r.Answer, p.stats)
	}
	return err
}

// part is the result of one of several properties or checks, with its name and its verdict in a word.
type part struct {
	name, word string
	*verify.Result
}

// parts are the results of several properties, or of the checks.
func parts(r *verify.Result) (out []part) {
	for _, q := range r.Properties {
		out = append(out, part{q.Property, q.Word(), q})
	}
	for _, c := range r.Checks {
		out = append(out, part{c.Pos.String() + ": " + c.What, c.Word(), c.Result})
	}
	return out
}

// printProperties writes a line for each of several properties, or for each check, and behind the first that a run violates
// that run.
func (p *programJob) printProperties(r *verify.Result) error {
	if p.values.Bool("json") {
		return encoder(p.out).Encode(p.document(r, nil))
	}
	said := map[*verify.Result]bool{}
	for _, q := range parts(r) {
		if _, err := fmt.Fprintf(p.out, "%s: %s\n", q.name, q.word); err != nil {
			return err
		}
		if q.Verdict == engine.Unknown {
			p.err.comment("%s: %s", q.name, q.Reason)
		}
		if said[q.Result] {
			continue
		}
		said[q.Result] = true
		p.printAssumptions(q.Assumptions)
		if q.Trace != nil {
			if err := p.showTrace(p.file, p.files, q.Trace); err != nil {
				return err
			}
		}
	}
	for _, n := range r.Notes {
		p.err.comment("%s", n)
	}
	return nil
}

// svcompWord is the verdict in SV-COMP's words.
func (p *programJob) svcompWord(r *verify.Result) string {
	return svcomp.Result(r.Verdict == engine.Sat, r.Verdict == engine.Unsat, r.Property, r.Fault)
}

// describeCalls says the verdicts of a script's verify-calls where there are several, and what is wrong with their witnesses.
func (p *programJob) describeCalls(r *verify.Result) {
	for _, c := range r.SVLIB {
		if len(r.SVLIB) > 1 {
			word := (&verify.Result{Answer: engine.Answer{Verdict: c.Verdict}}).Word()
			p.err.comment("%s: %s", c.Pos, strings.TrimSuffix(word+": "+c.Reason, ": "))
		}
		if !c.Asked && p.values.Text("witness") == "" {
			continue
		}
		if c.Missing != "" {
			p.err.comment("%s: there is no witness: %s", c.Pos, c.Missing)
		}
		for _, d := range p.leftOut(fmt.Sprintf("%s: left out of the witness is what SV-LIB has no words or tags for", c.Pos), c.Dropped) {
			p.err.comment("%s", d)
		}
		if c.Unconfirmed != "" {
			p.err.comment("%s: the witness is not confirmed: %s", c.Pos, c.Unconfirmed)
			p.err.comment("the verdict does not depend on that: its witness on the clauses was checked")
		}
	}
}

// document is the result for --json.
func (p *programJob) document(r *verify.Result, bound *int) programReport {
	out := programReport{report: newReport(p.file, r.Answer, nil, p.stats), Obligation: r.Obligation, Modular: r.Modular, Notes: r.Notes}
	out.Verdict = r.Word()
	if p.values.Bool("svcomp") {
		out.SVCOMP = p.svcompWord(r)
	}
	if r.Verdict == engine.Unknown {
		out.Bound = bound
	}
	results := parts(r)
	for _, q := range results {
		one := propertyReport{Property: q.name, Verdict: q.word}
		if q.Verdict == engine.Unknown {
			one.Reason = engine.OneLine(q.Reason)
		}
		if q.Trace != nil && p.values.Text("trace") != "none" {
			one.Trace = q.Trace.Document()
		}
		out.Properties = append(out.Properties, one)
	}
	if r.Trace != nil && len(results) == 0 && p.values.Text("trace") != "none" {
		out.Trace = r.Trace.Document()
	}
	if r.Proof != nil {
		out.Annotated, out.Unconfirmed = p.values.Text("annotate"), r.Proof.Unconfirmed
		if p.values.Bool("proof") {
			out.Proof = r.Proof.Places
		}
	}
	for _, a := range r.Assumptions {
		out.Assumptions = append(out.Assumptions, assumption{a.Kind, engine.OneLine(a.What), a.Names})
	}
	return out
}

// printProof writes a proof behind the verdict.
func (p *programJob) printProof(r *verify.Result) error {
	file, s := p.values.Text("annotate"), r.Proof
	dropped := s.Dropped
	if r.C != nil {
		dropped = p.leftOut("left out is what ACSL has no words for", s.Dropped)
		if !p.values.Bool("full") {
			dropped = append(dropped, s.Reasons...)
		}
	}
	for _, d := range dropped {
		p.err.comment("%s", d)
	}
	if s.Omitted != "" && file != "" {
		p.err.comment("%s: %s", file, s.Omitted)
	}
	if p.values.Bool("proof") {
		if _, err := p.out.Write(s.Text); err != nil {
			return err
		}
	}
	switch {
	case file == "", p.unwritten:
	case s.Unconfirmed == "":
		if _, err := fmt.Fprintf(p.out, "%s: %s\n", file, s.About); err != nil {
			return err
		}
	default:
		p.err.comment("%s is not verified by its contracts: %s", file, s.Unconfirmed)
		p.err.comment("the verdict does not depend on that: the model of the clauses was checked")
	}
	return nil
}

// printModular writes a line for each procedure that is verified, and for each obligation of others, and then one for each
// candidate.
func (p *programJob) printModular(m *verify.Modular) error {
	var lines []string
	for _, q := range m.Procedures {
		if q.Verified {
			lines = append(lines, q.Procedure+": verified")
		}
		lines = append(lines, q.Obligations...)
	}
	for _, c := range m.Candidates {
		switch {
		case c.Specification == "":
			lines = append(lines, fmt.Sprintf("%s = %t", c.Constant, c.Holds))
		case c.Holds:
			lines = append(lines, c.Specification+" holds")
		default:
			lines = append(lines, c.Specification+" is dropped")
		}
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(p.out, l); err != nil {
			return err
		}
	}
	return nil
}

// reportError writes what is wrong with a program or the call, and returns the exit code.
func (j *job) reportError(file string, err error, stats *engine.Stats) int {
	var usage *coded
	var option *verify.OptionError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(j.err, "hornbeam: %s\n", engine.OneLine(err.Error()))
		return usage.code
	case errors.As(err, &option):
		fmt.Fprintf(j.err, "hornbeam: %s\n", engine.OneLine(err.Error()))
		return exitUsage
	}
	return j.badInput(file, err, stats)
}

// program decides one program and returns its exit code. describe is the line of progress; hunted, for a hunt, turns the
// reason of an unknown into one that says up to which bound there is no bug.
func (j *job) program(ctx context.Context, file string, describe func(*engine.Stats) string, hunted func(engine.Answer, int) string) int {
	start := time.Now()
	p := &programJob{job: j, file: file, stats: engine.NewStats()}
	ctx, stop := j.limited(ctx)
	defer stop()
	stopProgress := j.progress(ctx, p.stats, start, func() string { return describe(p.stats) })
	r, err := bounded.Run(ctx, func() (*verify.Result, error) { return p.decide(ctx) })
	stopProgress()
	p.stats.AddTime("time.total", time.Since(start))
	if err != nil {
		var broken *bounded.Crash
		if !errors.Is(err, bounded.ErrLeftBehind) && !errors.As(err, &broken) {
			return j.reportError(file, err, p.stats)
		}
		r = &verify.Result{}
		if r.Answer, err = j.mishap(ctx, err); err != nil {
			return j.badInput(file, err, p.stats)
		}
	}
	var bound *int
	if hunted != nil {
		explored := int(p.stats.Get("inline.explored"))
		bound = &explored
		r.Reason = hunted(r.Answer, explored)
	}
	p.find(r)
	if err := p.print(r, bound); err != nil {
		return j.unprinted(err)
	}
	return programCode(r)
}
