package score

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"hornbeam/bench/result"
)

// Noise is what a change in time has to exceed to be called one. The zero value stands for [DefaultNoise].
type Noise struct {
	// By is the measure of time.
	By Time
	// Factor: the slower median must be more than this times the quicker one.
	Factor float64
	// Seconds: the medians must also be more than this apart, so that start-up and the clock's grain don't count.
	Seconds float64
}

// DefaultNoise is CPU time, half as much again, and a fifth of a second.
var DefaultNoise = Noise{By: CPU, Factor: 1.5, Seconds: 0.2}

// minRepeats is from how many repeats on, on both sides, the ranges of the times must be apart as well.
const minRepeats = 3

// ChangeKind names what happened to a task between two boards.
type ChangeKind string

const (
	// NowWrong: the new verdict is wrong, whatever the old one was, or contradicts the old one where none is known.
	NowWrong ChangeKind = "wrong"
	// Lost: answered before, and not now.
	Lost ChangeKind = "lost"
	// Missing: answered before, and not run now.
	Missing ChangeKind = "missing"
	// Gained: answered now, and not before.
	Gained ChangeKind = "gained"
	// Slower and Faster: answered alike, with times that differ by more than noise.
	Slower ChangeKind = "slower"
	Faster ChangeKind = "faster"
)

// ChangeKinds are all kinds, the gravest first.
var ChangeKinds = []ChangeKind{NowWrong, Lost, Missing, Gained, Slower, Faster}

// Change is a task that is not as before.
type Change struct {
	Kind   ChangeKind `json:"kind"`
	List   string     `json:"list,omitempty"`
	Task   string     `json:"task"`
	Track  string     `json:"track,omitempty"`
	Family string     `json:"family,omitempty"`
	// Property is that of a program.
	Property string         `json:"property,omitempty"`
	Expected result.Verdict `json:"expected,omitempty"`
	// Old and New are the tool's cells; Old is nil where the task was not run before, New where it is not run now.
	Old *Cell `json:"old"`
	New *Cell `json:"new"`
}

// ToolDiff is what changed for one tool.
type ToolDiff struct {
	Old string `json:"old"`
	New string `json:"new"`
	// Common is the number of tasks that both sides ran; OldSolved and NewSolved count the solved ones of these.
	Common    int `json:"common"`
	OldSolved int `json:"oldSolved"`
	NewSolved int `json:"newSolved"`
	// OnlyOld and OnlyNew are the numbers of tasks that one side alone ran, whatever the outcome.
	OnlyOld int `json:"onlyOld"`
	OnlyNew int `json:"onlyNew"`
	// Ratio is CPU(new)/CPU(old) over what both answered alike; nil where that is nothing.
	Ratio *Ratio `json:"ratio"`
	// Changes are in the order of [ChangeKinds], and within a kind the tasks' or, of times, the largest factor first.
	Changes []Change `json:"changes"`
}

// Of are the changes of a kind.
func (d *ToolDiff) Of(kind ChangeKind) []Change {
	var of []Change
	for _, c := range d.Changes {
		if c.Kind == kind {
			of = append(of, c)
		}
	}
	return of
}

// Diff is what changed between two boards.
type Diff struct {
	Noise Noise      `json:"noise"`
	Notes []string   `json:"notes"`
	Tools []ToolDiff `json:"tools"`
}

// Regressed says whether a tool lost a task or is wrong on one. With subset, tasks that were not run again are no loss.
func (d *Diff) Regressed(subset bool) bool {
	for _, t := range d.Tools {
		for _, c := range t.Changes {
			if c.Kind == NowWrong || c.Kind == Lost || c.Kind == Missing && !subset {
				return true
			}
		}
	}
	return false
}

// ErrNothingCommon says that two boards have no tool in common, or no task.
var ErrNothingCommon = errors.New("nothing in common")

// Compare compares the tools of equal label, or, where each board has a single tool, these two. It returns an error that
// wraps [ErrNothingCommon] if there is nothing to compare: a check that checked nothing must not pass.
func Compare(before, after *Board, noise Noise) (*Diff, error) {
	noise.By = cmp.Or(noise.By, DefaultNoise.By)
	noise.Factor = cmp.Or(noise.Factor, DefaultNoise.Factor)
	noise.Seconds = cmp.Or(noise.Seconds, DefaultNoise.Seconds)
	d := &Diff{Noise: noise, Notes: []string{}, Tools: []ToolDiff{}}
	for _, n := range before.Notes {
		d.Notes = append(d.Notes, "old: "+n)
	}
	for _, n := range after.Notes {
		d.Notes = append(d.Notes, "new: "+n)
	}
	pairs := [][2]int{}
	if len(before.Tools) == 1 && len(after.Tools) == 1 {
		pairs = append(pairs, [2]int{0, 0})
	} else {
		pairs = sameLabels(before, after, d)
	}
	common := 0
	for _, p := range pairs {
		t, edited := compareTool(before, p[0], after, p[1], noise)
		if len(edited) > 0 {
			d.Notes = append(d.Notes, fmt.Sprintf("%s: %d tasks are not the same files in both: %s", t.New, len(edited), some(edited)))
		}
		common += t.Common
		d.Tools = append(d.Tools, t)
		d.noteSettings(before, p[0], after, p[1])
	}
	if common == 0 {
		return nil, fmt.Errorf("compare %s with %s: %w: no tool was run on the same task in both", labels(before), labels(after), ErrNothingCommon)
	}
	return d, nil
}

func labels(b *Board) string {
	if len(b.Tools) == 0 {
		return "no tool"
	}
	text := ""
	for i, t := range b.Tools {
		if i > 0 {
			text += ", "
		}
		text += t.Label
	}
	return text
}

// sameLabels pairs the tools by label, and notes those without a partner.
func sameLabels(before, after *Board, d *Diff) (pairs [][2]int) {
	for i, t := range before.Tools {
		if j := slices.IndexFunc(after.Tools, func(u Tool) bool { return u.Label == t.Label }); j >= 0 {
			pairs = append(pairs, [2]int{i, j})
		} else {
			d.Notes = append(d.Notes, fmt.Sprintf("%s is only in the old results", t.Label))
		}
	}
	for _, u := range after.Tools {
		if !slices.ContainsFunc(before.Tools, func(t Tool) bool { return u.Label == t.Label }) {
			d.Notes = append(d.Notes, fmt.Sprintf("%s is only in the new results", u.Label))
		}
	}
	return pairs
}

// noteSettings notes limits and machines that differ between the two sides: times and losses mean less then.
func (d *Diff) noteSettings(before *Board, i int, after *Board, j int) {
	if x, y := before.Tools[i].Limits, after.Tools[j].Limits; x != y {
		d.Notes = append(d.Notes, fmt.Sprintf("%s: the limits were %s and are now %s", after.Tools[j].Label, DescribeLimits(x), DescribeLimits(y)))
	}
	if x, y := firstRun(before, i), firstRun(after, j); x != nil && y != nil && (x.Host != y.Host || x.Measured != y.Measured) {
		d.Notes = append(d.Notes, fmt.Sprintf("%s: measured on another machine, or by other means, than before; the times say little", after.Tools[j].Label))
	}
}

func firstRun(b *Board, i int) *result.Run {
	for _, t := range b.Tasks {
		if t.Cells[i] != nil {
			return t.Cells[i].Runs[0]
		}
	}
	return nil
}

// compareTool compares a column of each board. edited are the tasks whose files differ.
func compareTool(before *Board, i int, after *Board, j int, noise Noise) (d ToolDiff, edited []string) {
	d = ToolDiff{Old: before.Tools[i].Label, New: after.Tools[j].Label, Changes: []Change{}}
	old := map[result.Subject]*Task{}
	for _, t := range before.Tasks {
		old[t.Subject] = t
	}
	var both []*Task
	seen := map[result.Subject]bool{}
	for _, t := range after.Tasks {
		seen[t.Subject] = true
		var x *Cell
		expected := t.Expected
		if o := old[t.Subject]; o != nil && o.Cells[i] != nil {
			// A label that was known before is not forgotten, and one that was corrected counts for the old runs too.
			if !isAnswer(expected) {
				expected = o.Expected
			}
			x = fold(slices.Clone(o.Cells[i].Runs), expected, before.strict)
		}
		y := t.Cells[j]
		if y != nil {
			y = fold(slices.Clone(y.Runs), expected, after.strict)
		}
		switch {
		case x != nil && y != nil:
			d.Common++
			if a, b := x.Runs[0].Digest, y.Runs[0].Digest; a != b && a != "" && b != "" {
				edited = append(edited, t.Task)
			}
			both = append(both, &Task{Subject: t.Subject, Expected: expected, Cells: []*Cell{y, x}})
			if x.Outcome == Solved {
				d.OldSolved++
			}
			if y.Outcome == Solved {
				d.NewSolved++
			}
		case x != nil:
			d.OnlyOld++
		case y != nil:
			d.OnlyNew++
		}
		if kind, ok := change(x, y, noise); ok {
			d.Changes = append(d.Changes, Change{kind, t.List, t.Task, t.Track, t.Family, t.Property, expected, x, y})
		}
	}
	for _, t := range before.Tasks {
		if x := t.Cells[i]; x != nil && !seen[t.Subject] {
			d.OnlyOld++
			if kind, ok := change(x, nil, noise); ok {
				d.Changes = append(d.Changes, Change{kind, t.List, t.Task, t.Track, t.Family, t.Property, t.Expected, x, nil})
			}
		}
	}
	if r := ratios(&Board{Tools: []Tool{{Label: "new"}, {Label: "old"}}}, Group{}, both); len(r) > 0 {
		d.Ratio = &r[0]
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		byFactor := 0
		if a.Kind == b.Kind && (a.Kind == Slower || a.Kind == Faster) {
			byFactor = cmp.Compare(b.factor(noise.By), a.factor(noise.By))
		}
		return cmp.Or(cmp.Compare(slices.Index(ChangeKinds, a.Kind), slices.Index(ChangeKinds, b.Kind)), byFactor)
	})
	return d, edited
}

// factor is how many times the slower of the two took the quicker one's time.
func (c *Change) factor(by Time) float64 {
	x, y := max(c.Old.Seconds(by), Resolution), max(c.New.Seconds(by), Resolution)
	return max(x/y, y/x)
}

// change says what happened between the old cell and the new one, each nil where the task was not run; ok is false where
// nothing did.
func change(x, y *Cell, noise Noise) (kind ChangeKind, ok bool) {
	answered := func(c *Cell) bool { return c != nil && c.Outcome.Answered() }
	switch {
	case y != nil && y.Outcome == Wrong:
		return NowWrong, true
	case answered(x) && y == nil:
		return Missing, true
	case answered(x) && answered(y) && !x.Verdict.Agrees(y.Verdict):
		return NowWrong, true
	case answered(x) && !answered(y):
		return Lost, true
	// A task that was not run before is not gained.
	case x != nil && !answered(x) && answered(y):
		return Gained, true
	case !answered(x) || !answered(y):
		return "", false
	case slower(x, y, noise):
		return Slower, true
	case slower(y, x, noise):
		return Faster, true
	}
	return "", false
}

// slower says whether y took longer than x by more than noise.
func slower(x, y *Cell, noise Noise) bool {
	a, b := x.Seconds(noise.By), y.Seconds(noise.By)
	if b <= a*noise.Factor || b-a <= noise.Seconds {
		return false
	}
	if min(len(x.Runs), len(y.Runs)) < minRepeats {
		return true
	}
	_, most := spread(x, noise.By)
	least, _ := spread(y, noise.By)
	return least > most
}

// spread is the least and the most time among the cell's repeats that have its verdict.
func spread(c *Cell, by Time) (least, most float64) {
	first := true
	for _, r := range c.Runs {
		if !r.Verdict.Agrees(c.Verdict) {
			continue
		}
		v := r.CPU
		if by == Wall {
			v = r.Wall
		}
		if first {
			least, most, first = v, v, false
		}
		least, most = min(least, v), max(most, v)
	}
	return least, most
}
