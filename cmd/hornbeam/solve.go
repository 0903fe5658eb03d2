package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/transform"
	"hornbeam/chc/transform/passes"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/bounded"
	"hornbeam/verify/session"
)

func solveCommand(s streams) *cli.Command {
	return decidingCommand(s, "decide Horn clauses: sat, unsat or unknown",
		"sat comes with a model and unsat with a refutation, each checked on the clauses as they were read. The exit code is 0 for every verdict.", solveOptions(),
		reader{command: "solve", reads: engine.Clauses, input: engine.Clauses, other: engine.Clauses},
		func(c *cli.Context, j *job) error { return (&solveJob{*j}).all(c.Context, j.files) })
}

// solveJob is one call of the solve command.
type solveJob struct{ job }

// all solves the files one after the other; the worst exit code is the command's.
func (j *solveJob) all(ctx context.Context, files []string) error {
	stop, err := j.open("trace")
	defer stop()
	if err != nil {
		return err
	}
	return worst(j.each(ctx, files, j.one))
}

// outcome is an answer with its witness as it is to be printed.
type outcome struct {
	engine.Answer
	// text and document are the witness as --model and --proof, and as --json print it.
	text     []byte
	document json.RawMessage
	// unprintable says why there is no text although it was asked for.
	unprintable error
	// sygus says that the answer is one to SyGuS's check-synth.
	sygus bool
}

// one solves one file and returns its exit code. Standard input, and a file with several checks, are a session.
func (j *solveJob) one(ctx context.Context, file string) int {
	if file == "-" {
		return j.session(ctx, file, j.in)
	}
	if src, err := os.ReadFile(file); err == nil && smtlib.IsIncremental(src) {
		return j.session(ctx, file, bytes.NewReader(src))
	}
	_, code := j.answer(ctx, file, func(ctx context.Context, stats *engine.Stats) (outcome, error) { return j.decide(ctx, file, stats) })
	return code
}

// session answers the commands of a script as they come, and returns the worst of their exit codes. What is wrong with a command
// before the first answer is wrong input, as in a file; later errors are answers too.
func (j *solveJob) session(ctx context.Context, file string, in io.Reader) int {
	code := exitOK
	o := session.Options{Name: file, In: in, Out: j.out, Always: true, Version: version, Patience: j.values.Duration("timeout")}
	if file == "-" {
		o.Name = "<stdin>"
	}
	check := func(ctx context.Context, decide func(context.Context, *engine.Stats) (outcome, error)) engine.Answer {
		a, c := j.answer(ctx, file, decide)
		code = max(code, c)
		return a
	}
	o.Decide = func(ctx context.Context, script *smtlib.Script, memory *session.Memory) (engine.Answer, error) {
		return check(ctx, func(ctx context.Context, stats *engine.Stats) (outcome, error) {
			return j.decideScript(ctx, o.Name, script, stats, memory)
		}), nil
	}
	o.Undecided = func(script *smtlib.Script, reason string) error {
		check(ctx, func(context.Context, *engine.Stats) (outcome, error) {
			return outcome{Answer: engine.Answer{Reason: reason}, sygus: script != nil && script.SyGuS}, nil
		})
		return nil
	}
	show := func(script *smtlib.Script, a engine.Answer) error {
		text, err := witnessText(script, a, j.values.Text("proof-format"))
		if unprintable(err) {
			j.err.comment("%s", err)
			return nil
		}
		if err != nil {
			return err
		}
		_, err = j.out.Write(text)
		return err
	}
	o.Model, o.Proof = show, show
	o.Error = func(err *smtlib.Error, answered bool) error {
		code = max(code, exitBadInput)
		if !answered {
			return err
		}
		_, e := fmt.Fprintf(j.out, "(error %s)\n", session.Quote(engine.OneLine(err.Error())))
		return e
	}
	var unwritten *outputError
	switch err := session.Run(ctx, o); {
	case err == nil:
	case errors.As(err, &unwritten):
		return exitUsage
	default:
		fmt.Fprintln(j.err, engine.OneLine(err.Error()))
		return exitBadInput
	}
	return code
}

// answer decides something, prints the outcome, and returns it with its exit code.
func (j *solveJob) answer(ctx context.Context, file string, decide func(context.Context, *engine.Stats) (outcome, error)) (engine.Answer, int) {
	start := time.Now()
	stats := engine.NewStats()
	ctx, stop := j.limited(ctx)
	defer stop()
	stopProgress := j.progress(ctx, stats, start, func() string {
		return fmt.Sprintf("level %d  open %d  lemmas %d  reach facts %d", stats.Get("level"), stats.Get("obligations.open"),
			stats.Get("lemmas"), stats.Get("facts"))
	})
	o, err := bounded.Run(ctx, func() (outcome, error) { return decide(ctx, stats) })
	stopProgress()
	stats.AddTime("time.total", time.Since(start))
	if err != nil {
		if o.Answer, err = j.mishap(ctx, err); err != nil {
			return o.Answer, j.badInput(file, err, stats)
		}
	}
	if err := j.print(file, o, stats); err != nil {
		return o.Answer, j.unprinted(err)
	}
	if o.Internal {
		return o.Answer, exitInternal
	}
	return o.Answer, exitOK
}

// decide reads a file, solves it and prepares its witness for printing. An error is one of the input.
func (j *solveJob) decide(ctx context.Context, file string, stats *engine.Stats) (outcome, error) {
	script, stopped, err := j.read(ctx, file, stats)
	if script == nil {
		return outcome{Answer: stopped, sygus: filepath.Ext(file) == ".sl"}, err
	}
	return j.decideScript(ctx, file, script, stats, new(session.Memory))
}

// decideScript solves a script and prepares its witness for printing.
func (j *solveJob) decideScript(ctx context.Context, file string, script *smtlib.Script, stats *engine.Stats, memory *session.Memory) (outcome, error) {
	sygus := filepath.Ext(file) == ".sl" || script.SyGuS
	ctx, stop := limitedBy(ctx, file, script)
	defer stop()
	req := j.request(script, stats)
	req.Repeats = true
	o := outcome{Answer: memory.Solve(ctx, script, req), sygus: sygus}
	var err error
	j.log.Info("answered", "verdict", o.Verdict, "engine", o.Engine)
	switch {
	case j.values.Bool("json"):
		o.document, err = witnessJSON(script, o.Answer)
	case o.Verdict == engine.Sat && (sygus || j.values.Bool("model")), o.Verdict == engine.Unsat && j.values.Bool("proof"):
		o.text, err = witnessText(script, o.Answer, j.values.Text("proof-format"))
		if unprintable(err) {
			o.unprintable, err = err, nil
		}
	}
	if err != nil {
		j.log.Error("internal error", "phase", "printing the witness", "error", err)
		o = outcome{sygus: sygus, Answer: engine.Answer{Engine: o.Engine, Reason: "internal error: " + engine.OneLine(err.Error()), Internal: true}}
	}
	return o, nil
}

// print writes the verdict, what was asked for after it, and the reason of an unknown.
func (j *solveJob) print(file string, o outcome, stats *engine.Stats) error {
	line := j.verdictLine(file, o.Verdict.String(), o.Verdict)
	switch {
	case o.sygus && o.Verdict == engine.Sat:
		line = "" // the answer is the definitions alone
	case o.sygus:
		line = j.verdictLine(file, map[engine.Verdict]string{engine.Unsat: "infeasible", engine.Unknown: "fail"}[o.Verdict], o.Verdict)
	}
	if _, err := io.WriteString(j.out, line); err != nil {
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
		if err := encoder(j.out).Encode(newReport(file, o.Answer, o.document, stats)); err != nil {
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
		return passes.Default(), nil
	}
	passes, err := passes.Select(list)
	if err != nil {
		return nil, usageError("%w; --passes help lists them", err)
	}
	return passes, nil
}
