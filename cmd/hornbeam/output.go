package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"hornbeam/chc/witness"
	"hornbeam/chc/witness/proof"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/frontend/smtlib/alethe"
)

// errUnprintable says that a witness has a line that a reader of the output would take for another verdict; only a
// quoted name with a line break in it can have that effect.
var errUnprintable = errors.New("a name in the witness has a line that reads like a verdict; use --json")

// The forms of refutations.
const (
	proofHornbeam = "hornbeam"
	proofZ3       = "z3"
	proofAlethe   = "alethe"
)

// writeRefutation writes a refutation in a form.
func writeRefutation(w io.Writer, script *smtlib.Script, r *witness.Refutation, form string) error {
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
	if errors.Is(err, alethe.ErrForm) {
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

// report is the JSON object of --json; docs/witnesses.md describes it.
type report struct {
	Verdict  string          `json:"verdict"`
	File     string          `json:"file"`
	Engine   string          `json:"engine,omitempty"`
	Strategy string          `json:"strategy,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Witness  json.RawMessage `json:"witness,omitempty"`
	// Statistics are counts, and seconds for the names that begin with "time.".
	Statistics map[string]any `json:"statistics"`
}

// newReport is the report of an answer with its witness's document.
func newReport(file string, a engine.Answer, document json.RawMessage, stats *engine.Stats) report {
	r := report{Verdict: a.Verdict.String(), File: file, Engine: a.Engine, Strategy: a.Strategy, Reason: a.Reason, Witness: document, Statistics: map[string]any{}}
	for _, row := range stats.Rows() {
		if row.IsTime {
			r.Statistics[row.Name] = row.Time.Seconds()
			continue
		}
		r.Statistics[row.Name] = row.Count
	}
	return r
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
