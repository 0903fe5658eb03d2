package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	record "hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
	"hornbeam/bench/tool"
)

// writeCounts prints the tables of what came out, and says whether any verdict was wrong.
func writeCounts(w io.Writer, o *bench.Outcome, runs []*record.Run) (wrong bool, err error) {
	board := score.New(runs, score.Options{Missing: o.Missing})
	scores := score.Of(board)
	sheets := table.Sheets(board, scores, table.Options{Time: score.CPU, Tables: []string{table.Wrong, table.Disagreements, table.Summary}})
	if err := table.Write(w, table.Text, sheets); err != nil {
		return false, err
	}
	for _, t := range o.Tools {
		if n := o.Unread[t.Name]; n > 0 {
			fmt.Fprintf(w, "%s was not run on %d tasks of kinds that it does not read\n", t.Name, n)
		}
	}
	if len(o.Missing) > 0 {
		fmt.Fprintf(w, "missing: %s\n", strings.Join(o.Missing, ", "))
	}
	return len(scores.Wrong) > 0, nil
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
			rows := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			for _, t := range found {
				fmt.Fprintf(rows, "%s\t%s\treads %s\t%s\n", t.Name, versionOf(t), strings.Join(t.Reads, ", "), t.Path)
			}
			for _, name := range missing {
				fmt.Fprintf(rows, "%s\tmissing\n", name)
			}
			return rows.Flush()
		},
	}
}

func versionOf(t *tool.Tool) string {
	if t.Version == "" {
		return "no version"
	}
	return t.Version
}
