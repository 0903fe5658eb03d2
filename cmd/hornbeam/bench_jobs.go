package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"hornbeam/bench/cluster"
	"hornbeam/engine"
)

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
	return &cli.Command{
		Name:         "jobs",
		Usage:        "print a job that makes runs on many machines: an array for Slurm, an indexed Job for Kubernetes, or a script for this one",
		ArgsUsage:    "slurm|kubernetes|local -- ARGUMENTS OF BENCH RUN...",
		Flags:        flagsOf(jobsOptions()),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, jobsOptions())
			if err != nil {
				return err
			}
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
		},
	}
}
