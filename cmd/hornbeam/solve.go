package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt/z3"
)

func solveCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "solve",
		Usage:     "decide Horn clauses in SMT-LIB: sat with a model, unsat with a refutation, or unknown",
		ArgsUsage: "FILE... (- is standard input)",
		Flags: append(flagsOf(solveOptions()), &cli.StringSliceFlag{Name: "option",
			Usage: "an engine's setting as NAME=VALUE; see hornbeam options"}),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, solveOptions())
			if err != nil {
				return err
			}
			own, err := readEngineOptions(c.StringSlice("option"))
			if err != nil {
				return err
			}
			if !c.Args().Present() {
				return usageError("solve needs a file, or - for standard input")
			}
			job := &solveJob{streams: s, values: v, engineOptions: own}
			return job.all(c.Context, c.Args().Slice())
		},
	}
}

// solveJob is one call of the solve command.
type solveJob struct {
	streams
	values        engine.Values
	engineOptions map[string]string
	log           *slog.Logger
	trace         *traceFile
}

// all solves the files one after the other; the worst exit code is the command's.
func (j *solveJob) all(ctx context.Context, files []string) error {
	j.log = newLog(j.err, j.values.Text("log"))
	if path := j.values.Text("trace"); path != "" {
		t, err := openTrace(path)
		if err != nil {
			return usageError("open the trace file: %w", err)
		}
		defer t.close()
		j.trace = t
	}
	if path := j.values.Text("cpuprofile"); path != "" {
		stop, err := startProfile(path)
		if err != nil {
			return usageError("open the profile: %w", err)
		}
		defer stop()
	}
	worst := exitOK
	for _, f := range files {
		if len(files) > 1 {
			fmt.Fprintf(j.err, "; file %s\n", f)
		}
		code, err := j.one(ctx, f)
		if err != nil {
			fmt.Fprintln(j.err, err)
		}
		worst = max(worst, code)
	}
	if worst != exitOK {
		return &coded{code: worst}
	}
	return nil
}

// one solves one file and returns its exit code.
func (j *solveJob) one(ctx context.Context, file string) (int, error) {
	start := time.Now()
	stats := engine.NewStats()
	if limit := j.values.Duration("timeout"); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, context.DeadlineExceeded)
		defer cancel()
	}
	script, err := readScript(file, j.in)
	stats.AddTime("time.read", time.Since(start))
	if errors.Is(err, smtlib.ErrUnsupported) {
		return exitOK, j.print(nil, engine.Answer{Reason: err.Error()}, stats)
	}
	if err != nil {
		return exitBadInput, err
	}
	stop := j.progress(stats, start)
	answer := portfolio.Solve(ctx, j.request(script.System, stats))
	stop()
	stats.AddTime("time.total", time.Since(start))
	if err := j.print(script.System, answer, stats); err != nil {
		return exitInternal, fmt.Errorf("print the answer: %w", err)
	}
	if answer.Internal {
		return exitInternal, nil
	}
	return exitOK, nil
}

func (j *solveJob) request(sys *chc.System, stats *engine.Stats) portfolio.Request {
	memory, _ := engine.ParseSize(j.values.Text("memory"))
	req := portfolio.Request{
		System: sys, Engine: j.values.Text("engine"), Memory: uint64(memory), Seed: uint64(j.values.Int("seed")),
		Check: j.values.Bool("check"), Open: z3.Open, Options: j.engineOptions, Log: j.log, Stats: stats,
	}
	if p := j.values.Text("passes"); p != "default" {
		req.Passes = strings.Split(p, ",")
	}
	if j.values.Bool("model") {
		req.Simplify = 2 * time.Second
	}
	if j.trace != nil {
		req.Events = j.trace
	}
	return req
}

// print writes the verdict, what was asked for after it, and the reason of an unknown.
func (j *solveJob) print(sys *chc.System, a engine.Answer, stats *engine.Stats) error {
	if _, err := fmt.Fprintln(j.out, a.Verdict); err != nil {
		return err
	}
	if a.Verdict == engine.Unknown {
		fmt.Fprintf(j.err, "; %s\n", a.Reason)
	}
	switch {
	case j.values.Bool("json"):
		if err := writeJSON(j.out, sys, a, stats); err != nil {
			return err
		}
	case a.Verdict == engine.Sat && j.values.Bool("model"):
		if err := witness.PrintModel(j.out, sys, a.Model); err != nil {
			return err
		}
	case a.Verdict == engine.Unsat && j.values.Bool("proof"):
		if err := witness.PrintRefutation(j.out, sys, a.Refutation); err != nil {
			return err
		}
	}
	if j.values.Bool("stats") {
		printStats(j.err, stats)
	}
	return nil
}

// readScript reads a file, or standard input when its name is "-".
func readScript(file string, stdin io.Reader) (*smtlib.Script, error) {
	name, src, err := readFile(file, stdin)
	if err != nil {
		return nil, err
	}
	return smtlib.Read(name, src, term.NewPool())
}
