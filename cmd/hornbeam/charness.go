package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"hornbeam/engine"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/decide"
	"hornbeam/frontend/c/harness"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/translate"
)

// checkCFlags refuses what does not go together.
func checkCFlags(v engine.Values, files []string) error {
	for _, name := range []string{"witness", "harness"} {
		switch file := v.Text(name); {
		case file == "":
		case len(files) > 1:
			return usageError("--%s %s is about one program, and there are %d", name, file, len(files))
		default:
			// Better now than after the proof.
			if _, err := os.Stat(filepath.Dir(file)); err != nil {
				return usageError("--%s %s: %w", name, file, err)
			}
		}
	}
	mode, signed := v.Text("bits"), v.Text("int")
	switch {
	case v.Bool("32") && v.Bool("64"):
		return usageError("--32 and --64 exclude each other")
	case signed == "math" && mode == "allbv":
		return usageError("--int math takes signed integers for unbounded ones, and --bits allbv makes bit-vectors of all integers: give one of them")
	}
	return nil
}

// writeHarness writes a harness of an unsafe program where it was asked for, and runs it.
func (q *cProgram) writeHarness(ctx context.Context, r *decide.Result, o decide.Options) error {
	file := q.values.Text("harness")
	if file == "" {
		return nil
	}
	start := time.Now()
	defer func() { q.stats.AddTime("time.harness", time.Since(start)) }()
	ctx = context.WithoutCancel(ctx)
	noOverflow := o.Translate.Property == translate.NoOverflow
	text, err := harness.Write(ctx, harness.Input{
		Name: q.tree.Name, Text: q.source, Read: c.Options{Model: q.model}, Tree: q.tree, Runner: r.Runner, Script: r.Script,
		Options: interpret.Options{Entry: o.Translate.Entry, ErrorLabel: o.Translate.ErrorLabel, NoOverflow: noOverflow, EndAtOverflow: o.Translate.EndAtOverflow},
	})
	if err != nil {
		// The verdict does not depend on it.
		q.err.comment("%s", oneLine(fmt.Sprintf("there is no harness: %s", err)))
		return nil
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return usageError("--harness %s: %w", file, err)
	}
	if !q.values.Bool("harness-run") {
		return nil
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		q.err.comment("%s is not run: there is no gcc", file)
		return nil
	}
	switch reached, err := harness.Confirm(ctx, q.model, noOverflow, text); {
	case err != nil:
		q.err.comment("%s is not confirmed: %s", file, oneLine(err.Error()))
	case !reached:
		q.err.comment("%s is not confirmed: gcc's program does not reach the error", file)
	default:
		q.err.comment("%s is confirmed: gcc's program reaches the error", file)
	}
	return nil
}
