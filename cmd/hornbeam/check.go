package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc/witness"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/bounded"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/process"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify"
)

// The exit codes of check.
const (
	exitRefused   = 10
	exitUndecided = 5
)

// checkOptions is the table of check's options.
func checkOptions() []engine.Option {
	return []engine.Option{
		solverOption("who proves a model's clauses"),
		{Name: "timeout", Kind: "duration", Default: "90s", Doc: "wall time for the whole check; 0 is no limit"},
	}
}

func checkCommand(s streams) *cli.Command {
	return command("check", "check a printed model or refutation: confirmed, refused or undecided",
		"FILE WITNESS (- is standard input)", checkOptions(), func(c *cli.Context, v engine.Values) error {
			if c.NArg() != 2 {
				return usageError("check needs a Horn file and a witness")
			}
			open, err := opener(v)
			if err != nil {
				return err
			}
			file, witnessFile := c.Args().Get(0), c.Args().Get(1)
			if file == "-" && witnessFile == "-" {
				return usageError("standard input cannot hold both the clauses and the witness")
			}
			ctx, stop := portfolio.WithLimits(c.Context, v.Duration("timeout"), 0)
			defer stop()
			start := time.Now()
			what, err := bounded.Run(ctx, func() (string, error) { return check(ctx, s, file, witnessFile, open) })
			return reportCheck(ctx, s, what, v.Text("solver"), time.Since(start), err)
		})
}

// check reads a system and a witness of it and returns what was checked; the error is nil when the witness holds.
func check(ctx context.Context, s streams, file, witnessFile string, open smt.Opener) (what string, err error) {
	name, src, err := readFile(witnessFile, s.in)
	if err != nil {
		return "", &coded{exitBadInput, err}
	}
	if extensions[filepath.Ext(file)] == engine.SVLIB {
		return checkSVLIB(ctx, s, file, name, src, open)
	}
	script, err := readScript(file, s.in)
	if err != nil {
		return "", &coded{exitBadInput, err}
	}
	model, refutation, err := smtlib.ReadWitness(name, src, script)
	if err != nil {
		return "", &coded{exitBadInput, err}
	}
	if model == nil {
		return fmt.Sprintf("the refutation of %d steps", len(refutation.Steps)), witness.CheckRefutation(ctx, script.System, refutation)
	}
	return fmt.Sprintf("the model of %d clauses", len(script.System.Clauses)), witness.CheckModel(ctx, open, script.System, model, smt.Limit{})
}

// checkSVLIB checks the witness of a script in SV-LIB.
func checkSVLIB(ctx context.Context, s streams, file, witnessFile string, text []byte, open smt.Opener) (what string, err error) {
	name, src, err := readFile(file, s.in)
	if err != nil {
		return "", &coded{exitBadInput, err}
	}
	what, err = verify.CheckSVLIB(ctx, name, src, witnessFile, text, open)
	var input *smtlib.Error
	if errors.As(err, &input) && !input.Unsupported {
		err = &coded{exitBadInput, err}
	}
	return what, err
}

// reportCheck prints what a check found and returns the command's exit code as an error.
func reportCheck(ctx context.Context, s streams, what, solver string, took time.Duration, err error) error {
	var input *coded
	switch {
	case err == nil:
		if strings.HasPrefix(what, "the refutation") {
			solver = "evaluation"
		}
		fmt.Fprintln(s.out, "confirmed")
		s.err.comment("%s holds, checked by %s in %.3f s", what, solver, took.Seconds())
		return nil
	case errors.Is(err, witness.ErrInvalid):
		fmt.Fprintln(s.out, "refused")
		s.err.comment("%s", err)
		return &coded{code: exitRefused}
	case ctx.Err() != nil:
		fmt.Fprintln(s.out, "undecided")
		s.err.comment("%s", portfolio.EndReason(ctx))
		return &coded{code: exitUndecided}
	case errors.Is(err, witness.ErrUndecided), errors.Is(err, smtlib.ErrUnsupported):
		fmt.Fprintln(s.out, "undecided")
		s.err.comment("%s", err)
		return &coded{code: exitUndecided}
	case errors.As(err, &input):
		return input
	}
	return &coded{exitInternal, err}
}

// inProcess is the word for the solver that is linked in.
const inProcess = "libz3"

// solverOption is the option that chooses a solver, for what.
func solverOption(what string) engine.Option {
	return engine.Option{Name: "solver", Kind: "string", Default: inProcess,
		Doc: what + ": libz3 in this process, z3, cvc5, or the command line of any SMT-LIB solver that reads standard input"}
}

// opener returns the solvers that --solver names.
func opener(v engine.Values) (smt.Opener, error) {
	if v.Text("solver") == inProcess {
		return z3.Open, nil
	}
	open, err := process.Command(v.Text("solver"))
	if err != nil {
		return nil, usageError("--solver: %w", err)
	}
	return open, nil
}
