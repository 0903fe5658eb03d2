package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"

	"hornbeam/chc"
	"hornbeam/chc/witness"
	"hornbeam/chc/witness/proof"
	"hornbeam/cmd/hornbeam/internal/sarif"
	"hornbeam/engine"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/smtlib"
	"hornbeam/frontend/smtlib/alethe"
)

// errUnprintable says that a witness has a line that a reader of the output would take for another verdict; only a
// quoted name with a line break in it can have that effect.
var errUnprintable = errors.New("a name in the witness has a line that reads like a verdict; use --json")

// unprintable reports whether an error says that a witness cannot be printed in the form that was asked for, which is no fault.
func unprintable(err error) bool {
	return errors.Is(err, errUnprintable) || errors.Is(err, alethe.ErrForm) || errors.Is(err, witness.ErrRepeats)
}

// The forms of refutations.
const (
	proofHornbeam = "hornbeam"
	proofZ3       = "z3"
	proofAlethe   = "alethe"
)

// writeRefutation writes a refutation in a form.
func writeRefutation(w io.Writer, script *smtlib.Script, r *witness.Refutation, form string) error {
	if form == proofZ3 || form == proofAlethe {
		// They repeat no steps.
		written, err := r.Unroll(witness.MaxWritten)
		if err != nil {
			return err
		}
		r = written
	}
	switch form {
	case proofZ3:
		return proof.WriteZ3(w, script.DeclaredSystem(), r, true)
	case proofAlethe:
		return alethe.Write(w, script, r)
	}
	return witness.PrintRefutation(w, script.System, r)
}

// witnessText is the witness as --model and --proof print it after the verdict, a refutation in the form.
func witnessText(script *smtlib.Script, a engine.Answer, form string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch a.Verdict {
	case engine.Sat:
		err = witness.PrintModel(&b, script.DeclaredSystem(), a.Model)
	case engine.Unsat:
		err = writeRefutation(&b, script, a.Refutation, form)
	}
	if errors.Is(err, alethe.ErrForm) || errors.Is(err, witness.ErrRepeats) {
		return nil, fmt.Errorf("%w; --proof-format hornbeam prints it", err)
	}
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(b.Bytes()) {
		switch string(bytes.TrimSpace(line)) {
		case "sat", "unsat", "unknown":
			return nil, errUnprintable
		}
	}
	return b.Bytes(), nil
}

// witnessJSON is the document of the witness.
func witnessJSON(script *smtlib.Script, a engine.Answer) (json.RawMessage, error) {
	var document any
	var err error
	switch a.Verdict {
	case engine.Sat:
		document, err = witness.ModelJSON(script.DeclaredSystem(), a.Model)
	case engine.Unsat:
		document, err = witness.RefutationJSON(script.System, a.Refutation)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = encoder(&b).Encode(document)
	return bytes.TrimSpace(b.Bytes()), err
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// report is the JSON object of --json, without what commands add; docs/json.md describes it, docs/json.schema.json checks it.
type report struct {
	// Verdict is the word, or "error" for input that cannot be read.
	Verdict string `json:"verdict"`
	File    string `json:"file"`
	// Error is the first of Errors, which are those of an input that cannot be read.
	Error    *inputError     `json:"error,omitempty"`
	Errors   []inputError    `json:"errors,omitempty"`
	Engine   string          `json:"engine,omitempty"`
	Strategy string          `json:"strategy,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Witness  json.RawMessage `json:"witness,omitempty"`
	Seconds  seconds         `json:"seconds"`
	// Statistics are counts, and seconds for the names that begin with "time.".
	Statistics map[string]any `json:"statistics"`
}

// seconds is where the time of a call went: Total is the sum of the others.
type seconds struct {
	Read   float64 `json:"read"`
	Decide float64 `json:"decide"`
	Total  float64 `json:"total"`
}

// inputError is what is wrong with an input, with its place where that is known.
type inputError struct {
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// newReport is the report of an answer with its witness's document.
func newReport(file string, a engine.Answer, document json.RawMessage, stats *engine.Stats) report {
	r := report{Verdict: a.Verdict.String(), File: file, Engine: a.Engine, Strategy: a.Strategy, Reason: a.Reason, Witness: document, Statistics: map[string]any{}}
	for _, row := range stats.Rows() {
		if !row.IsTime {
			r.Statistics[row.Name] = row.Count
			continue
		}
		r.Statistics[row.Name] = row.Time.Seconds()
		switch row.Name {
		case "time.read":
			r.Seconds.Read = row.Time.Seconds()
		case "time.total":
			r.Seconds.Total = row.Time.Seconds()
		}
	}
	r.Seconds.Decide = max(0, r.Seconds.Total-r.Seconds.Read)
	return r
}

// placed splits the beginning of a message that says where something is wrong.
var placed = regexp.MustCompile(`^(.+?):([0-9]+):([0-9]+): (.*)$`)

// inputErrors are the errors of a file that cannot be read, one at least: err, or those that it is made of.
func inputErrors(file string, err error) []inputError {
	all := []error{err}
	var several boogie.Errors
	if errors.As(err, &several) && len(several) > 0 {
		all = nil
		for _, e := range several {
			all = append(all, e)
		}
	}
	var out []inputError
	for _, e := range all {
		text := engine.OneLine(e.Error())
		m := placed.FindStringSubmatch(text)
		if m == nil {
			about := file
			if missing := (*fs.PathError)(nil); errors.As(e, &missing) {
				// It may be another one of a program's files.
				about = cmp.Or(missing.Path, file)
				text = fmt.Sprintf("%s: %s", about, missing.Err)
			}
			out = append(out, inputError{Message: text, File: about})
			continue
		}
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		out = append(out, inputError{Message: m[4], File: m[1], Line: line, Column: column})
	}
	return out
}

// badInput says what is wrong with a file that cannot be read, a line for each error, or with --json an object beside them. It
// returns the exit code.
func (j *job) badInput(file string, err error, stats *engine.Stats) int {
	found := inputErrors(file, err)
	for _, e := range found {
		if e.Line > 0 {
			fmt.Fprintf(j.err, "%s:%d:%d: %s\n", e.File, e.Line, e.Column, e.Message)
		} else {
			fmt.Fprintln(j.err, e.Message)
		}
		j.findings = append(j.findings, sarif.Finding{Rule: sarif.Input, Message: e.Message, Place: chc.Position{File: e.File, Line: e.Line, Column: e.Column}})
	}
	if j.values.Has("json") && j.values.Bool("json") {
		r := newReport(file, engine.Answer{}, nil, stats)
		r.Verdict, r.Error, r.Errors = "error", &found[0], found
		if err := encoder(j.out).Encode(r); err != nil {
			return j.unprinted(err)
		}
	}
	return exitBadInput
}

// verdictLine is the line that says a verdict on a file, which several files have before it. An object of --json has it instead.
func (j *job) verdictLine(file, word string, v engine.Verdict) string {
	if j.values.Bool("json") {
		return ""
	}
	line := j.style().verdict(v, word) + "\n"
	if len(j.files) > 1 {
		line = engine.OneLine(file) + ": " + line
	}
	return line
}

// printStats writes the counters as comment lines, "; name value"; docs/statistics.md describes them.
// An answer with a verdict says who won.
func printStats(c *console, a engine.Answer, stats *engine.Stats) {
	var b bytes.Buffer
	if a.Verdict != engine.Unknown {
		fmt.Fprintf(&b, "; %-28s %s in strategy %s\n", "winner", a.Engine, a.Strategy)
	}
	for _, r := range stats.Rows() {
		if r.IsTime {
			fmt.Fprintf(&b, "; %-28s %.3f s\n", r.Name, r.Time.Seconds())
			continue
		}
		fmt.Fprintf(&b, "; %-28s %d\n", r.Name, r.Count)
	}
	_, _ = c.Write(b.Bytes())
}
