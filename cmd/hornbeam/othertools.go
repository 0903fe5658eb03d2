package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify/corral"
	"hornbeam/verify/persona"
)

func corralCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:            "corral",
		Category:        usage.Inspect,
		Usage:           "hunt in a Boogie program with Corral's flags and last lines",
		Description:     "The flags are those of Corral: /main:NAME /recursionBound:N /timeLimit:SECONDS /flags:FILE and others; docs/corral.md lists them. The exit code is 0 for every verdict.",
		ArgsUsage:       "FILE.bpl [/FLAG...]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			args := slices.DeleteFunc(c.Args().Slice(), func(a string) bool { return a == "--" })
			session := corral.Session{Out: s.out, Comment: s.err.comment, Log: newLog(s.err, "warn"), Version: version}
			err := corral.Run(c.Context, session, args)
			var wrong *corral.UsageError
			var input *corral.InputError
			switch {
			case errors.As(err, &wrong):
				return &coded{exitUsage, err}
			case errors.As(err, &input):
				return &coded{code: (&job{streams: s}).reportError(input.File, input.Err, engine.NewStats())}
			case errors.Is(err, corral.ErrInternal):
				return &coded{exitInternal, err}
			case errors.Is(err, corral.ErrStopped):
				return &coded{code: exitUsage}
			}
			return err
		},
	}
}

// cacheVariable is the environment variable that names the folder of the answers that programs which call Hornbeam as another tool
// asked for before; off is none.
const cacheVariable = "HORNBEAM_CACHE"

// exitZ3Usage is z3's exit code for wrong arguments.
const exitZ3Usage = 103

func asCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:     "as",
		Category: usage.Inspect,
		Usage:    "answer as another Horn solver, with its arguments and output",
		Description: "The tools are z3 (-in -smt2 -model -t:MILLISECONDS …) and eld (-in -hsmt -ssol -t:SECONDS …). A copy of the program or a " +
			"link to it that has one of these names does the same; docs/solidity.md tells how solc calls them.",
		ArgsUsage:       "[--no-cache] z3|eld [ARGUMENT...]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			cache := true
			if len(args) > 0 && args[0] == "--no-cache" {
				cache, args = false, args[1:]
			}
			if len(args) == 0 {
				return usageError("as: the tools are z3 and eld")
			}
			tool, ok := persona.Named(args[0])
			if !ok {
				return usageError("as %s: the tools are z3 and eld", args[0])
			}
			return s.as(c.Context, tool, args[1:], cache)
		},
	}
}

// as answers as another tool.
func (s streams) as(ctx context.Context, tool string, args []string, cache bool) error {
	wrong, err := persona.Run(ctx, persona.Call{
		Tool: tool, Arguments: args, In: s.in, Out: s.out, Comment: s.err.comment, Version: version, Cache: cacheFolder(cache),
		Solver: portfolio.Request{Open: z3.Open, Deterministic: true, Log: newLog(s.err, "error")},
	})
	var usage *persona.UsageError
	var input *smtlib.Error
	switch {
	case errors.As(err, &usage) && tool == persona.Z3:
		fmt.Fprintf(s.err, "Error: %s\nFor usage information: z3 -h\n", usage)
		return &coded{code: exitZ3Usage}
	case errors.As(err, &usage):
		return &coded{exitUsage, err}
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		fmt.Fprintf(s.out, "(error \"%s\")\n", strings.ReplaceAll(err.Error(), `"`, `""`))
		return &coded{code: exitUsage}
	case errors.As(err, &input):
		return &coded{exitBadInput, err}
	case err == nil && wrong:
		return &coded{code: exitUsage}
	}
	return err
}

// cacheFolder is where answers are kept for later calls; "" is nowhere.
func cacheFolder(wanted bool) string {
	named, set := os.LookupEnv(cacheVariable)
	switch {
	case !wanted || named == "off":
		return ""
	case set && named != "":
		return named
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "hornbeam", "answers")
}
