package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hornbeam/bench"
	"hornbeam/bench/plot"
	"hornbeam/bench/report"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

// readingFile has what somebody who looked at an experiment's results says of them. It is written by hand, and becomes a
// part of README.md.
const readingFile = "reading.md"

// Publish writes the outcome of an experiment into the folder of its results: README.md with the claim, the machine, the text
// of reading.md if there is one, and the tables, plots as SVG, and report.html. absent are the optional lists that were not
// there.
func (e *Experiment) Publish(results string, o *bench.Outcome, runs []*result.Run, absent []string) error {
	folder := filepath.Dir(results)
	board := score.New(runs, score.Options{Missing: o.Missing})
	figures := []*plot.Figure{plot.Cactus(board, score.CPU)}
	for i := 1; i < len(board.Tools); i++ {
		figures = append(figures, plot.Scatter(board, 0, i, score.CPU))
	}
	for _, f := range figures {
		if err := bench.WriteFile(filepath.Join(folder, f.Name+".svg"), f.SVG); err != nil {
			return err
		}
	}
	reading, err := os.ReadFile(filepath.Join(folder, readingFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what is said of the results: %w", err)
	}
	text := func(w io.Writer) error { return e.describe(w, o, runs, absent, string(reading), board, figures) }
	if err := bench.WriteFile(filepath.Join(folder, "README.md"), text); err != nil {
		return err
	}
	return bench.WriteFile(filepath.Join(folder, "report.html"), func(w io.Writer) error {
		return report.Write(w, []report.Source{{Path: results, Runs: runs}}, report.Options{Title: e.Title, Time: score.CPU})
	})
}

// describe writes the experiment's README.
func (e *Experiment) describe(w io.Writer, o *bench.Outcome, runs []*result.Run, absent []string, reading string, board *score.Board, figures []*plot.Figure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", e.Title, wrap(e.Claim))
	fmt.Fprintf(&b, "\n    hornbeam bench experiment %s\n", e.Name)
	fmt.Fprintf(&b, "\n| | |\n|---|---|\n")
	for _, row := range e.facts(o, runs, absent) {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], strings.ReplaceAll(row[1], "|", "\\|"))
	}
	b.WriteString("\n")
	if reading != "" {
		fmt.Fprintf(&b, "## Reading\n\n%s\n\n", strings.TrimSpace(reading))
	}
	var tools []string
	for _, t := range o.Tools {
		tools = append(tools, t.Name)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	own, err := e.sheets(board, tools)
	if err != nil {
		return err
	}
	sheets := table.Sheets(board, score.Of(board), table.Options{Time: score.CPU, Tables: []string{table.Wrong, table.Disagreements, table.Summary, table.Ratios}})
	if err := table.Write(w, table.Markdown, append(own, sheets...)); err != nil {
		return err
	}
	for _, f := range figures {
		if _, err := fmt.Fprintf(w, "\n![%s](%s.svg)\n", f.Title, f.Name); err != nil {
			return err
		}
	}
	return nil
}

// facts are the circumstances of the runs: when, where, with what.
func (e *Experiment) facts(o *bench.Outcome, runs []*result.Run, absent []string) [][2]string {
	var hosts, measured, limits []string
	repeats := 0
	for _, r := range runs {
		hosts = append(hosts, describeHost(r.Host))
		measured = append(measured, string(r.Measured))
		limits = append(limits, score.DescribeLimits(r.Limits))
		repeats = max(repeats, r.Repeat+1)
	}
	rows := [][2]string{{"machine", distinct(hosts)}, {"limits", distinct(limits)}, {"measured by", distinct(measured)}}
	if len(runs) > 0 {
		first := slices.MinFunc(runs, func(a, b *result.Run) int { return a.Started.Compare(b.Started) })
		last := slices.MaxFunc(runs, func(a, b *result.Run) int { return a.Started.Compare(b.Started) })
		rows = append(rows, [2]string{"measured on", distinct([]string{first.Started.Format("2006-01-02"), last.Started.Format("2006-01-02")})})
	}
	if share, n := shareAtTimeouts(runs); n > 0 {
		rows = append(rows, [2]string{"CPU time at time-outs", fmt.Sprintf("%.2f s for each second on the clock, in %d runs: what is much below 1 says that the machine had other work", share, n)})
	}
	if repeats > 1 {
		rows = append(rows, [2]string{"repeats", fmt.Sprint(repeats)})
	}
	tasks := fmt.Sprint(len(o.Tasks))
	if len(absent) > 0 {
		tasks += "; without " + strings.Join(absent, ", ") + ", not at hand here"
	}
	rows = append(rows, [2]string{"tasks", tasks})
	for _, t := range o.Tools {
		program := filepath.Base(t.Path)
		if t.Command[0] == "{hornbeam}" {
			// Whatever its file is called where it was measured.
			program = "hornbeam"
		}
		rows = append(rows, [2]string{t.Name, fmt.Sprintf("%s (%s)", strings.Join(append([]string{program}, t.Options...), " "), cmp.Or(t.Version, "no version"))})
	}
	if len(o.Missing) > 0 {
		rows = append(rows, [2]string{"missing", strings.Join(o.Missing, ", ")})
	}
	return rows
}

// shareAtTimeouts is how much CPU time the runs had for each second until the limit on wall time, and how many such runs
// there are.
func shareAtTimeouts(runs []*result.Run) (share float64, n int) {
	var cpu, wall float64
	for _, r := range runs {
		if r.Status == result.Timeout {
			cpu, wall, n = cpu+r.CPU, wall+r.Wall, n+1
		}
	}
	return cpu / max(wall, 1e-9), n
}

func describeHost(h result.Host) string {
	parts := []string{cmp.Or(h.CPU, h.Arch), fmt.Sprintf("%d cores", h.Cores), fmt.Sprintf("%.0f GiB", float64(h.Memory)/(1<<30)), h.OS + "/" + h.Arch}
	if h.Name != "" {
		parts = append(parts, h.Name)
	}
	return strings.Join(parts, ", ")
}

// distinct joins the words without repeating any.
func distinct(words []string) string {
	slices.Sort(words)
	return strings.Join(slices.Compact(words), "; ")
}

// wrap breaks a text into lines.
func wrap(text string) string {
	const width = 120
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > width {
			b.WriteByte('\n')
			column = 0
		}
		if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
