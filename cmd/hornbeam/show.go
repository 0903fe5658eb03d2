package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/internal/bounded"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// showOptions is the table of show's options.
func showOptions() []engine.Option {
	return []engine.Option{
		langOption(),
		{Name: "format", Kind: "string", Default: "text", Choices: []string{"text", "smt2", "dot", "svg"}, Doc: "figures as text, the clauses as SMT-LIB, or the dependency graph as DOT or SVG"},
		{Name: "before", Kind: "bool", Default: "false", Doc: "with smt2, dot and svg: the clauses before preprocessing instead of after it"},
		{Name: "passes", Kind: "string", Default: "default", Doc: "preprocessing passes, as for solve; help lists them"},
		{Name: "timeout", Kind: "duration", Default: "0s", Doc: "wall time for preprocessing; 0 is no limit"},
	}
}

func showCommand(s streams) *cli.Command {
	return command("show", "show clauses, or those of a program, before and after preprocessing", "FILE (- is standard input)",
		showOptions(), func(c *cli.Context, v engine.Values) error {
			if listsPasses(v) {
				return s.passes()
			}
			if c.NArg() != 1 {
				return usageError("show needs one file")
			}
			passes, err := passesOf(v.Text("passes"))
			if err != nil {
				return err
			}
			r := reader{command: "show", reads: engine.Clauses | engine.Programs, input: engine.Clauses}
			languages, err := r.languages(c, showOptions(), v.Text("lang"), c.Args().Slice())
			if err != nil {
				return err
			}
			ctx, stop := portfolio.WithLimits(c.Context, v.Duration("timeout"), 0)
			defer stop()
			// What is shown is complete or nothing.
			var b bytes.Buffer
			_, err = bounded.Run(ctx, func() (struct{}, error) {
				sys, err := systemOf(ctx, c.Args().First(), languages, s)
				if err != nil {
					return struct{}{}, err
				}
				return struct{}{}, show(ctx, &b, sys, passes, v)
			})
			if err != nil && ctx.Err() != nil {
				s.err.comment("%s", portfolio.EndReason(ctx))
				return &coded{code: exitUndecided}
			}
			if err == nil {
				_, err = s.out.Write(b.Bytes())
			}
			return err
		})
}

// systemOf reads clauses: those of a Horn file, or of a program with the options that verify has by default.
func systemOf(ctx context.Context, file string, languages map[string]engine.Languages, s streams) (*chc.System, error) {
	if languages[file] == engine.Clauses {
		script, err := readScript(file, s.in)
		if err != nil {
			return nil, &coded{exitBadInput, err}
		}
		return script.System, nil
	}
	values, err := engine.NewValues(verifyOptions(), nil)
	if err != nil {
		return nil, err
	}
	p := &programJob{job: &job{streams: s, values: values, languages: languages, log: newLog(s.err, values.Text("log"))}, file: file}
	if err := p.read(); err != nil {
		return nil, &coded{code: p.reportError(file, err, p.stats)}
	}
	sys, err := verify.Clauses(ctx, p.request)
	if err != nil {
		return nil, &coded{code: p.reportError(file, err, p.stats)}
	}
	return sys, nil
}

func show(ctx context.Context, w io.Writer, sys *chc.System, passes []transform.Pass, v engine.Values) error {
	format := v.Text("format")
	shown := sys
	var report *transform.Report
	if format == "text" || !v.Bool("before") {
		var err error
		shown, _, report, err = transform.Pipeline(ctx, transform.Environment{Open: z3.Open}, sys, passes)
		if err != nil {
			return fmt.Errorf("preprocess: %w", err)
		}
	}
	switch format {
	case "smt2":
		return chc.Write(w, shown)
	case "dot":
		return chc.NewGraph(shown).WriteDOT(w)
	case "svg":
		return chc.NewGraph(shown).WriteSVG(w)
	}
	for _, part := range []struct {
		title string
		sys   *chc.System
	}{{"before preprocessing", sys}, {"after preprocessing", shown}} {
		fmt.Fprintf(w, "%s\n", part.title)
		if err := chc.Describe(part.sys).Write(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "passes, in %s\n", report.Time.Round(10*time.Microsecond))
	for _, p := range report.Passes {
		fmt.Fprintf(w, "  %-16s ran %3d, changed %3d, removed %d predicates, %d clauses, %d arguments in %s\n", p.Name, p.Runs,
			p.Changes, p.Removed.Predicates, p.Removed.Clauses, p.Removed.Arguments, p.Time.Round(10*time.Microsecond))
	}
	return nil
}
