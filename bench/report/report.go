package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hornbeam/bench/plot"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

// Source is a results file with its runs.
type Source struct {
	// Path is the results file's; the outputs of its runs are named relative to its folder.
	Path string
	Runs []*result.Run
}

// Options say how the report is made. The zero value stands for the defaults.
type Options struct {
	// Title heads the page.
	Title string
	// Time is the measure of time; CPU time by default.
	Time score.Time
	// Score is how the runs are counted.
	Score score.Options
	// OutputBytes is how much of one output is taken into the page, half from its beginning and half from its end; 16 KiB
	// by default. TotalBytes is how much of all; 32 MiB by default. What is left out is said.
	OutputBytes, TotalBytes int
	// Pairs are the tools that are drawn against each other.
	Pairs Pairs
}

// Pairs says which two tools have a scatter plot.
type Pairs string

const (
	// AutoPairs, the default, is every two of up to five tools, and of more the first with each other one.
	AutoPairs Pairs = "auto"
	// EveryPair is every two tools, FirstPairs the first with each other one.
	EveryPair  Pairs = "every"
	FirstPairs Pairs = "first"
)

// fewTools is the number of tools up to which AutoPairs is every pair.
const fewTools = 5

var (
	//go:embed report.html
	pageHTML string
	//go:embed report.css
	pageCSS string
	//go:embed report.js
	pageJS string
)

// alarming says whether a cell counts what should be zero, and does not.
func alarming(c table.Column, cell table.Cell) bool {
	return c.Alarm && cell.Value != nil && cell.Value != 0
}

// toolData is a tool as the page's head lists it.
type toolData struct{ Label, Version, Command, Limits string }

// figureData is a plot with its words.
type figureData struct {
	Name, Caption string
	SVG           template.HTML
}

// Write writes the report on the runs of all sources.
func Write(w io.Writer, sources []Source, o Options) error {
	o.Title = cmp.Or(o.Title, "Benchmark results")
	o.Time = cmp.Or(o.Time, score.CPU)
	o.OutputBytes, o.TotalBytes = cmp.Or(o.OutputBytes, 16<<10), cmp.Or(o.TotalBytes, 32<<20)

	folders := map[*result.Run]string{}
	var runs []*result.Run
	var files []string
	for _, s := range sources {
		files = append(files, s.Path)
		for _, r := range s.Runs {
			folders[r] = filepath.Dir(s.Path)
			runs = append(runs, r)
		}
	}
	var notes []string
	for _, s := range sources {
		more, err := result.SessionNotes(s.Path)
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		notes = append(notes, more...)
		missing, err := result.MissingTools(s.Path)
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		o.Score.Missing = append(o.Score.Missing, missing...)
	}
	board := score.New(runs, o.Score)
	board.Notes = append(board.Notes, notes...)
	scores := score.Of(board)

	content, err := json.Marshal(collect(board, func(r *result.Run) string { return folders[r] }, o))
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	sheets := func(names ...string) []*table.Sheet {
		return table.Shown(table.Sheets(board, scores, table.Options{Time: o.Time, Tables: names}))
	}
	// The template is parsed here, not when the program starts: most runs of Hornbeam write no report.
	page, err := template.New("report").Funcs(template.FuncMap{"alarming": alarming}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("read the report's template: %w", err)
	}
	digest := sha256.Sum256([]byte(pageJS))
	err = page.Execute(w, map[string]any{
		"Title": o.Title, "Files": files, "Period": period(runs), "Hosts": hosts(runs), "Tools": tools(board), "Notes": scores.Notes,
		"Findings": sheets(table.Wrong, table.Disagreements, table.Unsteady),
		"Clean":    len(scores.Wrong)+len(scores.Disagreements) == 0,
		// The notes stand on their own.
		"Sheets":  withoutLead(sheets(table.Summary, table.Ratios, table.Families)),
		"Figures": figures(board, o.Time), "PairFigures": pairFigures(board, o), "TrackFigures": trackFigures(runs, o),
		"Tasks": len(board.Tasks), "Runs": len(runs),
		"Policy": policy + "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'",
		"Style":  template.CSS(pageCSS), "Script": template.JS(pageJS),
		// json.Marshal writes <, > and & as escapes: nothing in it can end the element that it stands in.
		"Data": template.JS(content),
	})
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// policy is what a page may load and run: nothing but its own style.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

func withoutLead(sheets []*table.Sheet) []*table.Sheet {
	var kept []*table.Sheet
	for _, s := range sheets {
		if s.Lead = nil; len(s.Rows) > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

func tools(b *score.Board) (list []toolData) {
	for _, t := range b.Tools {
		list = append(list, toolData{t.Label, t.Version, strings.Join(slices.Concat([]string{t.Name}, t.Options), " "), score.DescribeLimits(t.Limits)})
	}
	for _, name := range b.Missing {
		list = append(list, toolData{Label: name, Version: "not installed"})
	}
	return list
}

// hosts are the machines of the runs.
func hosts(runs []*result.Run) (list []string) {
	for _, r := range runs {
		h := r.Host
		text := fmt.Sprintf("%s, cores: %d, memory: %.0f GiB, %s/%s", cmp.Or(h.CPU, "unnamed processor"), h.Cores, float64(h.Memory)/(1<<30), h.OS, h.Arch)
		if h.Name != "" {
			text = h.Name + ": " + text
		}
		if r.Measured != "" {
			text += ", measured by " + string(r.Measured)
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// period is from when to when the runs were made.
func period(runs []*result.Run) string {
	var first, last time.Time
	for _, r := range runs {
		if first.IsZero() || r.Started.Before(first) {
			first = r.Started
		}
		if r.Started.After(last) {
			last = r.Started
		}
	}
	const form = "2006-01-02 15:04"
	if first.IsZero() {
		return ""
	}
	if from, to := first.UTC().Format(form), last.UTC().Format(form); from != to {
		return from + " to " + to + " UTC"
	}
	return first.UTC().Format(form) + " UTC"
}

func figures(b *score.Board, by score.Time) (list []figureData) {
	if len(b.Tools) == 0 {
		return nil
	}
	all := []*plot.Figure{plot.Cactus(b, by), plot.Quantile(b, by)}
	for j := 1; j < len(b.Tools); j++ {
		all = append(all, plot.Scatter(b, 0, j, by))
	}
	return inline(all)
}

// pairFigures are the scatter plots of every two tools but the first.
func pairFigures(b *score.Board, o Options) []figureData {
	if o.Pairs == FirstPairs || o.Pairs != EveryPair && len(b.Tools) > fewTools {
		return nil
	}
	var all []*plot.Figure
	for i := 1; i < len(b.Tools); i++ {
		for j := i + 1; j < len(b.Tools); j++ {
			all = append(all, plot.Scatter(b, i, j, o.Time))
		}
	}
	return inline(all)
}

// trackFigures are cactus and quantile plots of each track, where there are several.
func trackFigures(runs []*result.Run, o Options) (list []figureData) {
	byTrack := map[string][]*result.Run{}
	for _, r := range runs {
		track := cmp.Or(r.Track, r.List)
		byTrack[track] = append(byTrack[track], r)
	}
	if len(byTrack) < 2 {
		return nil
	}
	for _, track := range slices.Sorted(maps.Keys(byTrack)) {
		b := score.New(byTrack[track], o.Score)
		pair := []*plot.Figure{plot.Cactus(b, o.Time), plot.Quantile(b, o.Time)}
		for _, f := range pair {
			f.Name, f.Title = f.Name+"-"+track, track+": "+f.Title
		}
		list = append(list, inline(pair)...)
	}
	return list
}

func inline(figures []*plot.Figure) (list []figureData) {
	for _, f := range figures {
		// What a figure writes is its own, and escaped where it comes from outside.
		list = append(list, figureData{f.Name, f.Caption, template.HTML(f.Inline())})
	}
	return list
}
