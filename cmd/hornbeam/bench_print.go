package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	record "hornbeam/bench/result"
	"hornbeam/bench/tool"
)

// writeCounts says in a line a tool what came out, and whether any verdict was wrong.
func writeCounts(w io.Writer, o *bench.Outcome, runs []*record.Run) (wrong bool) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "tool\tversion\truns\tsolved\tsat\tunsat\tWRONG\terrors\ttimeouts\tCPU s\tnot read")
	for _, t := range o.Tools {
		var n, solved, sat, unsat, bad, errors, late int
		var cpu float64
		for _, r := range runs {
			if r.Tool != t.Name {
				continue
			}
			n++
			cpu += r.CPU
			switch {
			case r.Solved():
				solved++
			case r.Wrong():
				bad++
			case r.Failed():
				errors++
			case r.Verdict == record.None:
				late++
			}
			switch {
			case r.Solved() && r.Verdict.Agrees(record.Sat):
				sat++
			case r.Solved() && r.Verdict.Agrees(record.Unsat):
				unsat++
			}
		}
		wrong = wrong || bad > 0
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%d\n", t.Name, t.Version, n, solved, sat, unsat, bad, errors, late, cpu, o.Unread[t.Name])
	}
	for _, name := range o.Missing {
		fmt.Fprintf(table, "%s\tmissing\n", name)
	}
	table.Flush()
	for _, r := range runs {
		if r.Wrong() {
			fmt.Fprintf(w, "WRONG: %s on %s/%s: %s, expected %s\n", r.Tool, r.List, r.Task, r.Verdict, r.Expected)
		}
	}
	return wrong
}

// benchToolsCommand lists the tools that are known.
func benchToolsCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "tools",
		Usage:        "list the tools that are known, with their versions, and those that are missing",
		Flags:        []cli.Flag{&cli.StringSliceFlag{Name: "tools", Usage: "a file of tools, as bench/tools.yml is one"}},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
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
			table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			for _, t := range found {
				fmt.Fprintf(table, "%s\t%s\treads %s\t%s\n", t.Name, versionOf(t), strings.Join(t.Reads, ", "), t.Path)
			}
			for _, name := range missing {
				fmt.Fprintf(table, "%s\tmissing\n", name)
			}
			return table.Flush()
		},
	}
}

func versionOf(t *tool.Tool) string {
	if t.Version == "" {
		return "no version"
	}
	return t.Version
}
