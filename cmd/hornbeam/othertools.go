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

	"hornbeam/engine/portfolio"
	"hornbeam/frontend/smtlib"
	"hornbeam/internal/smt/z3"
	"hornbeam/verify/corral"
	"hornbeam/verify/persona"
)

func corralCommand(s streams) *cli.Command {
	return &cli.Command{
		Name: "corral",
		Usage: "hunt in a Boogie program with the flags that Corral has (/main:NAME /recursionBound:N /timeLimit:SECONDS " +
			"/flags:FILE …) and the lines that it ends with; the exit code is 0 for every verdict",
		ArgsUsage:       "FILE.bpl [/FLAG...]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			args := slices.DeleteFunc(c.Args().Slice(), func(a string) bool { return a == "--" })
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				return cli.ShowSubcommandHelp(c)
			}
			session := corral.Session{Out: s.out, Comment: s.err.comment, Log: newLog(s.err, "warn"), Version: version}
			err := corral.Run(c.Context, session, args)
			var usage *corral.UsageError
			var input *corral.InputError
			switch {
			case errors.As(err, &usage):
				return &coded{exitUsage, err}
			case errors.As(err, &input):
				return &coded{code: (&job{streams: s}).reportError(input.File, input.Err)}
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
		Name: "as",
		Usage: "answer as another Horn solver, with its arguments and its output: z3 (-in -smt2 -model -t:MILLISECONDS …) or eld " +
			"(-in -hsmt -ssol -t:SECONDS …); a copy of the program or a link to it that has one of these names does the same",
		ArgsUsage:       "[--no-cache] z3|eld [ARGUMENT...]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			cache := true
			if len(args) > 0 && args[0] == "--no-cache" {
				cache, args = false, args[1:]
			}
			if len(args) == 0 || args[0] == "--help" || args[0] == "-h" {
				return cli.ShowSubcommandHelp(c)
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
		Solver: portfolio.Request{Open: z3.Open, Log: newLog(s.err, "error")},
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
