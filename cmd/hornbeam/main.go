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
	"syscall"

	"github.com/urfave/cli/v2"

	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
	"hornbeam/internal/earlysignal"
	"hornbeam/verify/persona"
)

// version is what --version prints after the program's name.
const version = "0.1.0"

// The exit codes of every command; hunt and verify add 10, a bug was found, and 5, inconclusive.
const (
	exitOK = 0
	// exitUsage also stands for output that cannot be written.
	exitUsage    = 1
	exitBadInput = 2
	exitInternal = 6
)

// coded is an error with the exit code that it ends the program with; a nil err says nothing.
type coded struct {
	code int
	err  error
}

func (c *coded) Error() string { return fmt.Sprint(c.err) }
func (c *coded) Unwrap() error { return c.err }

func usageError(format string, args ...any) error {
	return &coded{exitUsage, fmt.Errorf(format, args...)}
}

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	earlysignal.Handled()
	// The heap is small and short-lived beside Z3's; collecting less often buys time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		<-signals
		// From here on a signal does what it does to any program: it kills.
		signal.Stop(signals)
		cancel(errInterrupted)
	}()
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// streams are the three that a command reads and writes.
type streams struct {
	in  io.Reader
	out *output
	err *console
}

// run is the program without its process: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := streams{stdin, &output{w: stdout}, newConsole(stderr)}
	code := s.run(ctx, args)
	if err := s.out.failure(); err != nil {
		fmt.Fprintf(s.err, "hornbeam: %s\n", engine.OneLine(err.Error()))
		return exitUsage
	}
	return code
}

// app is the program's commands.
func (s streams) app() *cli.App {
	app := &cli.App{
		Name:            "hornbeam",
		Usage:           "prove programs and Horn clauses, or show how they fail",
		Flags:           []cli.Flag{&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version"}},
		HideVersion:     true,
		HideHelp:        true,
		HideHelpCommand: true,
		Reader:          s.in,
		Writer:          s.out,
		ErrWriter:       s.err,
		Commands: []*cli.Command{
			solveCommand(s), huntCommand(s), verifyCommand(s), annotateCommand(s), corralCommand(s), asCommand(s), checkCommand(s), showCommand(s), lspCommand(s), benchCommand(s),
			helpCommand(s), doctorCommand(s), optionsCommand(s), strategiesCommand(s), completionCommand(s), manualCommand(s), completeCommand(s),
		},
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsageError,
		Before: func(c *cli.Context) error {
			if !c.Bool("version") {
				return nil
			}
			fmt.Fprintln(s.out, versionLine())
			return &coded{code: exitOK}
		},
		Action: func(c *cli.Context) error { return usage.Program(s.out, s.style(), c.App) },
	}
	// Pages of help are our own.
	for _, c := range app.Commands {
		c.HideHelp, c.HideHelpCommand = true, true
		for _, sub := range c.Subcommands {
			sub.HideHelp, sub.HideHelpCommand = true, true
		}
	}
	return app
}

// run runs the command that the arguments name and returns its exit code.
func (s streams) run(ctx context.Context, args []string) int {
	app := s.app()
	// Who calls it by another tool's name wants that tool.
	if tool, ok := persona.Named(args[0]); ok {
		args = append([]string{"hornbeam", "as", tool}, args[1:]...)
	}
	asked, err := readArgs(app, args)
	switch {
	case err != nil:
	case asked.page != nil:
		err = usage.Command(s.out, s.style(), asked.name, asked.page)
	default:
		err = app.RunContext(ctx, asked.args)
	}
	if err == nil {
		return exitOK
	}
	var c *coded
	if !errors.As(err, &c) {
		c = &coded{exitInternal, err}
	}
	var unwritten *outputError
	switch {
	case c.err == nil, errors.As(err, &unwritten):
	case c.code == exitBadInput:
		fmt.Fprintln(s.err, engine.OneLine(c.err.Error()))
	default:
		fmt.Fprintf(s.err, "hornbeam: %s\n", engine.OneLine(c.err.Error()))
	}
	return c.code
}
