package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/process"
	"hornbeam/internal/smt/z3"
)

// The exit codes of check.
const (
	exitRefused   = 10
	exitUndecided = 5
)

// checkOptions is the table of check's options.
func checkOptions() []engine.Option {
	return []engine.Option{
		{Name: "solver", Kind: "string", Default: "libz3", Doc: "who proves a model's clauses: libz3 in this process, z3, cvc5, or the command line of any SMT-LIB solver that reads standard input"},
		{Name: "timeout", Kind: "duration", Default: "90s", Doc: "wall time for the whole check; 0 is no limit"},
	}
}

func checkCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "check",
		Usage: "check a printed model or refutation of a Horn file; prints confirmed (exit code 0), refused (10) or " +
			"undecided (5)",
		ArgsUsage:    "FILE WITNESS (- is standard input)",
		Flags:        flagsOf(checkOptions()),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, checkOptions())
			if err != nil {
				return err
			}
			if c.NArg() != 2 {
				return usageError("check needs a Horn file and a witness")
			}
			ctx := c.Context
			if limit := v.Duration("timeout"); limit > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, limit)
				defer cancel()
			}
			return check(ctx, s, c.Args().Get(0), c.Args().Get(1), v.Text("solver"))
		},
	}
}

// check reads a system and a witness of it and prints what the check found.
func check(ctx context.Context, s streams, file, witnessFile, solver string) error {
	open, err := opener(solver)
	if err != nil {
		return &coded{exitUsage, err}
	}
	script, err := readScript(file, s.in)
	if err != nil {
		return &coded{exitBadInput, err}
	}
	name, src, err := readFile(witnessFile, s.in)
	if err != nil {
		return &coded{exitBadInput, err}
	}
	model, refutation, err := smtlib.ReadWitness(name, src, script)
	if err != nil {
		return &coded{exitBadInput, err}
	}
	start := time.Now()
	what := "model"
	if model != nil {
		err = witness.CheckModel(ctx, open, script.System, model, smt.Limit{})
	} else {
		what = "refutation"
		err = witness.CheckRefutation(script.System, refutation)
	}
	switch {
	case err == nil:
		fmt.Fprintf(s.out, "confirmed\n")
		fmt.Fprintf(s.err, "; the %s of %d clauses holds, checked by %s in %.3f s\n", what, len(script.System.Clauses),
			checker(model != nil, solver), time.Since(start).Seconds())
		return nil
	case errors.Is(err, witness.ErrInvalid):
		fmt.Fprintf(s.out, "refused\n")
		fmt.Fprintf(s.err, "; %s\n", err)
		return &coded{code: exitRefused}
	case errors.Is(err, witness.ErrUndecided) || ctx.Err() != nil:
		fmt.Fprintf(s.out, "undecided\n")
		fmt.Fprintf(s.err, "; %s\n", err)
		return &coded{code: exitUndecided}
	}
	return &coded{exitInternal, err}
}

func checker(isModel bool, solver string) string {
	if !isModel {
		return "evaluation"
	}
	return solver
}

// opener returns the solvers that --solver names.
func opener(solver string) (smt.Opener, error) {
	switch solver {
	case "libz3":
		return z3.Open, nil
	case "z3":
		solver = "z3 -in"
	case "cvc5":
		solver = "cvc5 --incremental"
	}
	return process.Command(solver)
}

// readFile reads a file, or standard input when its name is "-", and returns the name to use in messages.
func readFile(file string, stdin io.Reader) (string, []byte, error) {
	if file == "-" {
		src, err := io.ReadAll(stdin)
		return "<stdin>", src, err
	}
	src, err := os.ReadFile(file)
	return file, src, err
}
