package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"hornbeam/verify/corral"
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
			if slices.Contains(args, "--help") {
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
