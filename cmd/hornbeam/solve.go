package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/transform"
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
			if listsPasses(v) {
				writePasses(s.out)
				return nil
			}
			if _, err := passesOf(v.Text("passes")); err != nil {
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
		defer func() {
			if err := t.close(); err != nil {
				j.log.Warn("the trace is incomplete", "error", err)
			}
		}()
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
			j.err.comment("file %s", f)
		}
		worst = max(worst, j.one(ctx, f))
	}
	if worst != exitOK {
		return &coded{code: worst}
	}
	return nil
}

// outcome is an answer with its witness as it is to be printed.
type outcome struct {
	engine.Answer
	// text and document are the witness as --model and --proof, and as --json print it.
	text     []byte
	document json.RawMessage
	// unprintable says why there is no text although it was asked for.
	unprintable error
}

// one solves one file and returns its exit code.
func (j *solveJob) one(ctx context.Context, file string) int {
	start := time.Now()
	stats := engine.NewStats()
	memory, _ := engine.ParseSize(j.values.Text("memory"))
	ctx, stop := portfolio.WithLimits(ctx, j.values.Duration("timeout"), uint64(memory))
	defer stop()
	stopProgress := j.progress(stats, start)
	o, err := bounded(ctx, func() (outcome, error) { return j.decide(ctx, file, stats) })
	stopProgress()
	stats.AddTime("time.total", time.Since(start))
	var broken *crash
	switch {
	case errors.Is(err, errLeftBehind):
		o.Reason = portfolio.EndReason(ctx) + "; " + err.Error()
		if j.log.Enabled(ctx, slog.LevelDebug) {
			j.log.Debug("left behind", "stacks", allStacks())
		}
	case errors.As(err, &broken):
		j.log.Error("panic", "value", broken.value, "stack", string(broken.stack))
		o = outcome{Answer: engine.Answer{Reason: "internal error: " + broken.Error(), Internal: true}}
	case err != nil:
		fmt.Fprintln(j.err, oneLine(err.Error()))
		return exitBadInput
	}
	if err := j.print(file, o, stats); err != nil {
		j.err.comment("print the answer: %s", err)
		return exitInternal
	}
	if o.Internal {
		return exitInternal
	}
	return exitOK
}

// decide reads a file, solves it and prepares its witness for printing. An error is one of the input.
func (j *solveJob) decide(ctx context.Context, file string, stats *engine.Stats) (outcome, error) {
	start := time.Now()
	script, err := readScript(file, j.in)
	stats.AddTime("time.read", time.Since(start))
	switch {
	case errors.Is(err, smtlib.ErrUnsupported):
		return outcome{Answer: engine.Answer{Reason: oneLine(err.Error())}}, nil
	case err != nil:
		return outcome{}, err
	case ctx.Err() != nil:
		return outcome{Answer: engine.Answer{Reason: portfolio.EndReason(ctx) + " while reading"}}, nil
	}
	j.log.Info("read", "file", file, "predicates", len(script.Declared), "clauses", len(script.System.Clauses), "linear", script.System.Linear())
	o := outcome{Answer: portfolio.Solve(ctx, j.request(script, stats))}
	j.log.Info("answered", "verdict", o.Verdict, "engine", o.Engine)
	switch {
	case j.values.Bool("json"):
		o.document, err = witnessJSON(script, o.Answer)
	case o.Verdict == engine.Sat && j.values.Bool("model"), o.Verdict == engine.Unsat && j.values.Bool("proof"):
		o.text, err = witnessText(script, o.Answer)
		if errors.Is(err, errUnprintable) {
			o.unprintable, err = err, nil
		}
	}
	if err != nil {
		j.log.Error("internal error", "phase", "printing the witness", "error", err)
		o = outcome{Answer: engine.Answer{Engine: o.Engine, Reason: "internal error: " + oneLine(err.Error()), Internal: true}}
	}
	return o, nil
}

func (j *solveJob) request(script *smtlib.Script, stats *engine.Stats) portfolio.Request {
	req := portfolio.Request{
		System: script.System, Engine: j.values.Text("engine"), Seed: uint64(j.values.Int("seed")),
		Check: j.values.Bool("check"), Open: z3.Open, Options: j.engineOptions, Log: j.log, Stats: stats,
	}
	if p := j.values.Text("passes"); p != "default" {
		req.Passes = strings.Split(p, ",")
	}
	if j.values.Bool("model") || j.values.Bool("json") {
		req.Simplify = j.values.Duration("simplify")
	}
	if j.trace != nil {
		req.Events = j.trace
	}
	return req
}

// print writes the verdict, what was asked for after it, and the reason of an unknown.
func (j *solveJob) print(file string, o outcome, stats *engine.Stats) error {
	if _, err := fmt.Fprintln(j.out, o.Verdict); err != nil {
		return err
	}
	if o.Verdict == engine.Unknown {
		j.err.comment("%s", o.Reason)
	}
	if o.unprintable != nil {
		j.err.comment("%s", o.unprintable)
	}
	if _, err := j.out.Write(o.text); err != nil {
		return err
	}
	if j.values.Bool("json") {
		if err := writeJSON(j.out, file, o.Answer, o.document, stats); err != nil {
			return err
		}
	}
	if j.values.Bool("stats") {
		printStats(j.err, o.Answer, stats)
	}
	return nil
}

// listsPasses reports whether --passes asks what there is.
func listsPasses(v engine.Values) bool {
	return v.Text("passes") == "help" || v.Text("passes") == "list"
}

// passesOf reads a --passes list.
func passesOf(list string) ([]transform.Pass, error) {
	if list == "default" {
		return transform.Default(), nil
	}
	passes, err := transform.Select(list)
	if err != nil {
		return nil, usageError("%w; --passes help lists them", err)
	}
	return passes, nil
}
