package verify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/boogie/contracts"
	"hornbeam/frontend/boogie/encode"
	"hornbeam/frontend/boogie/proof"
)

const (
	// wholeShare is the share of the time that goes into a proof of the whole program, before its procedures are looked at one by one.
	wholeShare = 0.4
	// proceduresShare is the share of what is then left that goes into proofs of single procedures.
	proceduresShare = 0.4
	// inferShare is the share of what is then left that goes into finding out which conditions are inductive together, and verifyShare
	// that of the rest that goes into saying what they prove. Each procedure has its part, of which one obligation has at most
	// obligationShare.
	inferShare      = 0.6
	verifyShare     = 0.8
	obligationShare = 0.25
	// annotateShare is the share of the time after which a program is written with what is known, before it would be cut off.
	annotateShare = 0.95
)

// Annotation is a Boogie program with the contracts and invariants that were found for it.
type Annotation struct {
	// Text is the program with insertions only.
	Text       []byte
	Procedures []AnnotatedProcedure
	// Dropped says what was found and is left out.
	Dropped []string
	// Reason says why nothing is known; empty where something is.
	Reason string
}

// AnnotatedProcedure reports on one procedure with a body.
type AnnotatedProcedure struct {
	Name string
	// Invariants and Contracts count the conditions that were inserted.
	Invariants, Contracts int
	// Unproved are the obligations that contracts and invariants do not prove, a line each.
	Unproved []string
	// Time is what looking at the procedure alone took; 0 where the proof of the whole program was enough.
	Time time.Duration
}

// AnnotateOptions say what is inserted: the procedure's conditions only, and those of some kinds.
type AnnotateOptions struct {
	Procedure             string
	Invariants, Contracts bool
}

// Annotate finds contracts and invariants for a Boogie program and inserts them into its text, where they leave every other byte as
// it is. They come from a proof of the program, or where there is none from proofs of its procedures, each as an entry; those that
// modular verification does not prove are dropped, by Houdini's algorithm.
func Annotate(ctx context.Context, req Request, o AnnotateOptions) (*Annotation, error) {
	if end, ok := ctx.Deadline(); ok {
		own, stop := context.WithTimeout(ctx, time.Duration(annotateShare*float64(time.Until(end))))
		defer stop()
		ctx = own
	}
	a, err := annotate(ctx, req, o)
	if err == nil {
		return a, nil
	}
	// What is not supported, and what there was no time for, leaves the program as it is.
	r, err := Unread(ctx, err)
	if err != nil {
		return nil, err
	}
	return &Annotation{Text: req.Source, Reason: r.Reason}, nil
}

func annotate(ctx context.Context, req Request, o AnnotateOptions) (*Annotation, error) {
	p, err := ReadBoogie(ctx, req)
	if err != nil {
		return nil, err
	}
	if o.Procedure != "" && !slices.ContainsFunc(p.Tree.Procedures, func(q *ast.Procedure) bool { return q.Name == o.Procedure }) {
		return nil, optionError("--procedure %s: %s has no procedure of that name", o.Procedure, req.File)
	}
	out := &Annotation{}
	times := map[string]time.Duration{}
	insertions, err := p.found(ctx, out, times)
	if err != nil {
		return nil, err
	}
	insertions = slices.DeleteFunc(insertions, func(i proof.Insertion) bool {
		switch {
		case i.Declares():
			return false
		case o.Procedure != "" && i.Procedure != o.Procedure:
			return true
		case i.Kind == proof.Invariant:
			return !o.Invariants
		}
		return !o.Contracts
	})
	kept, result, err := p.surviving(ctx, insertions)
	if err != nil {
		return nil, err
	}
	out.Text, _ = proof.Insert(req.Source, kept, false)
	for _, q := range p.Tree.Procedures {
		if len(q.Implementations) == 0 {
			continue
		}
		a := AnnotatedProcedure{Name: q.Name, Time: times[q.Name]}
		for _, i := range kept {
			switch {
			case i.Procedure != q.Name:
			case i.Kind == proof.Invariant:
				a.Invariants++
			default:
				a.Contracts++
			}
		}
		if result == nil {
			a.Unproved = []string{"there was no time left to verify it"}
			out.Procedures = append(out.Procedures, a)
			continue
		}
		for _, m := range newModular(result).Procedures {
			if m.Procedure == q.Name {
				a.Unproved = m.Obligations
			}
		}
		out.Procedures = append(out.Procedures, a)
	}
	return out, nil
}

// found are the conditions of a proof of the program, or of those of its procedures.
func (p *Boogie) found(ctx context.Context, out *Annotation, times map[string]time.Duration) ([]proof.Insertion, error) {
	share := func(part float64) (context.Context, context.CancelFunc) {
		if end, ok := ctx.Deadline(); ok {
			return context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*part))
		}
		return ctx, func() {}
	}
	own, stop := share(wholeShare)
	whole, err := p.insertions(own, p.request.Options.Main, out)
	stop()
	if err != nil || whole != nil {
		return whole, err
	}
	var all []proof.Insertion
	left := p.withBodies()
	for _, q := range p.Tree.Procedures {
		if len(q.Implementations) == 0 {
			continue
		}
		start := time.Now()
		own, stop := share(proceduresShare / float64(left))
		left--
		some, err := p.insertions(own, q.Name, out)
		stop()
		if err != nil {
			return nil, err
		}
		times[q.Name] = time.Since(start)
		if some == nil {
			some = proof.Guesses(q, p.request.Source)
		}
		for _, in := range some {
			if !slices.Contains(all, in) {
				all = append(all, in)
			}
		}
	}
	slices.SortStableFunc(all, proof.Insertion.Compare)
	return all, nil
}

// insertions are the conditions of a proof of the program from an entry on; nil when there is none, and not nil when there are no
// conditions. An error is one of the program.
func (p *Boogie) insertions(ctx context.Context, entry string, out *Annotation) ([]proof.Insertion, error) {
	req := p.request
	req.Options.Main, req.Options.Modular, req.Options.Blocks, req.Options.Proof = entry, false, "", false
	req.Solver.Spelled = true
	q, err := ReadBoogie(ctx, req)
	if err == nil {
		err = q.Encode(ctx)
	}
	if err != nil {
		if r, err := Unread(ctx, err); err != nil || r == nil {
			return nil, err
		}
		return nil, nil
	}
	r, err := q.Decide(ctx)
	if err != nil || r.Verdict != engine.Sat {
		return nil, err
	}
	if r.Model == nil {
		r.Model = witness.NewModel()
	}
	found, dropped := proof.Insertions(q.Encoding, proof.Claims(q.Encoding, r.Model, proof.Options{ErrorProcedures: req.Options.Errors}), req.Source)
	for _, d := range dropped {
		out.Dropped = append(out.Dropped, engine.OneLine(d.String()))
	}
	if found == nil {
		found = []proof.Insertion{}
	}
	return found, nil
}

// surviving are the conditions that modular verification proves beside the contracts and invariants of the program, with what it then
// says of the procedures; nil when there is no time for that.
func (p *Boogie) surviving(ctx context.Context, insertions []proof.Insertion) ([]proof.Insertion, *contracts.Result, error) {
	verified := func(share float64, kept []proof.Insertion, infer bool) (*contracts.Result, error) {
		req := p.request
		req.Source, _ = proof.Insert(req.Source, kept, infer)
		req.Options = Options{Main: req.Options.Main, Errors: req.Options.Errors, Modular: true, Dialect: req.Options.Dialect}
		q, err := ReadBoogie(ctx, req)
		if err != nil {
			return nil, fmt.Errorf("the annotated program cannot be read again: %w", err)
		}
		o := contracts.Options{Encode: encode.Options{Everywhere: true}, Each: contractsEach, CandidatesOnly: infer}
		if end, ok := ctx.Deadline(); ok {
			o.Procedure = max(1, time.Duration(share*float64(time.Until(end)))/time.Duration(max(1, p.withBodies())))
			o.Each = min(o.Each, max(1, time.Duration(obligationShare*float64(o.Procedure))))
		}
		return q.contractsWith(ctx, q.Tree, false, o)
	}
	marked, err := verified(inferShare, insertions, true)
	if err != nil {
		return nil, nil, err
	}
	// Every insertion has a line of its own.
	holds := map[int]bool{}
	for _, s := range marked.Specifications {
		holds[s.Pos.Line] = s.Holds
	}
	_, lines := proof.Insert(p.request.Source, insertions, true)
	var kept []proof.Insertion
	for i, in := range insertions {
		if in.Declares() || holds[lines[i]] {
			kept = append(kept, in)
		}
	}
	result, err := verified(verifyShare, kept, false)
	if err != nil && ctx.Err() != nil {
		return kept, nil, nil
	}
	return kept, result, err
}

// withBodies is the number of the program's procedures with bodies.
func (p *Boogie) withBodies() int {
	n := 0
	for _, q := range p.Tree.Procedures {
		if len(q.Implementations) > 0 {
			n++
		}
	}
	return n
}
