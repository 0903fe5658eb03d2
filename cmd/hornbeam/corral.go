package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
	"hornbeam/verify/corral"
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
			var usage *corral.UsageError
			var input *corral.InputError
			switch {
			case errors.As(err, &usage):
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
