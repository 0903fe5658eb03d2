package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	record "hornbeam/bench/result"
	measure "hornbeam/bench/run"
	"hornbeam/bench/task"
	"hornbeam/engine"
	"hornbeam/engine/portfolio"
)

// exitIncomplete is for runs that were asked for and are not all made, exitWrong for a wrong verdict.
const (
	exitIncomplete = 5
	exitWrong      = 10
)

func benchCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "bench",
		Usage:        "run lists of tasks with several tools under limits, and keep what came out; see docs/bench.md",
		Subcommands:  append([]*cli.Command{benchRunCommand(s), benchMergeCommand(s), benchJobsCommand(s), benchExperimentCommand(s), benchFamiliesCommand(s), benchToolsCommand(s), superviseCommand(s)}, benchScoreCommands(s)...),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("bench has no command called %q; see hornbeam bench --help", c.Args().First())
			}
			return cli.ShowSubcommandHelp(c)
		},
	}
}

// benchOptions is the table of the options of bench run that have one value.
func benchOptions() []engine.Option {
	return []engine.Option{
		{Name: "results", Kind: "string", Default: "results.jsonl", Doc: "the results file; what it has is not run again"},
		{Name: "wall", Kind: "duration", Default: "20s", Doc: "limit on the wall time of a run; 0 is none"},
		{Name: "cpu", Kind: "duration", Default: "0s", Doc: "limit on the CPU time of a run's whole process tree; 0 is none"},
		{Name: "memory", Kind: "size", Default: "0", Doc: "limit on the memory of a run's whole process tree, such as 4G; 0 is none"},
		{Name: "cores", Kind: "int", Default: "0", Doc: "how many cores a run is bound to; 0 is all of the machine's"},
		{Name: "jobs", Kind: "int", Default: "1", Doc: "how many runs are made at once"},
		{Name: "repeat", Kind: "int", Default: "1", Doc: "how often each tool runs on each task"},
		{Name: "grace", Kind: "duration", Default: "500ms", Doc: "time between SIGTERM and SIGKILL at a limit on time"},
		{Name: "output-limit", Kind: "size", Default: "1M", Doc: "the most bytes that are kept of each output; the middle is left out; 0 keeps none"},
		{Name: "sample", Kind: "int", Default: "0", Doc: "the most tasks, chosen by the seed among those that pass the filters; 0 is all"},
		{Name: "seed", Kind: "int", Default: "0", Doc: "the seed of the sample"},
		{Name: "shard", Kind: "string", Default: "", Doc: "make a part of the runs, as I/N with I from 0: those on every Nth task"},
		{Name: "cgroup", Kind: "string", Default: "auto", Doc: "where control groups of version 2 are made: auto tries the one that hornbeam is in, none measures by looking at processes, else a folder"},
		{Name: "hornbeam", Kind: "string", Default: "", Doc: "the program that the tool hornbeam runs; this one, unless it is given"},
		{Name: "host-name", Kind: "bool", Default: "false", Doc: "have the host's name in the results"},
		{Name: "quiet", Kind: "bool", Default: "false", Doc: "show no progress"},
	}
}

// benchLists are the options that may be repeated, or have commas between values.
func benchLists() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "tools", Usage: "a file of tools, as bench/tools.yml is one"},
		&cli.StringSliceFlag{Name: "name", Usage: "keep tasks with this part in their names, or of this pattern"},
		&cli.StringSliceFlag{Name: "track", Usage: "keep tasks of this track"},
		&cli.StringSliceFlag{Name: "family", Usage: "keep tasks of this family"},
		&cli.StringSliceFlag{Name: "verdict", Usage: "keep tasks with this expected verdict; none is those without one"},
		&cli.StringSliceFlag{Name: "property", Usage: "keep tasks with this property"},
	}
}

// wholeWords are the values of a flag that may be repeated, with the commas in them.
type wholeWords []string

func (w *wholeWords) Set(word string) error { *w = append(*w, word); return nil }
func (w *wholeWords) String() string        { return strings.Join(*w, "; ") }

// toolFlag takes whole requests for tools.
func toolFlag() cli.Flag {
	return &cli.GenericFlag{Name: "tool", Value: &wholeWords{}, Usage: "a tool to run: NAME OPTIONS… or LABEL=NAME OPTIONS…; hornbeam:ENGINE and hornbeam:* are its engines; without any, every tool that is known"}
}

func benchRunCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "run",
		Usage:        "run tools on tasks, and append a line for each run to the results file",
		ArgsUsage:    "LIST... (a folder with verdicts.tsv, or of such folders, or of files; a .set; a .yml; a file)",
		Flags:        append(append(flagsOf(benchOptions()), benchLists()...), toolFlag()),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usageError("bench run needs a list of tasks")
			}
			r, err := benchRequest(c, s)
			if err != nil {
				return err
			}
			r.Lists = c.Args().Slice()
			_, err = makeRuns(c.Context, s, r)
			return err
		},
	}
}

// benchRequest reads the flags of bench run.
func benchRequest(c *cli.Context, s streams) (*bench.Request, error) {
	v, err := valuesOf(c, benchOptions())
	if err != nil {
		return nil, err
	}
	r, err := requestOf(s, v)
	if err != nil {
		return nil, err
	}
	memory, _ := engine.ParseSize(v.Text("memory"))
	r.Config.Limits = record.Limits{Wall: v.Duration("wall").Seconds(), CPU: v.Duration("cpu").Seconds(), Memory: memory, Cores: v.Int("cores")}
	r.Config.Results, r.Config.Repeat = v.Text("results"), v.Int("repeat")
	r.Tools, r.ToolFiles = *c.Generic("tool").(*wholeWords), c.StringSlice("tools")
	r.Filter = task.Filter{Names: c.StringSlice("name"), Tracks: c.StringSlice("track"), Families: c.StringSlice("family"),
		Properties: c.StringSlice("property"), Sample: v.Int("sample"), Seed: int64(v.Int("seed"))}
	for _, word := range c.StringSlice("verdict") {
		known, ok := record.ParseVerdict(word)
		if !ok && word != "none" {
			return nil, usageError("--verdict %s: no verdict", word)
		}
		r.Filter.Verdicts = append(r.Filter.Verdicts, known)
	}
	if shard := v.Text("shard"); shard != "" {
		i, n, ok := strings.Cut(shard, "/")
		var err, err2 error
		r.Config.Shard, err = strconv.Atoi(i)
		r.Config.Shards, err2 = strconv.Atoi(n)
		if !ok || err != nil || err2 != nil || r.Config.Shards < 1 {
			return nil, usageError("--shard %s: give I/N, as in 0/10", shard)
		}
	}
	return r, nil
}

// requestOf has what bench run and bench experiment have in common.
func requestOf(s streams, v engine.Values) (*bench.Request, error) {
	self, err := thisProgram()
	if err != nil {
		return nil, err
	}
	outputs, _ := engine.ParseSize(v.Text("output-limit"))
	r := &bench.Request{Here: self, Config: measure.Config{
		Jobs: v.Int("jobs"), OutputLimit: outputs, Grace: v.Duration("grace"),
		Supervisor: []string{self, "bench", "supervise"}, HostName: v.Bool("host-name"),
		Note: func(text string) { s.err.comment("%s", text) },
	}}
	for _, e := range portfolio.Engines() {
		r.Engines = append(r.Engines, e.Name)
	}
	if h := v.Text("hornbeam"); h != "" {
		r.Here = h
	}
	if group := v.Text("cgroup"); group != "none" {
		r.Config.Cgroup = group
	}
	if !v.Bool("quiet") {
		r.Config.Progress = s.runProgress
	}
	return r, nil
}

func thisProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return self, nil
}

// makeRuns makes the runs and says what came out. The outcome is there, too, where an error says that something is left to
// do, or wrong.
func makeRuns(ctx context.Context, s streams, r *bench.Request) (*bench.Outcome, error) {
	o, err := r.Run(ctx)
	s.err.clear()
	switch {
	case errors.Is(err, bench.ErrRequest), errors.Is(err, bench.ErrNothing), errors.Is(err, record.ErrInUse):
		return nil, &coded{exitUsage, err}
	case errors.Is(err, task.ErrNoTasks), errors.Is(err, fs.ErrNotExist) && o == nil:
		return nil, &coded{exitBadInput, err}
	case err != nil && o == nil:
		return nil, err
	}
	runs, readErr := o.Runs(r.Config)
	if readErr != nil {
		return nil, readErr
	}
	wrong, printErr := writeCounts(s.out, o, runs)
	if printErr != nil {
		return nil, printErr
	}
	if err != nil {
		return o, &coded{exitIncomplete, fmt.Errorf("not all runs are made; the same command goes on: %w", err)}
	}
	if wrong {
		return o, &coded{code: exitWrong}
	}
	return o, nil
}

// runProgress shows how far the runs are.
func (s streams) runProgress(p measure.Progress) {
	if p.Last == nil {
		if p.Skipped > 0 {
			s.err.comment("%d runs are in the results already", p.Skipped)
		}
		return
	}
	last := fmt.Sprintf("%s on %s: %s, %.2f s", p.Last.Tool, p.Last.Task, said(p.Last), p.Last.Wall)
	if p.Last.Wrong() {
		s.err.comment("WRONG: %s, expected %s", last, p.Last.Expected)
	}
	left := p.Left.Round(time.Second).String() + " left"
	if !s.err.terminal {
		s.err.comment("%d/%d, %s; %s", p.Done, p.Total, left, last)
		return
	}
	const width = 20
	full := width * p.Done / max(p.Total, 1)
	if r := []rune(last); len(r) > 60 {
		last = string(r[:60]) + "…"
	}
	s.err.status(fmt.Sprintf("[%s%s] %d/%d, %s; %s", strings.Repeat("#", full), strings.Repeat(".", width-full), p.Done, p.Total, left, last))
}

// said is the verdict of a run, or how it ended without one.
func said(r *record.Run) string {
	if r.Verdict != record.None {
		return string(r.Verdict)
	}
	return string(r.Status)
}

func benchMergeCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "merge",
		Usage:        "write the runs of several results files to a new one, each run once",
		ArgsUsage:    "OUT IN...",
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			if c.NArg() < 2 {
				return usageError("bench merge needs a file to write and files to read")
			}
			kept, repeated, err := record.Merge(c.Args().First(), c.Args().Tail()...)
			if err != nil {
				return &coded{exitBadInput, err}
			}
			fmt.Fprintf(s.out, "%d runs in %s; %d left out that were there already\n", kept, c.Args().First(), repeated)
			return nil
		},
	}
}

// superviseCommand is what bench run starts for each run; it is not for users.
func superviseCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:   "supervise",
		Hidden: true,
		Action: func(c *cli.Context) error { return measure.Supervise(c.Context, s.in, s.out) },
	}
}
