package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	"hornbeam/bench/task"
	"hornbeam/engine"
)

// experimentOptions are those of bench run that an experiment does not say itself, and where its results go.
func experimentOptions() []engine.Option {
	options := []engine.Option{
		{Name: "out", Kind: "string", Default: "", Doc: "the folder of the results; bench/experiments/NAME unless it is given"},
	}
	for _, o := range benchOptions() {
		if slices.Contains([]string{"jobs", "grace", "output-limit", "sample", "seed", "cgroup", "hornbeam", "host-name", "quiet"}, o.Name) {
			options = append(options, o)
		}
	}
	return options
}

func benchExperimentCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "experiment",
		Usage:     "make an experiment again, and write its results, tables and plots; without a name, list what there is",
		ArgsUsage: "[NAME | FILE.yml]",
		Flags: append(flagsOf(experimentOptions()),
			&cli.StringSliceFlag{Name: "tasks", Value: cli.NewStringSlice("."), Usage: "a folder in which the experiment's lists of tasks are looked for"},
			&cli.StringSliceFlag{Name: "tools", Usage: "a file of tools, as bench/tools.yml is one"}),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			switch c.NArg() {
			case 0:
				return listExperiments(s)
			case 1:
				return makeExperiment(c, s, c.Args().First())
			}
			return usageError("bench experiment makes one experiment at a time")
		},
	}
}

func listExperiments(s streams) error {
	for _, name := range bench.Experiments() {
		e, err := bench.LoadExperiment(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%-20s %s\n", name, e.Title)
	}
	return nil
}

func makeExperiment(c *cli.Context, s streams, name string) error {
	e, err := bench.LoadExperiment(name)
	switch {
	case errors.Is(err, bench.ErrRequest):
		return &coded{exitUsage, err}
	case err != nil:
		return &coded{exitBadInput, err}
	}
	v, err := valuesOf(c, experimentOptions())
	if err != nil {
		return err
	}
	out := v.Text("out")
	if out == "" {
		out = filepath.Join("bench", "experiments", e.Name)
	}
	r, err := requestOf(s, v)
	if err != nil {
		return err
	}
	if r.Config.Limits, err = e.Limits(); err != nil {
		return &coded{exitBadInput, err}
	}
	r.Tools, r.ToolFiles, r.Config.Repeat, r.Config.Experiment = e.Tools, c.StringSlice("tools"), e.Repeat, e.Name
	r.Config.Results = filepath.Join(out, "results.jsonl")
	tasks, absent, err := e.Tasks(c.StringSlice("tasks"), filepath.Join(out, "generated"))
	if err != nil {
		return &coded{exitBadInput, err}
	}
	for _, l := range absent {
		s.err.comment("the tasks %s are not there, and left out; --tasks FOLDER says where they are", l)
	}
	for _, l := range e.Lists {
		r.Lists = append(r.Lists, l.Path)
	}
	if r.Chosen, err = (task.Filter{Sample: v.Int("sample"), Seed: int64(v.Int("seed"))}).Apply(tasks); err != nil {
		return err
	}
	if len(r.Chosen) == 0 {
		return &coded{exitUsage, fmt.Errorf("%w: the experiment %s has no tasks here", bench.ErrNothing, e.Name)}
	}
	o, failure := makeRuns(c.Context, s, r)
	if o == nil {
		return failure
	}
	runs, err := o.Runs(r.Config)
	if err != nil {
		return err
	}
	if err := e.Publish(r.Config.Results, o, runs, absent); err != nil {
		return err
	}
	return failure
}
