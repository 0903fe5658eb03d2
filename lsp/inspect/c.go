package inspect

import (
	"context"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/frontend/c"
	"hornbeam/frontend/trace"
	"hornbeam/verify"
)

// mostProved is how many checks that hold have findings of their own.
const mostProved = 50

func readC(ctx context.Context, f File) []Finding {
	o := c.Options{Model: c.LP64}
	if f.Settings.Program.ILP32 {
		o.Model = c.ILP32
	}
	if _, err := c.Read(ctx, f.Name, []byte(f.Text), o); err != nil && ctx.Err() == nil {
		return f.wrong(err)
	}
	return nil
}

// verifyC decides the checks of a C program.
func verifyC(ctx context.Context, f File, publish func(Report)) {
	req := f.request()
	req.Options.All = true
	result, err := f.decide(ctx, req)
	var r Report
	switch {
	case ctx.Err() != nil:
	case err != nil && f.wrong(err)[0].Severity == Wrong:
	case err != nil:
		r.Findings = append(r.Findings, f.undecided(err))
	default:
		r = f.checks(result)
	}
	publish(r)
}

// checks is the report on a C program.
func (f File) checks(result *verify.Result) Report {
	var r Report
	at := chc.Position{File: f.Name, Line: 1, Column: 1}
	if result.C != nil {
		for _, function := range result.C.Tree.Functions {
			if function.Name == "main" && function.Body != nil {
				at = function.Pos
			}
		}
	}
	proved := 0
	// What all checks assume is said once.
	all := !slices.ContainsFunc(result.Checks, func(k verify.Check) bool { return k.Verdict != engine.Sat })
	for _, k := range result.Checks {
		what := k.What + " check"
		switch k.Verdict {
		case engine.Sat:
			message := "safe: no run violates this " + what
			if !all {
				message += assumed(k.Result)
			}
			if proved++; proved <= mostProved {
				r.Findings = append(r.Findings, Finding{Pos: k.Pos, Severity: Proved, Message: message})
			}
		case engine.Unsat:
			r.Findings = append(r.Findings, f.broken(k.Result, k.Pos, what))
		default:
			r.Findings = append(r.Findings, Finding{Pos: k.Pos, Severity: Open, Message: "unknown: " + what + ": " + f.short(k.Reason)})
		}
	}
	switch {
	case len(result.Checks) == 0 && result.Verdict == engine.Sat:
		r.Findings = append(r.Findings, Finding{Pos: at, Severity: Proved, Message: "safe: there is nothing to check" + assumed(result)})
	case len(result.Checks) == 0 && result.Verdict == engine.Unsat:
		r.Findings = append(r.Findings, f.broken(result, at, result.Property))
	case len(result.Checks) == 0:
		severity := Open
		if result.C == nil || len(result.C.Tree.Functions) == 0 || result.C.Tree.Function("main") == nil {
			// A part of a program is no fault.
			severity = Note
		}
		r.Findings = append(r.Findings, Finding{Pos: at, Severity: severity, Message: "unknown: " + f.short(result.Reason)})
	case all:
		r.Findings = append(r.Findings, Finding{Pos: at, Severity: Proved, Message: fmt.Sprintf("safe: %s", trace.Plural(proved, "check")) + assumed(result)})
	}
	// What a proof of the runs up to a violation says is no invariant.
	if result.Verdict == engine.Sat {
		for _, k := range result.Checks {
			if k.Proof != nil {
				r.Facts, r.Insertions = places(k.Proof, ""), k.Proof.Insertions
			}
		}
	}
	return r
}
