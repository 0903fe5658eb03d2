package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	"hornbeam/bench/experiments"
	"hornbeam/bench/families"
	"hornbeam/bench/table"
	"hornbeam/engine"
)

// experimentOptions are those of bench run that an experiment does not say itself, and where its results go.
func experimentOptions() []engine.Option {
	options := []engine.Option{
		{Name: "out", Kind: "string", Default: "", Doc: "the folder of the results; bench/experiments/NAME unless it is given, of all experiments the folder experiments"},
		{Name: "within", Kind: "duration", Default: "30m", Doc: "the time for all experiments together, which they share; limits on runs are lowered to fit"},
	}
	for _, o := range benchOptions() {
		if slices.Contains([]string{"jobs", "grace", "output-limit", "sample", "seed", "cgroup", "hornbeam", "host-name", "quiet"}, o.Name) {
			options = append(options, o)
		}
	}
	return options
}

func benchExperimentCommand(s streams) *cli.Command {
	return benchSubcommand(cli.Command{
		Name:      "experiment",
		Usage:     "make an experiment again, and write its results, tables and plots; all makes every one, and a report with a section for each paper; without a name, list what there is",
		ArgsUsage: "[NAME | FILE.yml | all]",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "tasks", Value: cli.NewStringSlice("."), Usage: "a folder in which the experiment's lists of tasks are looked for"},
			toolFiles()},
	}, experimentOptions(), func(c *cli.Context, v engine.Values) error {
		switch c.NArg() {
		case 0:
			for _, name := range experiments.Names() {
				e, err := experiments.Load(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(s.out, "%-20s %s\n", name, e.Title)
			}
			return nil
		case 1:
			if c.Args().First() == allExperiments {
				return makeAllExperiments(c, s, v)
			}
			if given(c, "within") {
				return usageError("--within is the time that all experiments share, and has no effect on one")
			}
			return makeExperiment(c, s, v)
		}
		return usageError("bench experiment makes one experiment at a time")
	})
}

func makeExperiment(c *cli.Context, s streams, v engine.Values) error {
	e, err := experiments.Load(c.Args().First())
	if err != nil {
		return badUnlessUsage(err)
	}
	r, err := benchRequest(s, v)
	if err != nil {
		return err
	}
	r.ToolFiles = c.StringSlice("tools")
	absent, err := e.Prepare(r, experiments.Options{Results: v.Text("out"), Tasks: c.StringSlice("tasks"), Sample: v.Int("sample"), Seed: int64(v.Int("seed"))})
	for _, l := range absent {
		s.err.comment("the tasks %s are not there, and left out; --tasks FOLDER says where they are", l)
	}
	if err != nil {
		return badUnlessUsage(err)
	}
	o, runs, failure := makeRuns(c, s, r)
	if o == nil {
		return failure
	}
	if err := e.Publish(r.Config.Results, o, runs, absent); err != nil {
		return err
	}
	return failure
}

// allExperiments stands for every experiment that comes with the program.
const allExperiments = "all"

// makeAllExperiments makes every experiment within a given time, and writes one report on the papers' claims.
func makeAllExperiments(c *cli.Context, s streams, v engine.Values) error {
	folder := cmp.Or(v.Text("out"), "experiments")
	all := &experiments.All{
		Names: experiments.Names(), Within: v.Duration("within"),
		Options: experiments.Options{Results: folder, Tasks: c.StringSlice("tasks"), Sample: v.Int("sample"), Seed: int64(v.Int("seed"))},
		Request: func() (*bench.Request, error) {
			r, err := benchRequest(s, v)
			if err == nil {
				r.ToolFiles = c.StringSlice("tools")
			}
			return r, err
		},
		Began: func(e *experiments.Experiment, share time.Duration) { s.err.comment("%s: %s", e.Name, share) },
	}
	if all.Within <= 0 {
		return usageError("--within needs a time, as in 30m")
	}
	made, failure := all.Run(c.Context)
	s.err.clear()
	if len(made) == 0 {
		return failure
	}
	// What was made until the call was ended is worth its report.
	summary, err := experiments.Summarise(made, all.Within)
	if err != nil {
		return err
	}
	// Where no experiment could be made there is no folder yet.
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder of the report: %w", err)
	}
	path := filepath.Join(folder, "papers.html")
	if err := bench.WriteFile(path, summary.WriteHTML); err != nil {
		return err
	}
	if err := table.Write(s.out, table.Text, summary.Sheets()); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nthe report is %s\n", path)
	switch {
	case failure != nil && c.Context.Err() != nil:
		return &coded{exitIncomplete, fmt.Errorf("not all experiments are made; the same command goes on: %w", failure)}
	case failure != nil:
		return failure
	case slices.ContainsFunc(made, (*experiments.Made).Wrong):
		return &coded{code: exitWrong}
	}
	return nil
}

// badUnlessUsage makes an error bad input unless it says that the command makes no sense.
func badUnlessUsage(err error) error {
	if errors.Is(err, bench.ErrRequest) || errors.Is(err, bench.ErrNothing) {
		return &coded{exitUsage, err}
	}
	return &coded{exitBadInput, err}
}

func benchFamiliesCommand(s streams) *cli.Command {
	return benchSubcommand(cli.Command{
		Name:      "families",
		Usage:     "write Horn clauses and C programs whose size is a parameter, each once safe and once with a bug; without --out, list what there is",
		ArgsUsage: "[NAME...]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "the folder to which they are written"},
			&cli.StringFlag{Name: "n", Value: "4,8,16,32", Usage: "their sizes, separated by commas"},
		},
	}, nil, func(c *cli.Context, _ engine.Values) error {
		names := c.Args().Slice()
		for _, f := range families.All() {
			if !c.Args().Present() {
				names = append(names, f.Name)
			}
		}
		var sizes []int
		for _, word := range strings.Split(c.String("n"), ",") {
			n, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil {
				return usageError("--n %s: %q is no size", c.String("n"), word)
			}
			sizes = append(sizes, n)
		}
		for _, name := range names {
			f, err := families.Named(name)
			if err == nil && c.String("out") != "" {
				err = experiments.WriteFamily(name, sizes, c.String("out"))
			}
			if err != nil {
				return &coded{exitUsage, err}
			}
			if c.String("out") == "" {
				fmt.Fprintf(s.out, "%-18s %s\n", f.Name, f.Doc)
			}
		}
		return nil
	})
}

// benchToolsCommand lists the tools that are known.
func benchToolsCommand(s streams) *cli.Command {
	return benchSubcommand(cli.Command{
		Name:  "tools",
		Usage: "list the tools that are known, with their versions, and those that are missing",
		Flags: []cli.Flag{toolFiles()},
	}, nil, func(c *cli.Context, _ engine.Values) error {
		if c.Args().Present() {
			return usageError("bench tools takes no arguments")
		}
		self, err := thisProgram()
		if err != nil {
			return err
		}
		r := &bench.Request{ToolFiles: c.StringSlice("tools"), Here: self}
		found, missing, err := r.FindTools(c.Context)
		if err != nil {
			return &coded{exitBadInput, err}
		}
		rows := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		for _, t := range found {
			fmt.Fprintf(rows, "%s\t%s\treads %s\t%s\n", t.Name, cmp.Or(t.Version, "no version"), strings.Join(t.Reads, ", "), t.Path)
		}
		for _, name := range missing {
			fmt.Fprintf(rows, "%s\tmissing\n", name)
		}
		return rows.Flush()
	})
}
