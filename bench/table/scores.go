package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

// The sheets that scores have.
const (
	Summary       = "summary"
	Families      = "families"
	Ratios        = "ratios"
	Wrong         = "wrong"
	Disagreements = "disagreements"
	Unsteady      = "unsteady"
	Tasks         = "tasks"
)

// Names are the sheets' names in the order in which they are written, Defaults those that are written unasked.
var (
	Names    = []string{Wrong, Disagreements, Unsteady, Summary, Families, Ratios, Tasks}
	Defaults = []string{Wrong, Disagreements, Unsteady, Summary, Ratios}
)

// Choose reads a list of sheets' names, separated by commas: all stands for every sheet, and an empty list for those that the
// format is written with unasked. CSV files have one sheet.
func Choose(list string, format Format) ([]string, error) {
	switch {
	case list == "" && format == CSV:
		return []string{Summary}, nil
	case list == "":
		return Defaults, nil
	}
	var names []string
	for _, name := range strings.Split(list, ",") {
		switch {
		case name == "all":
			names = append(names, Names...)
		case slices.Contains(Names, name):
			names = append(names, name)
		default:
			return nil, fmt.Errorf("no table is called %q; there are %s", name, strings.Join(Names, ", "))
		}
	}
	if format == CSV && len(names) != 1 {
		return nil, errors.New("a CSV file has one table: choose one")
	}
	return names, nil
}

// Options say which sheets are made, and how.
type Options struct {
	// Time is the measure of PAR-2, of the total and of a task's time.
	Time score.Time
	// Tables are the sheets' names.
	Tables []string
	// Long has a row for each task and tool, instead of a column for each tool: for programs that read on.
	Long bool
}

// Sheets lays out the scores, in the order of [Names].
func Sheets(b *score.Board, s *score.Scores, o Options) []*Sheet {
	make := map[string]func() *Sheet{
		Wrong: func() *Sheet {
			return findings(Wrong, "Wrong verdicts", "A verdict that contradicts the expected one, or another repeat of the same tool.", s.Wrong)
		},
		Disagreements: func() *Sheet {
			return findings(Disagreements, "Disagreements", "Tasks of which two tools, or two repeats of one, said different things: one of them is wrong.", s.Disagreements)
		},
		Unsteady: func() *Sheet {
			return findings(Unsteady, "Unsteady tasks", "Tasks on which a tool's repeats came to different outcomes.", s.Unsteady)
		},
		Summary: func() *Sheet {
			rows := s.Overall
			if len(s.Tracks) > 0 {
				rows = slices.Concat(s.Overall, s.Tracks)
			}
			sheet := summaries(Summary, "Scores", rows, o.Time)
			sheet.Rows = slices.Insert(sheet.Rows, len(s.Overall), absent(s.Missing, len(b.Tasks), len(sheet.Columns))...)
			sheet.Lead = append(sheet.Lead, s.Notes...)
			return sheet
		},
		Families: func() *Sheet { return summaries(Families, "Scores by family", s.Families, o.Time) },
		Ratios:   func() *Sheet { return ratios(s) },
		Tasks: func() *Sheet {
			if o.Long {
				return tasksLong(b)
			}
			return tasksWide(b, o.Time)
		},
	}
	var sheets []*Sheet
	for _, name := range Names {
		if slices.Contains(o.Tables, name) {
			sheets = append(sheets, make[name]())
		}
	}
	return sheets
}

func summaries(name, title string, rows []score.Summary, by score.Time) *Sheet {
	s := &Sheet{Name: name, Title: title, Columns: []Column{
		{Key: "track", Head: "track", Help: "the track; all is all tracks together"},
		{Key: "family", Head: "family", Help: "the family of tasks within its track", Spare: true},
		{Key: "tool", Head: "tool", Help: "the tool; virtual best takes for each task the best of all"},
		{Key: "tasks", Head: "tasks", Help: "tasks of the group", Number: true},
		{Key: "not_run", Head: "not run", Help: "tasks that the tool was not run on", Number: true, Spare: true},
		{Key: "solved", Head: "solved", Help: "verdicts that are the expected ones", Number: true},
		{Key: "soon", Head: "in 1 s", Help: "tasks that are solved within a second of wall time", Number: true},
		{Key: "sat", Head: "sat", Help: "solved tasks that are sat or safe", Number: true},
		{Key: "unsat", Head: "unsat", Help: "solved tasks that are unsat or unsafe", Number: true},
		{Key: "rejected", Head: "rejected", Help: "malformed inputs that were refused, as they should be", Number: true, Spare: true},
		{Key: "unique", Head: "unique", Help: "tasks that only this tool solved", Number: true, Spare: true},
		{Key: "wrong", Head: "wrong", Help: "verdicts that contradict the expected ones", Number: true, Alarm: true},
		{Key: "unconfirmed", Head: "unconfirmed", Help: "verdicts on tasks of which none is known", Number: true, Spare: true},
		{Key: "unknown", Head: "unknown", Help: "tasks on which the tool gave up", Number: true},
		{Key: "timeouts", Head: "timeout", Help: "tasks that ran into the limit on wall or CPU time", Number: true},
		{Key: "memory_outs", Head: "mem-out", Help: "tasks that ran into the limit on memory", Number: true, Spare: true},
		{Key: "errors", Head: "error", Help: "crashes, and ends without a verdict", Number: true},
		{Key: "unsteady", Head: "unsteady", Help: "tasks whose repeats came to different outcomes", Number: true, Spare: true},
		{Key: "par2_" + string(by), Head: fmt.Sprintf("PAR-2 %s, s", by), Help: "mean time, a task that isn't solved counting as twice the limit", Number: true},
		{Key: string(by), Head: fmt.Sprintf("%s, s", by), Help: "time of all tasks together", Number: true},
		{Key: "cpu_per_solved", Head: "cpu/solved, s", Help: "CPU time of all tasks together by the number of solved ones", Number: true},
		{Key: "memory", Head: "peak, MiB", Help: "the highest use of memory", Number: true},
		{Key: "points", Head: "SV-COMP", Help: "points: +2 a proof, +1 a bug, -32 a wrong proof, -16 a wrong alarm", Number: true},
		{Key: "chc_comp", Head: "CHC-COMP", Help: "sat and unsat answers that aren't known to be wrong; of tasks without a known verdict, those that no tool disputes", Number: true},
		{Key: "chc_comp_punished", Head: "punished", Help: "the same less 64 for each wrong answer", Number: true},
	}}
	for _, x := range rows {
		track := x.Track
		if track == "" {
			track = "all"
		}
		total := x.CPU
		if by == score.Wall {
			total = x.Wall
		}
		unique := Count(x.Unique)
		if x.Unique < 0 {
			unique = Nothing()
		}
		memory := mebibytes(x.Memory)
		if x.Tool == score.VirtualBest {
			memory = Nothing()
		}
		s.Rows = append(s.Rows, []Cell{
			Word(track), Word(x.Family), Word(x.Tool), Count(x.Tasks), Count(x.Tasks - x.Run), Count(x.Solved), Count(x.Soon), Count(x.Sat), Count(x.Unsat), Count(x.Rejected),
			unique, Count(x.Wrong), Count(x.Unconfirmed), Count(x.Unknown), Count(x.Timeouts), Count(x.MemoryOuts), Count(x.Errors), Count(x.Unsteady),
			Seconds(x.PAR2(by)), Seconds(total), Seconds(x.CPUPerSolved()), memory, Count(x.Points), Count(x.CHCSat + x.CHCUnsat), Count(x.CHCPunished),
		})
	}
	return s
}

// absent are the rows of tools that are not installed: their names, the number of tasks, and nothing else.
func absent(names []string, tasks, columns int) (rows [][]Cell) {
	for _, name := range names {
		row := []Cell{Word("all"), Word(""), {Value: printable(name), Text: printable(name) + " (not installed)"}, Count(tasks), Count(tasks)}
		for len(row) < columns {
			row = append(row, Nothing())
		}
		rows = append(rows, row)
	}
	return rows
}

func ratios(scores *score.Scores) *Sheet {
	s := &Sheet{Name: Ratios, Title: "CPU time compared", Columns: []Column{
		{Key: "track", Head: "track", Help: "the track; all is all tracks together"},
		{Key: "a", Head: "A", Help: "the tool above the line"}, {Key: "b", Head: "B", Help: "the tool below the line"},
		{Key: "tasks", Head: "both solved", Help: "tasks that both solved, or answered alike where no verdict is known", Number: true},
		{Key: "q1", Head: "lower quartile", Help: "of CPU(A)/CPU(B): below 1, A needs less", Number: true},
		{Key: "median", Head: "median A/B", Help: "of CPU(A)/CPU(B): below 1, A needs less", Number: true},
		{Key: "q3", Head: "upper quartile", Help: "of CPU(A)/CPU(B): below 1, A needs less", Number: true},
		{Key: "geometric_mean", Head: "geometric mean", Help: "of CPU(A)/CPU(B)", Number: true},
	}}
	for _, r := range scores.Ratios {
		track := r.Track
		if track == "" {
			track = "all"
		}
		s.Rows = append(s.Rows, []Cell{Word(track), Word(r.A), Word(r.B), Count(r.Tasks), ratio(r.Q1), ratio(r.Median), ratio(r.Q3), ratio(r.GeometricMean)})
	}
	return s
}

func findings(name, title, lead string, found []score.Finding) *Sheet {
	s := &Sheet{Name: name, Title: title, Columns: []Column{
		{Key: "track", Head: "track"}, {Key: "task", Head: "task"}, {Key: "property", Head: "property", Spare: true},
		{Key: "expected", Head: "expected"}, {Key: "answers", Head: "answers"},
	}}
	if len(found) > 0 {
		s.Lead = []string{lead}
	}
	for _, f := range found {
		var answers []string
		for _, a := range f.Answers {
			said := string(a.Verdict)
			if (&result.Run{Expected: f.Expected, Verdict: a.Verdict}).Wrong() {
				said = "WRONG " + said
			}
			answers = append(answers, a.Tool+": "+said)
		}
		expected := orDash(string(f.Expected))
		if f.DoubtfulLabel() {
			expected = Word(string(f.Expected) + ", doubtful: all tools say otherwise")
		}
		s.Rows = append(s.Rows, []Cell{Word(f.Track), Word(f.Task), Word(f.Property), expected, Word(strings.Join(answers, "; "))})
	}
	return s
}

// Describe is a task's outcome in a word: the verdict where there is one, marked if it is wrong or unconfirmed.
func Describe(c *score.Cell) string {
	switch {
	case c.Outcome == score.Solved:
		return string(c.Verdict)
	case c.Outcome == score.Wrong && c.Verdict != result.None:
		return "WRONG " + string(c.Verdict)
	case c.Outcome == score.Wrong:
		return "WRONG"
	case c.Outcome == score.Unconfirmed:
		return string(c.Verdict) + "?"
	}
	return string(c.Outcome)
}

func tasksWide(b *score.Board, by score.Time) *Sheet {
	s := &Sheet{Name: Tasks, Title: "Tasks", Columns: []Column{
		{Key: "track", Head: "track"}, {Key: "family", Head: "family", Spare: true}, {Key: "task", Head: "task"},
		{Key: "property", Head: "property", Spare: true}, {Key: "expected", Head: "expected"},
	}}
	for _, tool := range b.Tools {
		s.Columns = append(s.Columns, Column{Key: tool.Label, Head: tool.Label}, Column{Key: tool.Label + " " + string(by), Head: fmt.Sprintf("%s, s", by), Number: true})
	}
	for _, t := range b.Tasks {
		row := []Cell{Word(t.Track), Word(t.Family), Word(t.Task), Word(t.Property), orDash(string(t.Expected))}
		for _, c := range t.Cells {
			if c == nil {
				row = append(row, Nothing(), Nothing())
				continue
			}
			row = append(row, Word(Describe(c)), Seconds(c.Seconds(by)))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

func tasksLong(b *score.Board) *Sheet {
	s := &Sheet{Name: Tasks, Title: "Tasks", Columns: []Column{
		{Key: "list"}, {Key: "track"}, {Key: "family"}, {Key: "task"}, {Key: "property"}, {Key: "expected"}, {Key: "tool"},
		{Key: "outcome"}, {Key: "verdict"}, {Key: "wall"}, {Key: "cpu"}, {Key: "memory"}, {Key: "repeats"}, {Key: "unsteady"},
	}}
	for _, t := range b.Tasks {
		for i, c := range t.Cells {
			if c == nil {
				continue
			}
			unsteady := 0
			if c.Unsteady {
				unsteady = 1
			}
			s.Rows = append(s.Rows, []Cell{
				Word(t.List), Word(t.Track), Word(t.Family), Word(t.Task), Word(t.Property), Word(string(t.Expected)), Word(b.Tools[i].Label),
				Word(string(c.Outcome)), Word(string(c.Verdict)), Seconds(c.Wall), Seconds(c.CPU), mebibytes(c.Memory), Count(len(c.Runs)), Count(unsteady),
			})
		}
	}
	return s
}
