package experiments

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

// Table lays out measures of an experiment's runs as a paper does.
type Table struct {
	Title string `yaml:"title"`
	Text  string `yaml:"text"`
	// Labels make a row for each generated task, headed by these parameters: family, side, size, width, relevant, irrelevant,
	// variables. Without labels there is a row for each tool on all tasks and on those of each folder.
	Labels  []string `yaml:"labels"`
	Columns []Column `yaml:"columns"`
}

// Column is a measure in a table.
type Column struct {
	Head string `yaml:"head"`
	// Measure is tasks, which is 1; points, which are SV-COMP's; an outcome (solved, wrong, unknown, timeout, ...), which is 1 or 0; wall or cpu, in
	// seconds; or a counter that the tools print, which has a dot in its name.
	Measure string `yaml:"measure"`
	// Tool names the tool that is measured; in tables with labels only, and needed there.
	Tool string `yaml:"tool"`
	// Expected keeps the tasks with this verdict.
	Expected result.Verdict `yaml:"expected"`
	// By says what is done with the measures of several tasks: sum, which is the default; mean, over those that are solved;
	// tasks, which counts those with a measure above 0; percent, which is the mean over folders of the mean over a folder's
	// tasks, in percent; or weighted, which is the same mean times the number of tasks, as SV-COMP has it for points.
	By string `yaml:"by"`
}

// labels are the parameters of an instance by their names.
var labels = map[string]func(*instance) table.Cell{
	"family":     func(i *instance) table.Cell { return table.Word(i.family.Name) },
	"side":       func(i *instance) table.Cell { return table.Word(i.side()) },
	"width":      func(i *instance) table.Cell { return table.Count(i.Width) },
	"size":       func(i *instance) table.Cell { return table.Count(i.Size) },
	"relevant":   func(i *instance) table.Cell { return table.Count(i.Relevant) },
	"irrelevant": func(i *instance) table.Cell { return table.Count(i.Irrelevant) },
	"variables":  func(i *instance) table.Cell { return table.Count(i.Relevant + i.Irrelevant) },
}

var outcomes = []score.Outcome{score.Solved, score.Wrong, score.Unconfirmed, score.Unknown, score.Timeout, score.MemoryOut, score.Failed}

// isCounter says whether the measure is a number that tools print.
func (c *Column) isCounter() bool { return strings.Contains(c.Measure, ".") }

// check says what is wrong with a table, if anything is.
func (t *Table) check(tools []string) error {
	for _, l := range t.Labels {
		if labels[l] == nil {
			return fmt.Errorf("no label is called %q", l)
		}
	}
	for _, c := range t.Columns {
		err := c.checkMeasure()
		switch {
		case err != nil:
			return err
		case (c.Tool == "") == (len(t.Labels) > 0):
			return fmt.Errorf("the column %q: a tool belongs to a column of a table with labels, and to no other", c.Head)
		case c.Tool != "" && !slices.ContainsFunc(tools, func(tool string) bool { return strings.HasPrefix(tool, c.Tool+"=") }):
			return fmt.Errorf("the column %q: no tool is called %q", c.Head, c.Tool)
		}
	}
	return nil
}

// checkMeasure says what is wrong with what is measured, if anything is.
func (c *Column) checkMeasure() error {
	switch {
	case !c.isCounter() && !slices.Contains([]string{"tasks", "points", "wall", "cpu"}, c.Measure) && !slices.Contains(outcomes, score.Outcome(c.Measure)):
		return fmt.Errorf("no measure is called %q", c.Measure)
	case !slices.Contains([]string{"", "sum", "mean", "tasks", "percent", "weighted"}, c.By):
		return fmt.Errorf("%q is none of sum, mean, tasks, percent and weighted", c.By)
	}
	return nil
}

// isCost reports whether the measure is a cost of a verdict, such as its time, and not a result.
func (c *Column) isCost() bool { return c.isCounter() || c.Measure == "wall" || c.Measure == "cpu" }

// counters are the names of the counters in the experiment's tables and rules.
func (e *Experiment) counters() []string {
	var names []string
	for _, t := range e.Tables {
		for _, c := range t.Columns {
			if c.isCounter() && !slices.Contains(names, c.Measure) {
				names = append(names, c.Measure)
			}
		}
	}
	for _, r := range e.Rules {
		for _, f := range []*Figure{&r.Figure, &r.Than} {
			if f.Tool != "" && f.column().isCounter() && !slices.Contains(names, f.Measure) {
				names = append(names, f.Measure)
			}
		}
	}
	return names
}

// of is the measure of a tool's runs on a task; ok is false where they have none.
func (c *Column) of(t *score.Task, cell *score.Cell) (value float64, ok bool) {
	switch c.Measure {
	case "tasks":
		return 1, true
	case "points":
		return float64(score.Points(t, cell)), true
	case "wall", "cpu":
		return cell.Seconds(score.Time(c.Measure)), true
	}
	if !c.isCounter() {
		if cell.Outcome == score.Outcome(c.Measure) {
			return 1, true
		}
		return 0, true
	}
	var values []float64
	for _, r := range cell.Runs {
		if v, ok := r.Counters[c.Measure]; ok {
			values = append(values, v)
		}
	}
	if values == nil {
		return 0, false
	}
	return score.Median(values), true
}

// cell writes a measure: times and means with digits behind the point.
func (c *Column) cell(value float64) table.Cell {
	if c.By == "mean" || c.By == "percent" || c.By == "weighted" || c.Measure == "wall" || c.Measure == "cpu" {
		return table.Seconds(value)
	}
	return table.Count(int(value))
}

// measured are the runs that tables are made of: of each tool, by name, the cells of its tasks.
type measured struct {
	tools []string
	tasks []*score.Task
	cells map[string]map[*score.Task]*score.Cell
}

func newMeasured(b *score.Board, tools []string) *measured {
	m := &measured{tools, b.Tasks, map[string]map[*score.Task]*score.Cell{}}
	for i, tool := range b.Tools {
		if m.cells[tool.Name] == nil {
			m.cells[tool.Name] = map[*score.Task]*score.Cell{}
		}
		for _, t := range b.Tasks {
			if t.Cells[i] != nil {
				m.cells[tool.Name][t] = t.Cells[i]
			}
		}
	}
	return m
}

// sheets are the experiment's tables.
func (e *Experiment) sheets(b *score.Board, tools []string) ([]*table.Sheet, error) {
	m, byFile := newMeasured(b, tools), byBase(b)
	instances, _, err := e.instances()
	if err != nil {
		return nil, err
	}
	var sheets []*table.Sheet
	for _, t := range e.Tables {
		s := &table.Sheet{Name: "measures", Title: t.Title}
		if t.Text != "" {
			s.Lead = []string{strings.Join(strings.Fields(t.Text), " ")}
		}
		if len(t.Labels) > 0 {
			t.byInstance(s, m, instances, byFile)
		} else {
			t.byGroup(s, m)
		}
		sheets = append(sheets, s)
	}
	return append(sheets, reached(m, instances, byFile)), nil
}

// byBase are the tasks of a board by the names of their files, as those of instances are all different.
func byBase(b *score.Board) map[string]*score.Task {
	byFile := map[string]*score.Task{}
	for _, t := range b.Tasks {
		byFile[path.Base(t.Task)] = t
	}
	return byFile
}

// byInstance has a row for each instance. A dash is an instance that the tool did not solve.
func (t *Table) byInstance(s *table.Sheet, m *measured, instances []instance, byFile map[string]*score.Task) {
	for _, l := range t.Labels {
		s.Columns = append(s.Columns, table.Column{Key: l, Head: l, Number: l != "family" && l != "side"})
	}
	for _, c := range t.Columns {
		s.Columns = append(s.Columns, table.Column{Key: c.Head, Head: c.Head, Number: true})
	}
	for _, i := range instances {
		var row []table.Cell
		for _, l := range t.Labels {
			row = append(row, labels[l](&i))
		}
		for _, c := range t.Columns {
			task := byFile[i.file]
			cell := m.cells[c.Tool][task]
			text := table.Word("–")
			switch {
			case cell == nil:
			case cell.Outcome == score.Wrong:
				text = table.Word("WRONG")
			case cell.Outcome == score.Solved:
				if value, ok := c.of(task, cell); ok {
					text = c.cell(value)
				}
			}
			row = append(row, text)
		}
		s.Rows = append(s.Rows, row)
	}
}

// byGroup has a row for each tool on all tasks, and then on those of each folder of each list.
func (t *Table) byGroup(s *table.Sheet, m *measured) {
	s.Columns = []table.Column{{Key: "tasks", Head: "tasks"}, {Key: "tool", Head: "tool"}}
	for _, c := range t.Columns {
		s.Columns = append(s.Columns, table.Column{Key: c.Head, Head: c.Head, Number: true})
	}
	const all = "all"
	var groups []string
	members := map[string][]*score.Task{all: m.tasks}
	for _, task := range m.tasks {
		group := folderOf(task)
		if members[group] == nil {
			groups = append(groups, group)
		}
		members[group] = append(members[group], task)
	}
	if len(groups) > 1 {
		groups = slices.Insert(groups, 0, all)
	}
	for _, group := range groups {
		for _, tool := range m.tools {
			row := []table.Cell{table.Word(group), table.Word(tool)}
			for _, c := range t.Columns {
				row = append(row, c.over(members[group], m.cells[tool]))
			}
			s.Rows = append(s.Rows, row)
		}
	}
}

// folderOf is the list and the folder in it that a task is of: a category of a competition.
func folderOf(t *score.Task) string {
	if folder, _, ok := strings.Cut(t.Task, "/"); ok {
		return t.List + "/" + folder
	}
	return t.List
}

// overFolders is the mean over folders of the mean over their tasks, so that large folders count no more than small ones, and
// the number of tasks.
func (c *Column) overFolders(tasks []*score.Task, cells map[*score.Task]*score.Cell) (mean float64, n int) {
	sums, counts := map[string]float64{}, map[string]int{}
	var folders []string
	for _, t := range tasks {
		cell := cells[t]
		if cell == nil {
			continue
		}
		folder := folderOf(t)
		if counts[folder] == 0 {
			folders = append(folders, folder)
		}
		counts[folder]++
		n++
		// What does not count is a part of the whole all the same.
		if value, ok := c.of(t, cell); ok && (c.Expected == "" || t.Expected.Agrees(c.Expected)) {
			sums[folder] += value
		}
	}
	for _, folder := range folders {
		mean += sums[folder] / float64(counts[folder]) / float64(len(folders))
	}
	return mean, n
}

// over is the measure of a tool on several tasks.
func (c *Column) over(tasks []*score.Task, cells map[*score.Task]*score.Cell) table.Cell {
	switch mean, n := c.overFolders(tasks, cells); c.By {
	case "percent":
		return c.cell(100 * mean)
	case "weighted":
		return c.cell(mean * float64(n))
	}
	sum, n := 0.0, 0
	for _, t := range tasks {
		cell := cells[t]
		if cell == nil || c.Expected != "" && !t.Expected.Agrees(c.Expected) || c.By == "mean" && cell.Outcome != score.Solved {
			continue
		}
		value, ok := c.of(t, cell)
		if ok {
			n++
		}
		if c.By == "tasks" {
			value = float64(min(1, max(0, int(value))))
		}
		sum += value
	}
	if c.By == "mean" {
		sum /= float64(max(1, n))
	}
	return c.cell(sum)
}

// reach is how far a tool gets in a series of instances: the largest size up to which it decides every one that it was run on,
// with its time, and the next that it was run on and does not decide, with the outcome there. Either size is 0 if there is
// none.
type reach struct {
	size, failed int
	seconds      float64
	outcome      score.Outcome
	wrong        bool
}

func reachOf(series []instance, cells map[*score.Task]*score.Cell, byFile map[string]*score.Task) reach {
	var r reach
	for _, i := range series {
		cell := cells[byFile[i.file]]
		switch {
		case cell == nil:
			continue
		case cell.Outcome == score.Wrong:
			r.wrong = true
		}
		switch {
		case r.failed > 0:
		case cell.Outcome == score.Solved:
			r.size, r.seconds = i.Size, cell.CPU
		default:
			r.failed, r.outcome = i.Size, cell.Outcome
		}
	}
	return r
}

// cells are the reach, and where it ends and why.
func (r *reach) cells() []table.Cell {
	text := "none"
	switch {
	case r.size > 0 && r.failed == 0:
		text = fmt.Sprintf("≥ %d (%.1f s)", r.size, r.seconds)
	case r.size > 0:
		text = fmt.Sprintf("%d (%.1f s)", r.size, r.seconds)
	}
	if r.wrong {
		text += " WRONG"
	}
	if r.failed == 0 {
		return []table.Cell{{Value: r.size, Text: text}, table.Nothing()}
	}
	return []table.Cell{{Value: r.size, Text: text}, table.Word(fmt.Sprintf("%d: %s", r.failed, r.outcome))}
}

// reached is a table of how far each tool gets in each family, and how many times as far the first tool gets as each other.
func reached(m *measured, instances []instance, byFile map[string]*score.Task) *table.Sheet {
	s := &table.Sheet{Name: "reached", Title: "Sizes reached", Columns: []table.Column{
		{Key: "family", Head: "family"}, {Key: "calls", Head: "all calls", Spare: true}, {Key: "side", Head: "side"}}}
	for i, tool := range m.tools {
		s.Columns = append(s.Columns, table.Column{Key: tool, Head: tool, Number: true}, table.Column{Key: tool + "_not", Head: "not", Spare: true})
		if i > 0 {
			s.Columns = append(s.Columns, table.Column{Key: "times_" + tool, Head: m.tools[0] + " / " + tool, Number: true})
		}
	}
	names, series := bySeries(instances)
	for _, name := range names {
		all := series[name]
		if len(all) < 2 {
			continue
		}
		row := []table.Cell{table.Word(strings.TrimSuffix(name, "-bug")), table.Word(all[0].family.Grows), table.Word(all[0].side())}
		var first reach
		for i, tool := range m.tools {
			r := reachOf(all, m.cells[tool], byFile)
			row = append(row, r.cells()...)
			if i == 0 {
				first = r
				continue
			}
			row = append(row, times(&first, &r))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// times is how many times as far the first gets as the other; at least, where the first decides all that it was run on.
func times(first, other *reach) table.Cell {
	if other.size == 0 || first.size == 0 {
		return table.Word("–")
	}
	ratio := float64(first.size) / float64(other.size)
	text := fmt.Sprintf("%.1f", ratio)
	switch {
	case first.failed == 0 && other.failed == 0:
		text = ""
	case first.failed == 0:
		text = "≥ " + text
	case other.failed == 0:
		text = "≤ " + text
	}
	return table.Cell{Value: ratio, Text: text}
}
