package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

// Rule says what must be seen in an experiment's runs for one sentence of its claim to hold: one figure compared with another.
type Rule struct {
	// Says is the sentence.
	Says string `yaml:"says"`
	// Figure is compared with Than as Is says: more, less, at-least or at-most.
	Figure Figure   `yaml:"figure"`
	Is     Relation `yaml:"is"`
	Than   Figure   `yaml:"than"`
	// Least is how many tasks or series there must be before the rule says anything; 0 is [leastTasks] or [leastSeries].
	Least int `yaml:"least"`
}

// With less than this a difference says nothing of a claim.
const (
	leastTasks  = 4
	leastSeries = 2
)

// Relation is how one figure is to compare with another.
type Relation string

// The relations.
const (
	More    Relation = "more"
	Less    Relation = "less"
	AtLeast Relation = "at-least"
	AtMost  Relation = "at-most"
)

// holds compares.
func (r Relation) holds(a, b float64) bool {
	switch r {
	case More:
		return a > b
	case Less:
		return a < b
	case AtLeast:
		return a >= b
	}
	return a <= b
}

// Reached is the measure that is compared series by series of a generated family: the largest size up to which a tool decides
// every instance. The rule then holds if it does in at least three quarters of the series in which the runs tell.
const Reached = "reached"

// Figure is a measure of a tool over the tasks of a rule, or a number.
type Figure struct {
	// Tool names the tool. Without one, Value is the figure.
	Tool  string  `yaml:"tool"`
	Value float64 `yaml:"value"`
	// Measure is as in [Column], or reached. Times and counters are summed over the tasks that both tools of the rule solved,
	// everything else over those that both were run on.
	Measure string `yaml:"measure"`
	// Expected keeps the tasks with this verdict, Families those of these families, and In those with one of these parts in their
	// names.
	Expected result.Verdict `yaml:"expected"`
	Families []string       `yaml:"families"`
	In       []string       `yaml:"in"`
	// By is as in [Column]; the mean is over all tasks that count.
	By string `yaml:"by"`
	// Times is a number by which the figure is multiplied; 0 is 1.
	Times float64 `yaml:"times"`
}

// column is the figure's measure as that of a table.
func (f *Figure) column() *Column { return &Column{Measure: f.Measure, By: f.By} }

// check says what is wrong with a rule, if anything is.
func (r *Rule) check(tools []string) error {
	switch {
	case r.Says == "":
		return fmt.Errorf("a rule needs a sentence that it tries")
	case !slices.Contains([]Relation{More, Less, AtLeast, AtMost}, r.Is):
		return fmt.Errorf("%q is none of more, less, at-least and at-most", r.Is)
	case r.Figure.Tool == "":
		return fmt.Errorf("the first figure needs a tool")
	case (r.Figure.Measure == Reached) != (r.Than.Measure == Reached):
		return fmt.Errorf("sizes that are reached are compared with each other alone")
	}
	for _, f := range []*Figure{&r.Figure, &r.Than} {
		if f.Tool == "" {
			continue
		}
		if !slices.ContainsFunc(tools, func(tool string) bool { name, _, _ := strings.Cut(tool, "="); return name == f.Tool }) {
			return fmt.Errorf("no tool is called %q", f.Tool)
		}
		if f.Measure == Reached {
			continue
		}
		if err := f.column().checkMeasure(); err != nil {
			return err
		}
	}
	return nil
}

// Standing says whether a sentence holds by the runs.
type Standing string

// The standings of a rule; those of an experiment or a paper are over all of its rules that were measured.
const (
	Confirmed    Standing = "confirmed"
	NotConfirmed Standing = "not confirmed"
	Mixed        Standing = "mixed"
	NotMeasured  Standing = "not measured"
)

// Together is the standing of several: mixed if some hold and others do not.
func Together(all []Standing) Standing {
	known := slices.DeleteFunc(slices.Clone(all), func(s Standing) bool { return s == NotMeasured })
	switch {
	case len(known) == 0:
		return NotMeasured
	case len(slices.Compact(slices.Sorted(slices.Values(known)))) == 1:
		return known[0]
	}
	return Mixed
}

// Judged is a rule with what the runs say of it.
type Judged struct {
	*Rule
	Standing Standing
	// Figures has both figures in words, and over how many tasks or series they are.
	Figures string
}

// judge holds the experiment's rules against the runs.
func (e *Experiment) judge(m *measured, instances []instance, byFile map[string]*score.Task) []Judged {
	var all []Judged
	for i := range e.Rules {
		r := &e.Rules[i]
		j := Judged{Rule: r}
		if r.Figure.Measure == Reached {
			j.Standing, j.Figures = r.bySeries(m, instances, byFile)
		} else {
			j.Standing, j.Figures = r.overTasks(m)
		}
		all = append(all, j)
	}
	return all
}

// counts says whether a task counts for the figure by what is known of it.
func (f *Figure) counts(t *score.Task) bool {
	has := func(part string) bool { return strings.Contains(t.List+"/"+t.Task, part) }
	return (f.Expected == "" || t.Expected.Agrees(f.Expected)) &&
		(len(f.Families) == 0 || slices.Contains(f.Families, t.Family)) &&
		(len(f.In) == 0 || slices.ContainsFunc(f.In, has))
}

// overTasks compares two figures over the tasks that both tools were run on.
func (r *Rule) overTasks(m *measured) (Standing, string) {
	tools := []string{r.Figure.Tool}
	if r.Than.Tool != "" {
		tools = append(tools, r.Than.Tool)
	}
	costs := r.Figure.column().isCost() || r.Than.Tool != "" && r.Than.column().isCost()
	var tasks []*score.Task
	for _, t := range m.tasks {
		common := true
		for _, tool := range tools {
			cell := m.cells[tool][t]
			common = common && cell != nil && (!costs || cell.Outcome == score.Solved)
		}
		if common {
			tasks = append(tasks, t)
		}
	}
	a, n := r.Figure.over(tasks, m)
	b, k := r.Than.over(tasks, m)
	if n == 0 || r.Than.Tool != "" && k == 0 {
		return NotMeasured, "no task that tells"
	}
	standing := NotConfirmed
	switch {
	case n < cmp.Or(r.Least, leastTasks), a == 0 && b == 0:
		standing = NotMeasured
	case r.Is.holds(a, b):
		standing = Confirmed
	}
	kind := "tasks"
	if costs {
		kind = "tasks that both solve"
		if r.Than.Tool == "" {
			kind = "tasks that it solves"
		}
	}
	text := fmt.Sprintf("%s against %s, on %d %s", r.Figure.words(a), r.Than.words(b), n, kind)
	return standing, text
}

// over is the figure over the tasks that count for it, and how many these are.
func (f *Figure) over(tasks []*score.Task, m *measured) (value float64, n int) {
	times := f.Times
	if times == 0 {
		times = 1
	}
	if f.Tool == "" {
		return f.Value * times, 0
	}
	if f.By == "percent" || f.By == "weighted" {
		// The verdict chooses what is counted, not what it is a part of.
		all := *f
		all.Expected = ""
		c := f.column()
		c.Expected = f.Expected
		value, n = c.overFolders(slices.DeleteFunc(slices.Clone(tasks), func(t *score.Task) bool { return !all.counts(t) }), m.cells[f.Tool])
		if f.By == "percent" {
			return 100 * value * times, n
		}
		return value * float64(n) * times, n
	}
	for _, t := range tasks {
		if !f.counts(t) {
			continue
		}
		v, ok := f.column().of(t, m.cells[f.Tool][t])
		if !ok {
			continue
		}
		n++
		if f.By == "tasks" {
			v = float64(min(1, max(0, int(v))))
		}
		value += v
	}
	if f.By == "mean" {
		value /= float64(max(1, n))
	}
	return value * times, n
}

// words are the figure with its measure.
func (f *Figure) words(value float64) string {
	number := fmt.Sprintf("%.4g", value)
	if f.Times != 0 && f.Times != 1 {
		number = fmt.Sprintf("%.4g (%.4g times %.4g)", value, f.Times, value/f.Times)
	}
	if f.Tool == "" {
		return number
	}
	unit := f.Measure
	switch {
	case f.Measure == "wall" || f.Measure == "cpu":
		unit = "s of " + f.Measure + " time"
	case f.By == "mean":
		unit = "on average of " + f.Measure
	case f.By == "percent":
		unit = "% " + f.Measure
	case f.By == "weighted":
		unit += ", weighted by folders,"
	}
	if f.Expected != "" {
		unit += " of what is " + string(f.Expected)
	}
	return fmt.Sprintf("%s %s by %s", number, unit, f.Tool)
}

// bySeries compares the sizes that two tools reach, series by series. Where the larger size is only known from below, or from
// above, the series counts if that is enough to tell.
func (r *Rule) bySeries(m *measured, instances []instance, byFile map[string]*score.Task) (Standing, string) {
	names, series := bySeries(instances)
	held, told := 0, 0
	var ratios []float64
	for _, name := range names {
		all := series[name]
		if len(r.Figure.Families) > 0 && !slices.Contains(r.Figure.Families, all[0].family.Name) ||
			r.Figure.Expected != "" && !r.Figure.Expected.Agrees(result.Verdict(all[0].family.Verdict(all[0].Bug))) {
			continue
		}
		a, b := reachOf(all, m.cells[r.Figure.Tool], byFile), reachOf(all, m.cells[r.Than.Tool], byFile)
		if a.size == 0 && a.failed == 0 || b.size == 0 && b.failed == 0 {
			continue // one of them was not run here
		}
		times := r.Than.Times
		if times == 0 {
			times = 1
		}
		holds := r.Is.holds(float64(a.size), times*float64(b.size))
		// A tool that decides all that it was run on might reach further.
		switch grows := r.Is == More || r.Is == AtLeast; {
		case holds && b.failed == 0 && grows, !holds && a.failed == 0 && grows, holds && a.failed == 0 && !grows, !holds && b.failed == 0 && !grows:
			continue
		}
		told++
		if holds {
			held++
		}
		if b.size > 0 {
			ratios = append(ratios, float64(a.size)/float64(b.size))
		}
	}
	if told == 0 {
		return NotMeasured, "no series that tells"
	}
	text := fmt.Sprintf("in %d of %d series", held, told)
	if len(ratios) > 0 {
		text += fmt.Sprintf("; %s reaches %.3g to %.3g times the size of %s", r.Figure.Tool, slices.Min(ratios), slices.Max(ratios), r.Than.Tool)
	}
	switch {
	case told < cmp.Or(r.Least, leastSeries):
		return NotMeasured, text
	case 4*held >= 3*told:
		return Confirmed, text
	}
	return NotConfirmed, text
}

// bySeries groups instances that differ in their size only, in the order of the sizes.
func bySeries(instances []instance) (names []string, series map[string][]instance) {
	series = map[string][]instance{}
	for _, i := range instances {
		if series[i.series] == nil {
			names = append(names, i.series)
		}
		series[i.series] = append(series[i.series], i)
	}
	for _, all := range series {
		slices.SortFunc(all, func(a, b instance) int { return a.Size - b.Size })
	}
	return names, series
}
