package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/report"
	"hornbeam/frontend/trace"
	"hornbeam/internal/bounded"
	"hornbeam/verify"
)

// File is a file as it is in an editor.
type File struct {
	// Name is the path, or what stands for one: positions have it, and C's includes are looked for beside it.
	Name     string
	Text     string
	Language engine.Languages
	Settings Settings
	// Log receives what goes wrong inside; nil drops it.
	Log *slog.Logger
}

// Severity says how bad a finding is.
type Severity uint8

// The severities. Proved is a verdict that is good, Open one that is not known, and Note is about no fault.
const (
	Wrong Severity = iota
	Broken
	Open
	Note
	Proved
)

// Finding is something that is to be said at a place.
type Finding struct {
	Pos      chc.Position
	Severity Severity
	Message  string
	// Run is what leads there, step by step.
	Run []trace.Note
}

// Fact is what is known of a name, wherever it stands, or of a place.
type Fact struct {
	// Name is empty for what is known at Pos alone.
	Name string
	Pos  chc.Position
	// Lines say it in the file's language, Title in words.
	Title string
	Lines []string
}

// Report is what was found out about a text.
type Report struct {
	Findings []Finding
	Facts    []Fact
	// Insertions put facts into the text.
	Insertions []verify.Insertion
}

// mostRun is how many steps of a run are shown.
const mostRun = 60

// readingTime bounds the reading of a text.
const readingTime = time.Minute

// Read says what is wrong with a text: syntax, types, names. It ends at the latest soon after ctx.
func Read(ctx context.Context, f File) []Finding {
	ctx, stop := context.WithTimeout(ctx, readingTime)
	defer stop()
	findings, err := bounded.Run(ctx, func() ([]Finding, error) { return f.language().read(ctx, f), nil })
	if err != nil && ctx.Err() == nil {
		f.crashed(err)
	}
	return findings
}

// Verify decides a text, and publishes what is known after each verdict; the reports grow. A text that cannot be read has a report
// without findings: Read has them. After the end of ctx nothing is published.
func Verify(ctx context.Context, f File, publish func(Report)) {
	f.language().verify(ctx, f, func(r Report) {
		if ctx.Err() == nil {
			r.Findings, r.Facts, r.Insertions = slices.Clip(r.Findings), slices.Clip(r.Facts), slices.Clip(r.Insertions)
			publish(r)
		}
	})
}

// language is how the files of one are inspected.
type language struct {
	read   func(context.Context, File) []Finding
	verify func(context.Context, File, func(Report))
}

func (f File) language() language {
	switch f.Language {
	case engine.Boogie:
		return language{readBoogie, verifyBoogie}
	case engine.C:
		return language{readC, verifyC}
	case engine.Clauses:
		return language{readHorn, verifyHorn}
	}
	return language{func(context.Context, File) []Finding { return nil }, func(context.Context, File, func(Report)) {}}
}

// languages are those of files by the ends of their names, as clients' names for languages say it too.
var languages = map[string]engine.Languages{
	".bpl": engine.Boogie, "boogie": engine.Boogie,
	".c": engine.C, ".i": engine.C, ".h": engine.C, "c": engine.C,
	".smt2": engine.Clauses, ".smt": engine.Clauses, ".chc": engine.Clauses, "smt2": engine.Clauses, "smt-lib": engine.Clauses, "smtlib": engine.Clauses,
}

// LanguageOf is the language of a file by its name, or else by the name that a client has for it; 0 for none that is inspected.
func LanguageOf(name, identifier string) engine.Languages {
	return cmp.Or(languages[filepath.Ext(name)], languages[strings.ToLower(identifier)])
}

// request is what is asked about a program.
func (f File) request() verify.Request {
	o := f.Settings.Program
	o.Trace, o.Proof = true, true
	return verify.Request{File: f.Name, Source: []byte(f.Text), Language: f.Language, Options: o, Solver: f.Settings.solver()}
}

// limited is the time and memory for one verdict.
func (f File) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return portfolio.WithLimits(ctx, f.Settings.Timeout, f.Settings.Memory)
}

// decide decides a program within the limits. What goes wrong inside is an unknown result; an error is one of the program or the options.
func (f File) decide(ctx context.Context, req verify.Request) (*verify.Result, error) {
	ctx, stop := f.limited(ctx)
	defer stop()
	r, err := bounded.Run(ctx, func() (*verify.Result, error) { return verify.Program(ctx, req) })
	if err == nil {
		return r, nil
	}
	if reason := f.mishap(ctx, err); reason != "" {
		return &verify.Result{Answer: engine.Answer{Reason: reason}}, nil
	}
	return nil, err
}

// mishap is the reason of an error that is none of the input; empty for one that is.
func (f File) mishap(ctx context.Context, err error) string {
	var crash *bounded.Crash
	switch {
	case errors.As(err, &crash):
		f.crashed(err)
		return "internal error: " + crash.Error()
	case errors.Is(err, bounded.ErrLeftBehind), ctx.Err() != nil:
		return portfolio.EndReason(ctx)
	}
	return ""
}

func (f File) crashed(err error) {
	var crash *bounded.Crash
	if errors.As(err, &crash) && f.Log != nil {
		f.Log.Error("panic", "file", f.Name, "value", fmt.Sprint(crash.Value), "stack", string(crash.Stack))
	}
}

// wrong are the findings for the error of reading.
func (f File) wrong(err error) []Finding {
	var all report.Errors
	if !errors.As(err, &all) {
		var one *report.Error
		if !errors.As(err, &one) {
			return []Finding{f.undecided(err)}
		}
		all = report.Errors{one}
	}
	var out []Finding
	for _, e := range all {
		severity, message := Wrong, e.Msg
		if e.Unsupported {
			severity, message = Open, "unsupported: "+e.Msg
		}
		out = append(out, Finding{Pos: e.Pos, Severity: severity, Message: message})
	}
	return out
}

// undecided is the finding for an error that has no place.
func (f File) undecided(err error) Finding {
	at, text := f.placed(engine.OneLine(err.Error()))
	return Finding{Pos: at, Severity: Open, Message: text}
}

// placed takes the place off the beginning of a message of the form file:line:column: text. Without one the message is about the
// beginning of the file.
func (f File) placed(message string) (chc.Position, string) {
	at := chc.Position{File: f.Name, Line: 1, Column: 1}
	rest, ok := strings.CutPrefix(message, f.Name+":")
	if !ok {
		return at, f.short(message)
	}
	parts := strings.SplitN(rest, ":", 3)
	if len(parts) == 3 {
		line, err := strconv.Atoi(parts[0])
		column, err2 := strconv.Atoi(parts[1])
		if err == nil && err2 == nil {
			return chc.Position{File: f.Name, Line: line, Column: column}, f.short(strings.TrimSpace(parts[2]))
		}
	}
	return at, f.short(strings.TrimSpace(rest))
}

// short is a message with the file's name instead of its path.
func (f File) short(message string) string {
	return strings.ReplaceAll(message, f.Name, filepath.Base(f.Name))
}

// broken is the finding for a run that fails, unknown that for no verdict.
func (f File) broken(r *verify.Result, fallback chc.Position, of string) Finding {
	out := Finding{Pos: fallback, Severity: Broken, Message: "unsafe: " + of}
	if r.Trace == nil || len(r.Trace.Steps) == 0 {
		return out
	}
	if r.Trace.Note != "" {
		out.Message += "; " + r.Trace.Note
	}
	notes := r.Trace.Notes(mostRun)
	if len(notes) == 0 {
		return out
	}
	last := notes[len(notes)-1]
	out.Pos, out.Run = last.Pos, notes[:len(notes)-1]
	out.Message = "unsafe: " + strings.TrimPrefix(last.Text, "error: ")
	if of != "" {
		out.Message += " (" + of + ")"
	}
	return out
}

// assumed is what a verdict rests on, in words that follow it.
func assumed(r *verify.Result) string {
	var lines []string
	for _, a := range r.Assumptions {
		lines = append(lines, a.String())
	}
	if len(lines) == 0 {
		return ""
	}
	return "\nassuming: " + strings.Join(lines, "; ")
}

// places are the facts of a proof, one for each procedure and loop. Where they hold only in some runs, of says in which.
func places(p *verify.Proof, of string) []Fact {
	var out []Fact
	for _, place := range p.Places {
		fact := Fact{Title: of, Pos: chc.Position{File: place.File, Line: place.Line, Column: place.Column}}
		if !place.Loop {
			fact.Name = place.Procedure
		}
		for _, part := range []struct {
			word string
			list []string
		}{{"requires", place.Requires}, {"ensures", place.Ensures}, {"invariant", place.Invariants}} {
			for _, c := range part.list {
				fact.Lines = append(fact.Lines, part.word+" "+c+";")
			}
		}
		out = append(out, fact)
	}
	return out
}
