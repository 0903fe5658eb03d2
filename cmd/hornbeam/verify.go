package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"hornbeam/engine"
	"hornbeam/verify"
)

// verifyOptions is the table of verify's options.
func verifyOptions() []engine.Option {
	table := append(slices.Concat([]engine.Option{langOption()}, new(verify.Options).Table(), reportOptions(), traceOptions(), proofOptions()),
		engine.Option{Name: "full", Kind: "bool", Default: "false", Doc: "show all of a trace: every statement of a generated program, long runs and large values uncut"},
	)
	own := map[string]string{
		"json":     "print one line of JSON with verdict, reason, trace and statistics after the verdict, instead of what --trace and --proof print",
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
		case "model", "proof", "blocks":
			continue
		}
		table = append(table, o)
	}
	return table
}

func verifyCommand(s streams) *cli.Command {
	return decidingCommand(s, "prove a Boogie or C program or find a run that fails: safe (exit code 0), unsafe with the run (10), or unknown (5)",
		verifyOptions(), reader{command: "verify", reads: engine.Programs, input: engine.Boogie}, func(c *cli.Context, j *job) error {
			if err := checkProofFlags(j.values, j.files); err != nil {
				return err
			}
			if err := checkTraceOptions(c, j.values, j.files); err != nil {
				return err
			}
			if err := checkCFlags(j.values, j.files); err != nil {
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
	return worst(codes)
}
