package main

import (
	"fmt"
	"os"
	"time"

	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/proof"
	"hornbeam/frontend/c/svcomp"
	"hornbeam/frontend/trace"
)

// proofOf is what is known of a safe program; false if that is nothing.
func (q *cProgram) proofOf(r *decide.Result) (proof.Proof, bool) {
	if len(r.Rounds) == 0 || r.Model == nil {
		return proof.Proof{}, false
	}
	encoding := r.Rounds[len(r.Rounds)-1].Encoding
	return proof.Proof{Program: q.tree, Translation: r.Translation, Encoding: encoding, Model: r.Model, Entry: q.entryName()}, true
}

// writeCorrectness writes what is known of the loops of a safe program where a witness was asked for.
func (q *cProgram) writeCorrectness(r *decide.Result, v *verdict) error {
	if q.values.Text("witness") == "" {
		return nil
	}
	var invariants []svcomp.Invariant
	var dropped []proof.Dropped
	if p, ok := q.proofOf(r); ok {
		invariants, dropped = svcomp.Invariants(p, q.source)
	}
	if q.values.Text("blocks") == "procedures" {
		v.notes = append(v.notes, q.values.Text("witness")+": loops are procedures, so that nothing is said of them")
	}
	q.log.Info("witness", "invariants", len(invariants), "dropped", len(dropped))
	v.notes = append(v.notes, q.leftOut(q.values.Text("witness")+": left out is what C has no words for", dropped)...)
	return q.writeWitness(func(m svcomp.Metadata) ([]byte, error) { return svcomp.Correctness(m, invariants) })
}

// leftOut says how much is left out of a proof, in a line if it is anything, or with --full what.
func (q *cProgram) leftOut(what string, dropped []proof.Dropped) []string {
	switch {
	case len(dropped) == 0:
		return nil
	case !q.values.Bool("full"):
		return []string{what + ": " + trace.Plural(len(dropped), "condition")}
	}
	var out []string
	for _, d := range dropped {
		out = append(out, what+": "+oneLine(d.String()))
	}
	return out
}

// prove turns the proof of a safe program into what is to be shown and written of it; nil if nothing is.
func (q *cProgram) prove(r *decide.Result) (*shownProof, error) {
	if !q.proves() {
		return nil, nil
	}
	start := time.Now()
	defer func() { q.stats.AddTime("time.proof", time.Since(start)) }()
	out := &shownProof{}
	var places []proof.Place
	if p, ok := q.proofOf(r); ok {
		var dropped []proof.Dropped
		places, dropped = proof.Places(p, proof.Logical)
		out.dropped = q.leftOut("left out is what ACSL has no words for", dropped)
	}
	if q.values.Bool("proof") {
		out.places, out.text = proof.Documents(places), proof.Text(places)
	}
	file := q.values.Text("annotate")
	if file == "" {
		return out, nil
	}
	text, left := proof.Annotate(q.source, q.tree.Name, places)
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, usageError("--annotate %s: %w", file, err)
	}
	if left > 0 {
		out.dropped = append(out.dropped, fmt.Sprintf("%s: what holds in included files and macros is not written: %s", file, trace.Plural(left, "place")))
	}
	out.file, out.said = file, "the program with what holds at its functions and loops, in ACSL"
	return out, nil
}
