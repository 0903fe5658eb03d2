package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/bench"
	"hornbeam/bench/plot"
	page "hornbeam/bench/report"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
	"hornbeam/cmd/hornbeam/internal/usage"
	"hornbeam/engine"
)

// exitRegressed is bench diff's for a loss or a wrong verdict.
const exitRegressed = 1

var (
	timeOption   = engine.Option{Name: "time", Kind: "string", Default: string(score.CPU), Choices: []string{string(score.CPU), string(score.Wall)}, Doc: "the measure of time"}
	strictOption = engine.Option{Name: "strict", Kind: "bool", Default: "false", Doc: "don't count a verdict that was printed before the run went over a limit"}
	formatOption = engine.Option{Name: "format", Kind: "string", Default: string(table.Text), Choices: []string{string(table.Text), string(table.Markdown), string(table.CSV), string(table.JSON)}, Doc: "how it is written"}
)

// resultsCommand makes a command that reads results files, with the flags that choose among their runs, which may be repeated.
// A file that cannot be read is bad input.
func resultsCommand(c cli.Command, options []engine.Option, action func(*cli.Context, engine.Values, *bench.Selection) error) *cli.Command {
	c.Flags = []cli.Flag{
		&cli.StringSliceFlag{Name: "tool", Usage: "keep runs of this tool"},
		&cli.StringSliceFlag{Name: "track", Usage: "keep runs on tasks of this track"},
		&cli.StringSliceFlag{Name: "family", Usage: "keep runs on tasks of this family"},
	}
	return benchSubcommand(c, options, func(c *cli.Context, v engine.Values) error {
		if !c.Args().Present() {
			return usageError("%s needs a results file", c.Command.Name)
		}
		return action(c, v, &bench.Selection{Tools: c.StringSlice("tool"), Tracks: c.StringSlice("track"), Families: c.StringSlice("family")})
	})
}

func benchTableCommand(s streams) *cli.Command {
	options := []engine.Option{formatOption, timeOption, strictOption,
		{Name: "tables", Kind: "string", Default: "", Doc: "which tables, separated by commas: " + strings.Join(table.Names, ", ") + ", all; unasked " + strings.Join(table.Defaults, ", ") + ", and for csv, which has one, summary"},
	}
	return resultsCommand(cli.Command{
		Name: "table", Usage: "print what the tools solved, how fast, and where they were wrong", ArgsUsage: "RESULTS...",
	}, options, func(c *cli.Context, v engine.Values, chosen *bench.Selection) error {
		format := table.Format(v.Text("format"))
		names, err := table.Choose(v.Text("tables"), format)
		if err != nil {
			return usageError("--tables %s: %w", v.Text("tables"), err)
		}
		b, err := chosen.Board(v.Bool("strict"), c.Args().Slice()...)
		if err != nil {
			return &coded{exitBadInput, err}
		}
		scores := score.Of(b)
		if format == table.JSON {
			return table.WriteJSON(s.out, b, scores, slices.Contains(names, table.Tasks))
		}
		return table.Write(s.out, format, table.Sheets(b, scores, table.Options{Time: score.Time(v.Text("time")), Tables: names, Long: format == table.CSV}))
	})
}

func benchDiffCommand(s streams) *cli.Command {
	noise := score.DefaultNoise
	options := []engine.Option{formatOption, timeOption,
		{Name: "factor", Kind: "string", Default: fmt.Sprint(noise.Factor), Doc: "a task is slower or faster only by more than this factor"},
		{Name: "least", Kind: "duration", Default: fmt.Sprintf("%gs", noise.Seconds), Doc: "and only by more than this time"},
		{Name: "subset", Kind: "bool", Default: "false", Doc: "the new results are of a part of the tasks on purpose: a solved task that was not run again is no loss"},
	}
	return resultsCommand(cli.Command{
		Name: "diff", Usage: "say what was gained, lost, faster, slower and wrong between two results files; exit code 1 on a loss or a wrong verdict",
		ArgsUsage: "OLD[:tool=NAME] NEW[:tool=NAME]",
	}, options, func(c *cli.Context, v engine.Values, chosen *bench.Selection) error {
		factor, err := strconv.ParseFloat(v.Text("factor"), 64)
		if err != nil || !(factor >= 1) {
			return usageError("--factor %s: give a number of 1 or more", v.Text("factor"))
		}
		if c.NArg() != 2 {
			return usageError("diff needs the old and the new results file")
		}
		before, err := chosen.Operand(c.Args().Get(0))
		if err != nil {
			return &coded{exitBadInput, err}
		}
		after, err := chosen.Operand(c.Args().Get(1))
		if err != nil {
			return &coded{exitBadInput, err}
		}
		d, err := score.Compare(before, after, score.Noise{By: score.Time(v.Text("time")), Factor: factor, Seconds: v.Duration("least").Seconds()})
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
	})
}

func benchPlotCommand(s streams) *cli.Command {
	options := []engine.Option{timeOption, strictOption,
		{Name: "kind", Kind: "string", Default: strings.Join(plot.Kinds, ","), Doc: "which plots, separated by commas: " + strings.Join(plot.Kinds, ", ")},
		{Name: "format", Kind: "string", Default: "svg", Doc: "svg, png, or both, separated by a comma"},
		{Name: "out", Kind: "string", Default: ".", Doc: "the folder that the plots are written to; it is made where there is none"},
		{Name: "x", Kind: "string", Default: "", Doc: "for scatter: the tool on the horizontal axis; unasked, every two tools have a plot"},
		{Name: "y", Kind: "string", Default: "", Doc: "for scatter: the tool on the vertical axis"},
	}
	return resultsCommand(cli.Command{
		Name: "plot", Usage: "draw cactus, score-based quantile and scatter plots", ArgsUsage: "RESULTS...",
	}, options, func(c *cli.Context, v engine.Values, chosen *bench.Selection) error {
		formats, kinds := strings.Split(v.Text("format"), ","), strings.Split(v.Text("kind"), ",")
		x, y, by := v.Text("x"), v.Text("y"), score.Time(v.Text("time"))
		unknown := func(known ...string) func(string) bool {
			return func(word string) bool { return !slices.Contains(known, word) }
		}
		switch {
		case slices.ContainsFunc(formats, unknown("svg", "png")):
			return usageError("--format %s: there are svg, png", v.Text("format"))
		case slices.ContainsFunc(kinds, unknown(plot.Kinds...)):
			return usageError("--kind %s: there are %s", v.Text("kind"), strings.Join(plot.Kinds, ", "))
		case (x == "") != (y == ""):
			return usageError("a scatter plot needs both --x and --y")
		}
		b, err := chosen.Board(v.Bool("strict"), c.Args().Slice()...)
		if err != nil {
			return &coded{exitBadInput, err}
		}
		var pair []*plot.Figure
		if x != "" && slices.Contains(kinds, "scatter") {
			f, err := plot.Pair(b, x, y, by)
			if err != nil {
				return &coded{exitBadInput, err}
			}
			pair, kinds = []*plot.Figure{f}, slices.DeleteFunc(kinds, func(kind string) bool { return kind == "scatter" })
		}
		for _, name := range b.Missing {
			s.err.comment("%s was asked for and is not installed: it is in no plot", name)
		}
		if err := os.MkdirAll(v.Text("out"), 0o755); err != nil {
			return fmt.Errorf("make the folder for plots: %w", err)
		}
		for _, f := range append(plot.All(b, by, kinds...), pair...) {
			for _, format := range formats {
				path, write := filepath.Join(v.Text("out"), f.Name+"."+format), f.SVG
				if format == "png" {
					write = f.PNG
				}
				if err := bench.WriteFile(path, write); err != nil {
					return err
				}
				fmt.Fprintln(s.out, path)
			}
		}
		return nil
	})
}

func benchReportCommand(s streams) *cli.Command {
	options := []engine.Option{timeOption, strictOption,
		{Name: "out", Kind: "string", Default: "report.html", Doc: "the file that is written"},
		{Name: "title", Kind: "string", Default: "", Doc: "what heads the page"},
		{Name: "output-limit", Kind: "size", Default: "16k", Doc: "the most bytes of one output that go into the page; the middle is left out"},
		{Name: "pairs", Kind: "string", Default: string(page.AutoPairs), Choices: []string{string(page.AutoPairs), string(page.EveryPair), string(page.FirstPairs)}, Doc: "the scatter plots: of every two tools, of the first with each other one, or, auto, of every two up to five tools"},
		{Name: "outputs-limit", Kind: "size", Default: "32M", Doc: "the most bytes of all outputs together"},
	}
	c := resultsCommand(cli.Command{
		Name: "report", Usage: "write tables, plots and every task's outputs as one HTML file", ArgsUsage: "RESULTS...",
	}, options, func(c *cli.Context, v engine.Values, chosen *bench.Selection) error {
		sources, err := chosen.Sources(c.Args().Slice()...)
		if err != nil {
			return &coded{exitBadInput, err}
		}
		each, _ := engine.ParseSize(v.Text("output-limit"))
		all, _ := engine.ParseSize(v.Text("outputs-limit"))
		o := page.Options{
			Title: v.Text("title"), Time: score.Time(v.Text("time")), Score: score.Options{Strict: v.Bool("strict")},
			OutputBytes: int(each), TotalBytes: int(all), Pairs: page.Pairs(v.Text("pairs")),
		}
		if err := bench.WriteFile(v.Text("out"), func(w io.Writer) error { return page.Write(w, sources, o) }); err != nil {
			return err
		}
		fmt.Fprintln(s.out, v.Text("out"))
		return nil
	})
	for _, f := range c.Flags {
		if f, ok := f.(usage.OptionFlag); ok && f.Name == "out" {
			f.Aliases = []string{"o"}
		}
	}
	return c
}
