package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"hornbeam/bench/plot"
	page "hornbeam/bench/report"
	"hornbeam/bench/score"
	"hornbeam/engine"
)

func benchPlotOptions() []engine.Option {
	return []engine.Option{timeOption, strictOption,
		{Name: "kind", Kind: "string", Default: "cactus,quantile,scatter", Doc: "which plots, separated by commas: cactus, quantile, scatter"},
		{Name: "format", Kind: "string", Default: "svg", Doc: "svg, png, or both, separated by a comma"},
		{Name: "out", Kind: "string", Default: ".", Doc: "the folder that the plots are written to; it is made where there is none"},
		{Name: "x", Kind: "string", Default: "", Doc: "for scatter: the tool on the horizontal axis; unasked, every two tools have a plot"},
		{Name: "y", Kind: "string", Default: "", Doc: "for scatter: the tool on the vertical axis"},
	}
}

func benchPlotCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:         "plot",
		Usage:        "draw cactus, score-based quantile and scatter plots",
		ArgsUsage:    "RESULTS...",
		Flags:        append(flagsOf(benchPlotOptions()), choiceOfRuns()...),
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, benchPlotOptions())
			if err != nil {
				return err
			}
			formats, err := listed("format", v.Text("format"), "svg", "png")
			if err != nil {
				return err
			}
			kinds, err := listed("kind", v.Text("kind"), "cactus", "quantile", "scatter")
			if err != nil {
				return err
			}
			b, err := readBoard(c, v)
			if err != nil {
				return err
			}
			figures, err := chosenFigures(b, kinds, v)
			if err != nil {
				return err
			}
			for _, name := range b.Missing {
				s.err.comment("%s was asked for and is not installed: it is in no plot", name)
			}
			if err := os.MkdirAll(v.Text("out"), 0o755); err != nil {
				return fmt.Errorf("make the folder for plots: %w", err)
			}
			for _, f := range figures {
				for _, format := range formats {
					path := filepath.Join(v.Text("out"), f.Name+"."+format)
					write := f.SVG
					if format == "png" {
						write = f.PNG
					}
					if err := writeWhole(path, write); err != nil {
						return err
					}
					fmt.Fprintln(s.out, path)
				}
			}
			return nil
		},
	}
}

// listed reads a list of words that are all known.
func listed(flag, list string, known ...string) ([]string, error) {
	words := strings.Split(list, ",")
	for _, w := range words {
		if !slices.Contains(known, w) {
			return nil, usageError("--%s %s: there are %s", flag, list, strings.Join(known, ", "))
		}
	}
	return words, nil
}

// chosenFigures are the board's plots of these kinds.
func chosenFigures(b *score.Board, kinds []string, v engine.Values) ([]*plot.Figure, error) {
	by := score.Time(v.Text("time"))
	tool := func(flag string) (int, error) {
		name := v.Text(flag)
		i := slices.IndexFunc(b.Tools, func(t score.Tool) bool { return t.Label == name || t.Name == name })
		if name != "" && i < 0 {
			return i, &coded{exitBadInput, fmt.Errorf("--%s %s: the results have no runs of it", flag, name)}
		}
		return i, nil
	}
	x, err := tool("x")
	if err != nil {
		return nil, err
	}
	y, err := tool("y")
	if err != nil {
		return nil, err
	}
	if (x < 0) != (y < 0) {
		return nil, usageError("a scatter plot needs both --x and --y")
	}
	var figures []*plot.Figure
	for _, f := range plot.All(b, by) {
		kind, _, _ := strings.Cut(f.Name, "-")
		if slices.Contains(kinds, kind) && (kind != "scatter" || x < 0) {
			figures = append(figures, f)
		}
	}
	if x >= 0 && slices.Contains(kinds, "scatter") {
		figures = append(figures, plot.Scatter(b, x, y, by))
	}
	return figures, nil
}

func benchReportOptions() []engine.Option {
	return []engine.Option{timeOption, strictOption,
		{Name: "out", Kind: "string", Default: "report.html", Doc: "the file that is written"},
		{Name: "title", Kind: "string", Default: "", Doc: "what heads the page"},
		{Name: "output-limit", Kind: "size", Default: "16k", Doc: "the most bytes of one output that go into the page; the middle is left out"},
		{Name: "pairs", Kind: "string", Default: string(page.AutoPairs), Choices: []string{string(page.AutoPairs), string(page.EveryPair), string(page.FirstPairs)}, Doc: "the scatter plots: of every two tools, of the first with each other one, or, auto, of every two up to five tools"},
		{Name: "outputs-limit", Kind: "size", Default: "32M", Doc: "the most bytes of all outputs together"},
	}
}

func benchReportCommand(s streams) *cli.Command {
	flags := append(flagsOf(benchReportOptions()), choiceOfRuns()...)
	for _, f := range flags {
		if f, ok := f.(*cli.StringFlag); ok && f.Name == "out" {
			f.Aliases = []string{"o"}
		}
	}
	return &cli.Command{
		Name:         "report",
		Usage:        "write tables, plots and every task's outputs as one HTML file",
		ArgsUsage:    "RESULTS...",
		Flags:        flags,
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return &coded{exitUsage, err} },
		Action: func(c *cli.Context) error {
			v, err := valuesOf(c, benchReportOptions())
			if err != nil {
				return err
			}
			if !c.Args().Present() {
				return usageError("report needs a results file")
			}
			sources, err := readResults(c, c.Args().Slice())
			if err != nil {
				return err
			}
			each, _ := engine.ParseSize(v.Text("output-limit"))
			all, _ := engine.ParseSize(v.Text("outputs-limit"))
			o := page.Options{
				Title: v.Text("title"), Time: score.Time(v.Text("time")), Score: score.Options{Strict: v.Bool("strict")},
				OutputBytes: int(each), TotalBytes: int(all), Pairs: page.Pairs(v.Text("pairs")),
			}
			if err := writeWhole(v.Text("out"), func(w io.Writer) error { return page.Write(w, sources, o) }); err != nil {
				return err
			}
			fmt.Fprintln(s.out, v.Text("out"))
			return nil
		},
	}
}

// writeWhole writes the file once all of it is made: a failure leaves what was there.
func writeWhole(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
