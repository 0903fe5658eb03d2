package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hornbeam/engine"
	"hornbeam/internal/bounded"
	"hornbeam/verify"
)

func readBoogie(ctx context.Context, f File) []Finding {
	// What goes with the options is Boogie's reader's matter: verify reads as it does.
	if _, err := verify.ReadBoogie(ctx, f.request()); err != nil && ctx.Err() == nil {
		return f.wrong(err)
	}
	return nil
}

// verifyBoogie decides a Boogie program, from each procedure that runs begin with.
func verifyBoogie(ctx context.Context, f File, publish func(Report)) {
	req := f.request()
	if req.Options.Modular {
		f.modular(ctx, req, publish)
		return
	}
	entries, err := func() ([]verify.Entry, error) {
		ctx, stop := f.limited(ctx)
		defer stop()
		return bounded.Run(ctx, func() ([]verify.Entry, error) { return verify.Entries(ctx, req) })
	}()
	var r Report
	if err != nil {
		if reason := f.mishap(ctx, err); reason != "" {
			err = fmt.Errorf("unknown: %s", reason)
		} else if f.wrong(err)[0].Severity == Wrong {
			publish(r)
			return
		}
		r.Findings = append(r.Findings, f.undecided(err))
		publish(r)
		return
	}
	var found []verify.Insertion
	proved := map[verify.Callee][]string{}
	allProved := true
	for _, e := range entries {
		one := req
		if len(entries) > 1 {
			one.Options.Main = e.Name
		}
		result, err := f.decide(ctx, one)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			r.Findings = append(r.Findings, f.undecided(err))
			publish(r)
			continue
		}
		r.Findings = append(r.Findings, f.entry(e, result))
		if result.Verdict != engine.Sat {
			allProved = false
			publish(r)
			continue
		}
		for _, callee := range e.Reaches {
			proved[callee] = append(proved[callee], e.Name)
		}
		if result.Proof != nil {
			found = append(found, result.Proof.Insertions...)
			of := ""
			if len(entries) > 1 {
				of = "in the runs of " + e.Name
			}
			r.Facts = append(r.Facts, places(result.Proof, of)...)
		}
		publish(r)
	}
	// What is called is as good as those that call it.
	if allProved {
		for _, e := range entries {
			for _, callee := range e.Reaches {
				if callers := proved[callee]; callers != nil && !slices.ContainsFunc(entries, func(e verify.Entry) bool { return e.Name == callee.Name }) {
					delete(proved, callee)
					r.Findings = append(r.Findings, Finding{
						Pos: callee.Pos, Severity: Proved, Message: fmt.Sprintf("%s: safe in all runs of %s", callee.Name, strings.Join(callers, ", ")),
					})
				}
			}
		}
		publish(r)
	}
	f.insertions(ctx, req, found, r, publish)
}

// insertions publishes those that modular verification proves, if there are some.
func (f File) insertions(ctx context.Context, req verify.Request, found []verify.Insertion, r Report, publish func(Report)) {
	if len(found) == 0 {
		return
	}
	limited, stop := f.limited(ctx)
	defer stop()
	kept, err := bounded.Run(limited, func() ([]verify.Insertion, error) { return verify.Inductive(limited, req, found) })
	if err != nil {
		f.crashed(err)
		return
	}
	r.Insertions = kept
	publish(r)
}

// entry is the finding for a procedure that runs begin with.
func (f File) entry(e verify.Entry, r *verify.Result) Finding {
	switch r.Verdict {
	case engine.Sat:
		return Finding{Pos: e.Pos, Severity: Proved, Message: e.Name + ": safe" + assumed(r)}
	case engine.Unsat:
		return f.broken(r, e.Pos, "in a run of "+e.Name)
	}
	return Finding{Pos: e.Pos, Severity: Open, Message: e.Name + ": unknown: " + f.short(r.Reason)}
}

// modular verifies each procedure by itself, by contracts and invariants.
func (f File) modular(ctx context.Context, req verify.Request, publish func(Report)) {
	req.Options.Proof = false
	result, err := f.decide(ctx, req)
	var r Report
	switch {
	case err != nil && f.wrong(err)[0].Severity == Wrong:
	case err != nil:
		r.Findings = append(r.Findings, f.undecided(err))
	case result.Modular == nil:
		at, text := f.placed(result.Reason)
		r.Findings = append(r.Findings, Finding{Pos: at, Severity: Open, Message: "unknown: " + text})
	default:
		program, err := verify.ReadBoogie(ctx, req)
		if err != nil {
			break
		}
		for _, m := range result.Modular.Procedures {
			for _, q := range program.Tree.Procedures {
				if q.Name == m.Procedure && m.Verified {
					r.Findings = append(r.Findings, Finding{Pos: q.Pos, Severity: Proved, Message: q.Name + ": verified by contracts and invariants"})
				}
			}
			for _, o := range m.Obligations {
				at, text := f.placed(o)
				r.Findings = append(r.Findings, Finding{Pos: at, Severity: Broken, Message: "not proved: " + text})
			}
		}
	}
	publish(r)
}
