package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/chc"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
	"hornbeam/frontend/trace"
)

// corralIgnored are flags of Corral's that ask for nothing that Hornbeam does otherwise: how its trace is written, how
// its solver is called, how many threads may take turns.
var corralIgnored = []string{
	"k", "trackAllVars", "track", "cex", "maxStaticLoopBound", "staticInlining", "stackDepthBound", "tryCTrace", "noTraceOnDisk",
	"printDataValues", "useProverEvaluate", "bopt", "v", "useArrayTheory", "di", "deepAsserts", "newStratifiedInlining", "si", "noTrace",
}

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
			flags := &corralFlags{bound: 1}
			if err := flags.read(args, 0); err != nil {
				return err
			}
			if len(flags.files) != 1 {
				return usageError("corral needs one program")
			}
			return flags.hunt(c.Context, s)
		},
	}
}

// corralFlags are what a call says.
type corralFlags struct {
	files           []string
	main            string
	bound           int
	limit           time.Duration
	noTrace, bounds bool
	// unknown are the flags that are not known, and so are left out.
	unknown []string
}

// read reads flags, those in files that /flags names included.
func (f *corralFlags) read(args []string, depth int) error {
	for _, a := range args {
		if !strings.HasPrefix(a, "/") && !strings.HasPrefix(a, "-") || strings.HasSuffix(a, ".bpl") {
			f.files = append(f.files, a)
			continue
		}
		name, value, _ := strings.Cut(a[1:], ":")
		switch name {
		case "main":
			f.main = value
		case "recursionBound", "timeLimit":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return usageError("/%s:%s: give a number", name, value)
			}
			if name == "recursionBound" {
				f.bound, f.bounds = n, true
			} else {
				f.limit = time.Duration(n) * time.Second
			}
		case "flags":
			text, err := os.ReadFile(value)
			if err != nil {
				return usageError("/flags: %w", err)
			}
			if depth > 10 {
				return usageError("/flags:%s: the file names itself", value)
			}
			if err := f.read(strings.Fields(string(text)), depth+1); err != nil {
				return err
			}
		case "assertVar", "assertVarIsInt":
			return usageError("/%s is not supported", name)
		default:
			f.noTrace = f.noTrace || name == "noTrace"
			if !slices.Contains(corralIgnored, name) {
				f.unknown = append(f.unknown, a)
			}
		}
	}
	return nil
}

// hunt hunts in the program and prints what Corral would.
func (f *corralFlags) hunt(ctx context.Context, s streams) error {
	values, err := engine.NewValues(huntOptions(), map[string]string{"main": f.main, "trace": "none"})
	if err != nil {
		return err
	}
	for _, u := range f.unknown {
		s.err.comment("the flag %s is ignored", u)
	}
	if !f.bounds {
		fmt.Fprintln(s.out, "Warning: Using default recursion bound of 1")
	}
	// A loop that turns N times comes to its head once more.
	own := map[string]string{"inline.bound": strconv.Itoa(f.bound + 1)}
	p := &program{job: job{streams: s, values: values, engineOptions: own, log: newLog(s.err, values.Text("log"))}, file: f.files[0], stats: engine.NewStats()}
	ctx, stop := portfolio.WithLimits(ctx, f.limit, 0)
	defer stop()
	v, err := bounded(ctx, func() (verdict, error) { return p.decide(ctx) })
	if err != nil {
		var broken *crash
		if !errors.Is(err, errLeftBehind) && !errors.As(err, &broken) {
			return &coded{code: p.report(err)}
		}
		if v.Answer, err = p.mishap(ctx, err); err != nil {
			return &coded{code: exitBadInput}
		}
	}
	_, err = s.out.Write([]byte(f.console(v, int(p.stats.Get("inline.explored")), ctx.Err() != nil)))
	if err == nil && v.Internal {
		return &coded{exitInternal, errors.New(v.Reason)}
	}
	return err
}

// console is what Corral would print for a verdict.
func (f *corralFlags) console(v verdict, explored int, late bool) string {
	var b strings.Builder
	switch {
	case v.Verdict == engine.Sat:
		b.WriteString("Program has no bugs\n\nReturn status: OK\n")
	case v.Verdict == engine.Unsat:
		b.WriteString("Program has a potential bug: True bug\n")
		f.trace(&b, v.trace)
		b.WriteString("\nReturn status: NOK\n")
	case late:
		fmt.Fprintf(&b, "Verification timed out: no bug up to recursion bound %d\n\nReturn status: TIMEOUT\n", max(explored-1, 0))
	case explored > f.bound:
		fmt.Fprintf(&b, "Program has no bugs\nReached recursion bound of %d\n\nReturn status: OK\n", f.bound)
	default:
		fmt.Fprintf(&b, "Inconclusive result: %s\n\nReturn status: UNKNOWN\n", oneLine(v.Reason))
	}
	return b.String()
}

// trace writes a run as Corral does: places with what happened there.
func (f *corralFlags) trace(b *strings.Builder, t *trace.Trace) {
	fmt.Fprintf(b, "%s: error PF5001: This assertion can fail\n", corralPlace(t.Failure()))
	if f.noTrace {
		return
	}
	b.WriteString("\nExecution trace:\n")
	for _, s := range t.Steps {
		var parts []string
		for _, v := range s.Values {
			parts = append(parts, v.Name+" = "+v.Value)
		}
		switch s.Kind {
		case trace.Call:
			parts = append(parts, "CALL "+s.Procedure)
		case trace.Return:
			parts = append([]string{"RETURN from " + s.Procedure}, parts...)
		case trace.Error:
			parts = append(parts, "ASSERTION FAILS assert "+strings.TrimPrefix(oneLine(s.Text), "assertion ")+"; ", "Done")
		case trace.Omitted:
			continue
		}
		fmt.Fprintf(b, "%s: Trace: Thread=1  (%s)\n", corralPlace(s), strings.Join(parts, ", "))
	}
}

// corralPlace is a step's place in the source if that is known, and else in the program.
func corralPlace(s trace.Step) string {
	var pos chc.Position = s.Pos
	if s.Source.Line > 0 {
		pos = s.Source
	}
	return fmt.Sprintf("%s(%d,%d)", pos.File, pos.Line, pos.Column)
}
