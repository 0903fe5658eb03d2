package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	page "hornbeam/bench/report"
	record "hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
	"hornbeam/engine"
)

// exitRegressed is bench diff's for a loss or a wrong verdict.
const exitRegressed = 1

// benchScoreCommands are the commands that read results files.
func benchScoreCommands(s streams) []*cli.Command {
	return []*cli.Command{benchTableCommand(s), benchDiffCommand(s), benchPlotCommand(s), benchReportCommand(s)}
}

var (
	timeOption   = engine.Option{Name: "time", Kind: "string", Default: string(score.CPU), Choices: []string{string(score.CPU), string(score.Wall)}, Doc: "the measure of time"}
	strictOption = engine.Option{Name: "strict", Kind: "bool", Default: "false", Doc: "don't count a verdict that was printed before the run went over a limit"}
	formatOption = engine.Option{Name: "format", Kind: "string", Default: string(table.Text), Choices: []string{string(table.Text), string(table.Markdown), string(table.CSV), string(table.JSON)}, Doc: "how it is written"}
)

// choiceOfRuns are the flags that leave out runs; they may be repeated.
func choiceOfRuns() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "tool", Usage: "keep runs of this tool"},
		&cli.StringSliceFlag{Name: "track", Usage: "keep runs on tasks of this track"},
		&cli.StringSliceFlag{Name: "family", Usage: "keep runs on tasks of this family"},
	}
}

// readResults reads the files, each with the runs that the flags keep.
func readResults(c *cli.Context, paths []string) ([]page.Source, error) {
	keep := func(flag, value string) bool {
		words := c.StringSlice(flag)
		return len(words) == 0 || slices.Contains(words, value)
	}
	var sources []page.Source
	runs := 0
	for _, path := range paths {
		all, err := record.ReadAll(path)
		if err != nil {
			return nil, &coded{exitBadInput, err}
		}
		all = slices.DeleteFunc(all, func(r *record.Run) bool {
			track := r.Track
			if track == "" {
				track = r.List
			}
			return !keep("tool", r.Tool) || !keep("track", track) || !keep("family", r.Family)
		})
		runs += len(all)
		sources = append(sources, page.Source{Path: path, Runs: all})
	}
	// A call whose tools read none of the tasks, or are all missing, leaves a file without runs, of which a report tells.
	chosen := len(c.StringSlice("tool"))+len(c.StringSlice("track"))+len(c.StringSlice("family")) > 0
	if runs == 0 && (chosen || c.Command.Name != "report") {
		return nil, &coded{exitBadInput, fmt.Errorf("no runs in %s", strings.Join(paths, ", "))}
	}
	return sources, nil
}

// readBoard makes the board of the files' runs.
func readBoard(c *cli.Context, v engine.Values) (*score.Board, error) {
	if !c.Args().Present() {
		return nil, usageError("%s needs a results file", c.Command.Name)
	}
	sources, err := readResults(c, c.Args().Slice())
	if err != nil {
		return nil, err
	}
	var runs []*record.Run
	var notes, missing []string
	for _, s := range sources {
		runs = append(runs, s.Runs...)
		n, err := record.SessionNotes(s.Path)
		if err != nil {
			return nil, &coded{exitBadInput, err}
		}
		notes = append(notes, n...)
		m, err := record.MissingTools(s.Path)
		if err != nil {
			return nil, &coded{exitBadInput, err}
		}
		missing = append(missing, m...)
	}
	// Where tools are chosen, only these can be missing.
	if chosen := c.StringSlice("tool"); len(chosen) > 0 {
		missing = slices.DeleteFunc(missing, func(name string) bool { return !slices.Contains(chosen, name) })
	}
	b := score.New(runs, score.Options{Strict: v.Bool("strict"), Missing: missing})
	b.Notes = append(b.Notes, notes...)
	return b, nil
}

func benchTableOptions() []engine.Option {
	return []engine.Option{formatOption, timeOption, strictOption,
		{Name: "tables", Kind: "string", Default: "", Doc: "which tables, separated by commas: " + strings.Join(table.Names, ", ") + ", all; unasked " + strings.Join(table.Defaults, ", ") + ", and for csv, which has one, summary"},
	}
}

func benchTableCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "table",
		Usage:        "print what the tools solved, how fast, and where they were wrong",
		ArgsUsage:    "RESULTS...",
		Flags:        append(flagsOf(benchTableOptions()), choiceOfRuns()...),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, benchTableOptions())
			if err != nil {
				return err
			}
			format := table.Format(v.Text("format"))
			names, err := tableNames(v.Text("tables"), format)
			if err != nil {
				return err
			}
			b, err := readBoard(c, v)
			if err != nil {
				return err
			}
			scores := score.Of(b)
			if format == table.JSON {
				return table.WriteJSON(s.out, b, scores, slices.Contains(names, table.Tasks))
			}
			return table.Write(s.out, format, table.Sheets(b, scores, table.Options{Time: score.Time(v.Text("time")), Tables: names, Long: format == table.CSV}))
		},
	}
}

// tableNames reads --tables.
func tableNames(list string, format table.Format) ([]string, error) {
	switch {
	case list == "" && format == table.CSV:
		return []string{table.Summary}, nil
	case list == "":
		return table.Defaults, nil
	}
	var names []string
	for _, name := range strings.Split(list, ",") {
		switch {
		case name == "all":
			names = append(names, table.Names...)
		case slices.Contains(table.Names, name):
			names = append(names, name)
		default:
			return nil, usageError("--tables %s: no table is called %q; there are %s", list, name, strings.Join(table.Names, ", "))
		}
	}
	if format == table.CSV && len(names) != 1 {
		return nil, usageError("--format csv has one table: give one to --tables")
	}
	return names, nil
}

func benchDiffOptions() []engine.Option {
	noise := score.DefaultNoise
	return []engine.Option{formatOption, timeOption,
		{Name: "factor", Kind: "string", Default: fmt.Sprint(noise.Factor), Doc: "a task is slower or faster only by more than this factor"},
		{Name: "least", Kind: "duration", Default: fmt.Sprintf("%gs", noise.Seconds), Doc: "and only by more than this time"},
		{Name: "subset", Kind: "bool", Default: "false", Doc: "the new results are of a part of the tasks on purpose: a solved task that was not run again is no loss"},
	}
}

func benchDiffCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "diff",
		Usage:        "say what was gained, lost, faster, slower and wrong between two results files; exit code 1 on a loss or a wrong verdict",
		ArgsUsage:    "OLD[:tool=NAME] NEW[:tool=NAME]",
		Flags:        append(flagsOf(benchDiffOptions()), choiceOfRuns()...),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, benchDiffOptions())
			if err != nil {
				return err
			}
			factor, err := strconv.ParseFloat(v.Text("factor"), 64)
			if err != nil || !(factor >= 1) {
				return usageError("--factor %s: give a number of 1 or more", v.Text("factor"))
			}
			if c.NArg() != 2 {
				return usageError("diff needs the old and the new results file")
			}
			before, err := sideOfDiff(c, c.Args().Get(0))
			if err != nil {
				return err
			}
			after, err := sideOfDiff(c, c.Args().Get(1))
			if err != nil {
				return err
			}
			d, err := score.Compare(before, after, score.Noise{By: score.Time(v.Text("time")), Factor: factor, Seconds: v.Duration("least").Seconds()})
			if errors.Is(err, score.ErrNothingCommon) {
				return &coded{exitBadInput, err}
			}
			if err != nil {
				return err
			}
			if format := table.Format(v.Text("format")); format == table.JSON {
				err = table.WriteDiffJSON(s.out, d)
			} else {
				err = table.Write(s.out, format, table.DiffSheets(d))
			}
			if err == nil && d.Regressed(v.Bool("subset")) {
				return &coded{code: exitRegressed}
			}
			return err
		},
	}
}

// sideOfDiff reads one operand of diff: a results file, or the runs of one tool in it.
func sideOfDiff(c *cli.Context, operand string) (*score.Board, error) {
	path, name := operand, ""
	if i := strings.LastIndex(operand, ":tool="); i >= 0 {
		path, name = operand[:i], operand[i+len(":tool="):]
	}
	sources, err := readResults(c, []string{path})
	if err != nil {
		return nil, err
	}
	b := score.New(sources[0].Runs, score.Options{})
	if name == "" {
		notes, err := record.SessionNotes(path)
		if err != nil {
			return nil, &coded{exitBadInput, err}
		}
		b.Notes = append(b.Notes, notes...)
		return b, nil
	}
	// A label names one column of the board; a name may stand for several, which are then made a board of their own.
	var runs []*record.Run
	var labels []string
	for i, t := range b.Tools {
		labels = append(labels, t.Label)
		if t.Label != name && t.Name != name {
			continue
		}
		for _, k := range b.Tasks {
			if k.Cells[i] != nil {
				runs = append(runs, k.Cells[i].Runs...)
			}
		}
	}
	if runs == nil {
		return nil, &coded{exitBadInput, fmt.Errorf("%s has no runs of a tool %q; it has %s", path, name, strings.Join(labels, ", "))}
	}
	return score.New(runs, score.Options{}), nil
}
