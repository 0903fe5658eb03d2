package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	"hornbeam/bench/cluster"
	record "hornbeam/bench/result"
	measure "hornbeam/bench/run"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
	"hornbeam/bench/task"
	"hornbeam/cmd/hornbeam/internal/usage"
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
		Name:  "bench",
		Usage: "run tools on lists of tasks under limits; tables, plots, reports", Category: usage.Measure,
		Subcommands: []*cli.Command{
			benchRunCommand(s), benchMergeCommand(s), benchJobsCommand(s), benchExperimentCommand(s), benchFamiliesCommand(s), benchToolsCommand(s), superviseCommand(s),
			benchTableCommand(s), benchDiffCommand(s), benchPlotCommand(s), benchReportCommand(s),
		},
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				var names []string
				for _, sub := range c.Command.Subcommands {
					names = append(names, sub.Name)
				}
				return usageError("bench has no command called %q%s (see hornbeam bench --help)", c.Args().First(), didYouMean(names, c.Args().First()))
			}
			return usage.Command(s.out, s.style(), "hornbeam bench", c.Command)
		},
	}
}

// benchSubcommand gives a command the flags of a table of options, before its own, and the action their values.
func benchSubcommand(own cli.Command, options []engine.Option, action func(*cli.Context, engine.Values) error) *cli.Command {
	c := command(own.Name, own.Usage, own.ArgsUsage, options, func(c *cli.Context, v engine.Values) error { return benchError(action(c, v)) })
	c.Flags = append(c.Flags, own.Flags...)
	return c
}

// benchError gives the errors of the benchmark's packages their exit codes.
func benchError(err error) error {
	var has *coded
	switch {
	case err == nil || errors.As(err, &has):
		return err
	case errors.Is(err, bench.ErrRequest), errors.Is(err, bench.ErrNothing), errors.Is(err, record.ErrInUse):
		return &coded{exitUsage, err}
	case errors.Is(err, task.ErrNoTasks), errors.Is(err, bench.ErrNoRuns), errors.Is(err, score.ErrNothingCommon), errors.Is(err, fs.ErrNotExist):
		return &coded{exitBadInput, err}
	}
	return err
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

// toolFiles is the flag for definitions of tools.
func toolFiles() cli.Flag {
	return &cli.StringSliceFlag{Name: "tools", Usage: "a file of tools, as bench/tools.yml is one"}
}

// benchLists are the options that may be repeated, or have commas between values.
func benchLists() []cli.Flag {
	return []cli.Flag{
		toolFiles(),
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
	return benchSubcommand(cli.Command{
		Name:      "run",
		Usage:     "run tools on tasks, and append a line for each run to the results file",
		ArgsUsage: "LIST... (a folder with verdicts.tsv, or of such folders, or of files; a .set; a .yml; a file)",
		Flags:     append(benchLists(), toolFlag()),
	}, benchOptions(), func(c *cli.Context, v engine.Values) error {
		if !c.Args().Present() {
			return usageError("bench run needs a list of tasks")
		}
		r, err := benchRequest(s, v)
		if err != nil {
			return err
		}
		memory, _ := engine.ParseSize(v.Text("memory"))
		r.Config.Limits = record.Limits{Wall: v.Duration("wall").Seconds(), CPU: v.Duration("cpu").Seconds(), Memory: memory, Cores: v.Int("cores")}
		r.Config.Results, r.Config.Repeat = v.Text("results"), v.Int("repeat")
		r.Lists, r.Tools, r.ToolFiles = c.Args().Slice(), *c.Generic("tool").(*wholeWords), c.StringSlice("tools")
		r.Filter = task.Filter{Names: c.StringSlice("name"), Tracks: c.StringSlice("track"), Families: c.StringSlice("family"),
			Properties: c.StringSlice("property"), Sample: v.Int("sample"), Seed: int64(v.Int("seed"))}
		for _, word := range c.StringSlice("verdict") {
			known, ok := record.ParseVerdict(word)
			if !ok && word != "none" {
				return usageError("--verdict %s: no verdict", word)
			}
			r.Filter.Verdicts = append(r.Filter.Verdicts, known)
		}
		if shard := v.Text("shard"); shard != "" {
			i, n, ok := strings.Cut(shard, "/")
			var err, err2 error
			r.Config.Shard, err = strconv.Atoi(i)
			r.Config.Shards, err2 = strconv.Atoi(n)
			if !ok || err != nil || err2 != nil || r.Config.Shards < 1 {
				return usageError("--shard %s: give I/N, as in 0/10", shard)
			}
		}
		_, _, err = makeRuns(c, s, r)
		return err
	})
}

// benchRequest has what bench run and bench experiment have in common.
func benchRequest(s streams, v engine.Values) (*bench.Request, error) {
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

// makeRuns makes the runs and prints their scores. The outcome and all its runs are there, too, where an error says that
// something is left to do, or wrong.
func makeRuns(c *cli.Context, s streams, r *bench.Request) (*bench.Outcome, []*record.Run, error) {
	o, err := r.Run(c.Context)
	s.err.clear()
	if o == nil {
		return nil, nil, err
	}
	runs, readErr := o.Runs(r.Config)
	if readErr != nil {
		return nil, nil, readErr
	}
	board := score.New(runs, score.Options{Missing: o.Missing})
	scores := score.Of(board)
	sheets := table.Sheets(board, scores, table.Options{Time: score.CPU, Tables: []string{table.Wrong, table.Disagreements, table.Summary}})
	if err := table.Write(s.out, table.Text, sheets); err != nil {
		return nil, nil, err
	}
	for _, t := range o.Tools {
		if n := o.Unread[t.Name]; n > 0 {
			fmt.Fprintf(s.out, "%s was not run on %d tasks of kinds that it does not read\n", t.Name, n)
		}
	}
	if len(o.Missing) > 0 {
		fmt.Fprintf(s.out, "missing: %s\n", strings.Join(o.Missing, ", "))
	}
	switch {
	case err != nil:
		err = &coded{exitIncomplete, fmt.Errorf("not all runs are made; the same command goes on: %w", err)}
	case len(scores.Wrong) > 0:
		err = &coded{code: exitWrong}
	}
	return o, runs, err
}

// runProgress shows how far the runs are.
func (s streams) runProgress(p measure.Progress) {
	if p.Last == nil {
		if p.Skipped > 0 {
			s.err.comment("%d runs are in the results already", p.Skipped)
		}
		return
	}
	outcome := string(p.Last.Verdict)
	if p.Last.Verdict == record.None {
		outcome = string(p.Last.Status)
	}
	last := fmt.Sprintf("%s on %s: %s, %.2f s", p.Last.Tool, p.Last.Task, outcome, p.Last.Wall)
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

func benchMergeCommand(s streams) *cli.Command {
	return benchSubcommand(cli.Command{
		Name:      "merge",
		Usage:     "write the runs of several results files to a new one, each run once",
		ArgsUsage: "OUT IN...",
	}, nil, func(c *cli.Context, _ engine.Values) error {
		if c.NArg() < 2 {
			return usageError("bench merge needs a file to write and files to read")
		}
		kept, repeated, err := record.Merge(c.Args().First(), c.Args().Tail()...)
		if err != nil {
			return &coded{exitBadInput, err}
		}
		fmt.Fprintf(s.out, "%d runs in %s; %d left out that were there already\n", kept, c.Args().First(), repeated)
		return nil
	})
}

// superviseCommand is what bench run starts for each run; it is not for users.
func superviseCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:   "supervise",
		Hidden: true,
		Action: func(c *cli.Context) error { return measure.Supervise(c.Context, s.in, s.out) },
	}
}

// jobsOptions is the table of the options of bench jobs.
func jobsOptions() []engine.Option {
	return []engine.Option{
		{Name: "shards", Kind: "int", Default: "10", Doc: "the number of parts"},
		{Name: "folder", Kind: "string", Default: "results", Doc: "the folder of all parts' results, as each machine sees it"},
		{Name: "program", Kind: "string", Default: "hornbeam", Doc: "this program, as each machine finds it"},
		{Name: "cores", Kind: "int", Default: "1", Doc: "the cores that each part asks the cluster for"},
		{Name: "memory", Kind: "size", Default: "8G", Doc: "the memory that each part asks the cluster for"},
		{Name: "time", Kind: "duration", Default: "24h", Doc: "the time after which a part is ended"},
		{Name: "at-once", Kind: "int", Default: "0", Doc: "how many parts may run at once; 0 leaves that to the cluster"},
		{Name: "image", Kind: "string", Default: "", Doc: "for Kubernetes: the container's image, with the program and the tools in it"},
		{Name: "claim", Kind: "string", Default: "", Doc: "for Kubernetes: the persistent volume claim that is mounted at the folder of the results"},
		{Name: "tasks", Kind: "string", Default: "/tasks", Doc: "for Kubernetes: where the claim of the tasks is mounted"},
		{Name: "tasks-claim", Kind: "string", Default: "", Doc: "for Kubernetes: the persistent volume claim with the tasks, if the image has none"},
	}
}

func benchJobsCommand(s streams) *cli.Command {
	return benchSubcommand(cli.Command{
		Name:      "jobs",
		Usage:     "print a job that makes runs on many machines: an array for Slurm, an indexed Job for Kubernetes, or a script for this one",
		ArgsUsage: "slurm|kubernetes|local -- ARGUMENTS OF BENCH RUN...",
	}, jobsOptions(), func(c *cli.Context, v engine.Values) error {
		if c.NArg() < 2 {
			return usageError("bench jobs needs a kind, and behind -- the arguments of bench run, as in: bench jobs slurm --shards 20 -- LIST --wall 60")
		}
		memory, _ := engine.ParseSize(v.Text("memory"))
		text, err := cluster.Write(c.Args().First(), cluster.Plan{
			Arguments: c.Args().Tail(), Shards: v.Int("shards"), Folder: filepath.ToSlash(v.Text("folder")), Hornbeam: v.Text("program"),
			Cores: v.Int("cores"), Memory: memory, Time: v.Duration("time"), AtOnce: v.Int("at-once"),
			Image: v.Text("image"), Claim: v.Text("claim"), Tasks: v.Text("tasks"), TasksClaim: v.Text("tasks-claim"),
		})
		if err != nil {
			return &coded{exitUsage, err}
		}
		_, err = fmt.Fprint(s.out, text)
		return err
	})
}
