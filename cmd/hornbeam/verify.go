package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/trace"
	"hornbeam/internal/bounded"
	"hornbeam/verify"
)

// verifyOptions is the table of verify's options.
func verifyOptions() []engine.Option {
	table := append(slices.Concat([]engine.Option{langOption()}, new(verify.Options).Table(), unitOptions(), reportOptions(), traceOptions(), proofOptions()),
		engine.Option{Name: "full", Kind: "bool", Default: "false", Doc: "show all of a trace: every statement of a generated program, long runs and large values uncut"},
	)
	own := map[string]string{
		"json":     "print one object of JSON instead of everything else, with verdict, reason, trace and statistics, for bad input too; see docs/json.md",
		"simplify": "the most time that goes into making a proof smaller that is to be shown or written; 0 leaves it as it was found",
		"check":    "check the model or the refutation on the program's clauses; off with --no-check. A bug is replayed in any case",
	}
	for _, o := range solveOptions() {
		if doc, ok := own[o.Name]; ok {
			o.Doc = doc
		}
		switch o.Name {
		case "trace":
			o.Name = "events"
		case "simplify":
			o.Needs = []string{"proof", "annotate", "witness"}
		case "model", "proof", "proof-format", "blocks":
			continue
		}
		table = append(table, o)
	}
	return table
}

func verifyCommand(s streams) *cli.Command {
	return decidingCommand(s, "prove a C, Boogie or SV-LIB program, or show the run that fails",
		"The verdict is safe (exit code 0), unsafe with the run (10), or unknown (5). C files that are given together are the parts of one program.", verifyOptions(), reader{command: "verify", reads: engine.Programs, input: engine.Boogie}, func(c *cli.Context, j *job) error {
			if err := checkProofFlags(j.values, j.files); err != nil {
				return err
			}
			if err := checkTraceOptions(c, j.values, j.files); err != nil {
				return err
			}
			if err := j.checkTraceForm(); err != nil {
				return err
			}
			if err := checkCFlags(j.values, j.files); err != nil {
				return err
			}
			if err := checkOutputs(j.values, j.files, len(j.linked) > 0); err != nil {
				return err
			}
			return (&verifyJob{*j}).all(c.Context, j.files)
		})
}

// verifyJob is one call of the verify command.
type verifyJob struct{ job }

func (j *verifyJob) all(ctx context.Context, files []string) error {
	stop, err := j.open("events")
	defer stop()
	if err != nil {
		return err
	}
	codes := j.each(ctx, files, func(ctx context.Context, file string) int {
		return j.program(ctx, file, func(stats *engine.Stats) string {
			return fmt.Sprintf("level %d  open %d  lemmas %d  reach facts %d", stats.Get("level"), stats.Get("obligations.open"),
				stats.Get("lemmas"), stats.Get("facts"))
		}, nil)
	})
	j.writeSARIF()
	return worst(codes)
}

// annotateOptions is the table of annotate's options.
func annotateOptions() []engine.Option {
	return []engine.Option{
		{Name: "only", Kind: "string", Default: "all", Choices: []string{"all", "invariants", "contracts"}, Doc: "what is inserted: invariants of loops, what procedures require and ensure, or both"},
		{Name: "procedure", Kind: "string", Default: "", Doc: "insert at this procedure only"},
		{Name: "main", Kind: "string", Default: "", Doc: "the procedure that runs begin with, as for verify"},
		{Name: "dialect", Kind: "string", Default: "auto", Choices: []string{"auto", "boogie", "ultimate"}, Doc: "whose Boogie the program is in; auto looks at it"},
		{Name: "timeout", Kind: "duration", Default: "60s", Doc: "wall time for everything; 0 is no limit"},
		{Name: "full", Kind: "bool", Default: "false", Doc: "say all that was found and is left out"},
	}
}

func annotateCommand(s streams) *cli.Command {
	return command("annotate", "insert proved contracts and invariants into a Boogie program",
		"FILE (- is standard input)", annotateOptions(), func(c *cli.Context, v engine.Values) error {
			if c.NArg() != 1 {
				return usageError("annotate needs one Boogie program")
			}
			ctx, stop := portfolio.WithLimits(c.Context, v.Duration("timeout"), 0)
			defer stop()
			name, src, err := readFile(c.Args().First(), s.in)
			if err != nil {
				return &coded{exitBadInput, err}
			}
			options, err := verify.NewOptions(map[string]string{"main": v.Text("main"), "dialect": v.Text("dialect")})
			if err != nil {
				return usageError("%w", err)
			}
			request := verify.Request{File: name, Source: src, Language: engine.Boogie, Options: options}
			request.Solver.Check, request.Solver.Stats, request.Solver.Simplify = true, engine.NewStats(), annotateSimplify
			a, err := bounded.Run(ctx, func() (*verify.Annotation, error) {
				return verify.Annotate(ctx, request, verify.AnnotateOptions{
					Procedure: v.Text("procedure"), Invariants: v.Text("only") != "contracts", Contracts: v.Text("only") != "invariants",
				})
			})
			switch j := (&job{streams: s}); {
			case errors.Is(err, bounded.ErrLeftBehind):
				a = &verify.Annotation{Text: src, Reason: portfolio.EndReason(ctx)}
			case err != nil:
				return &coded{code: j.reportError(name, err, request.Solver.Stats)}
			}
			if _, err := s.out.Write(a.Text); err != nil {
				return err
			}
			return describeAnnotation(s.err, a, v.Bool("full"))
		})
}

// annotateSimplify is the most time that goes into making the proof smaller that is written into a program.
const annotateSimplify = 5 * time.Second

// describeAnnotation says of each procedure what was inserted, and whether it is verified. The error has the exit code.
func describeAnnotation(err *console, a *verify.Annotation, full bool) error {
	code := exitOK
	if a.Reason != "" {
		code = exitInconclusive
		err.comment("nothing is inserted: %s", a.Reason)
	}
	for _, p := range a.Procedures {
		word := "verified"
		if len(p.Unproved) > 0 {
			word, code = "not verified", exitInconclusive
		}
		took := ""
		if p.Time > 0 {
			took = fmt.Sprintf(", looked at by itself in %.2f s", p.Time.Seconds())
		}
		err.comment("%s: %s; %s and %s inserted%s", p.Name, word, trace.Plural(p.Invariants, "invariant"), trace.Plural(p.Contracts, "contract condition"), took)
		for _, o := range p.Unproved {
			err.comment("  %s", o)
		}
	}
	if !full && len(a.Dropped) > 0 {
		err.comment("%s left out; --full says which", trace.Plural(len(a.Dropped), "condition"))
	}
	for _, d := range a.Dropped {
		if full {
			err.comment("left out: %s", d)
		}
	}
	if code != exitOK {
		return &coded{code: code}
	}
	return nil
}
