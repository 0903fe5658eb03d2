// Command hornbeam decides constrained Horn clauses, shows how it prepares them and checks witnesses.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

// version is what --version prints after the program's name.
const version = "0.1.0"

// The exit codes of every command; programs will add 0 safe, 10 a bug was found, 5 inconclusive.
const (
	exitOK       = 0
	exitUsage    = 1
	exitBadInput = 2
	exitInternal = 6
)

// coded is an error with the exit code that it ends the program with.
type coded struct {
	code int
	err  error
}

func (c *coded) Error() string { return c.err.Error() }
func (c *coded) Unwrap() error { return c.err }

func usageError(format string, args ...any) error {
	return &coded{exitUsage, fmt.Errorf(format, args...)}
}

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

func main() {
	// The heap is small and short-lived beside Z3's; collecting less often buys time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel(errInterrupted)
		<-signals
		os.Exit(exitInternal)
	}()
	os.Exit(run(ctx, os.Args, streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the three that a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run is the program without its process: it returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	app := &cli.App{
		Name:            "hornbeam",
		Usage:           "prove, refute and check constrained Horn clauses",
		Version:         version,
		Reader:          s.in,
		Writer:          s.out,
		ErrWriter:       s.err,
		HideHelpCommand: true,
		Commands:        []*cli.Command{solveCommand(s), checkCommand(s), showCommand(s), optionsCommand(s)},
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("no command is called %q; see hornbeam --help", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintf(c.App.Writer, "hornbeam %s\n", c.App.Version) }
	err := app.RunContext(ctx, flagsFirst(app, args))
	if err == nil {
		return exitOK
	}
	var c *coded
	if !errors.As(err, &c) {
		c = &coded{exitInternal, err}
	}
	if c.err != nil {
		fmt.Fprintf(s.err, "hornbeam: %s\n", c.err)
	}
	return c.code
}

// flagsFirst moves a command's flags before its files, so that they may be given in any order.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 {
		return args
	}
	var command *cli.Command
	for _, c := range app.Commands {
		if c.HasName(args[1]) {
			command = c
		}
	}
	if command == nil {
		return args
	}
	takesValue := map[string]bool{}
	for _, f := range command.Flags {
		if d, ok := f.(cli.DocGenerationFlag); ok && d.TakesValue() {
			for _, n := range f.Names() {
				takesValue[n] = true
			}
		}
	}
	var flags, files []string
	rest := args[2:]
	for i := 0; i < len(rest); i++ {
		a := rest[i]
		switch {
		case a == "--":
			files = append(files, rest[i+1:]...)
			i = len(rest)
		case a == "-" || !strings.HasPrefix(a, "-"):
			files = append(files, a)
		default:
			flags = append(flags, a)
			if takesValue[strings.TrimLeft(a, "-")] && i+1 < len(rest) {
				i++
				flags = append(flags, rest[i])
			}
		}
	}
	out := append([]string{args[0], args[1]}, flags...)
	return append(append(out, "--"), files...)
}
