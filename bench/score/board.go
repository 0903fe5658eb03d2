package score

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hornbeam/bench/result"
)

// Options say how a board is made.
type Options struct {
	// Strict: a verdict that was printed before the run went over a limit doesn't count, as BenchExec has it.
	Strict bool
	// Missing are tools that were asked for and are not installed; those that have runs all the same are not missing.
	Missing []string
}

// Task is a row of a board.
type Task struct {
	result.Subject
	Track, Family string
	Expected      result.Verdict
	// Cells are by tool, in the board's order; nil where the tool was not run on the task.
	Cells []*Cell
}

// Board is every task by every tool.
type Board struct {
	Tools []Tool
	// Missing are tools that were to be here and have no runs, as they are not installed.
	Missing []string
	// Tasks are in the order of track, family, list, name and property.
	Tasks []*Task
	// Notes say what a reader of the figures has to know: limits that differ, tasks that not every tool was run on, labels
	// that contradict each other.
	Notes  []string
	strict bool
}

// New makes a board. Tools keep the order in which they first appear among the runs. Of two runs with the same
// [result.Run.Key] the later counts, and of two expected verdicts of one task the later.
func New(runs []*result.Run, o Options) *Board {
	b := &Board{strict: o.Strict}
	runs, repeated := latest(runs)
	if repeated > 0 {
		b.note("%d runs were measured again later; the last of each counts", repeated)
	}
	tasks := b.tasksOf(runs)

	names, byName := partition(runs, func(r *result.Run) string { return r.Tool })
	for i, name := range names {
		divided, notes := variants(name, byName[i])
		b.Notes = append(b.Notes, notes...)
		for _, v := range divided {
			first := v.runs[0]
			label := name
			if len(v.label) > 0 {
				label += " (" + strings.Join(v.label, ", ") + ")"
			}
			b.Tools = append(b.Tools, Tool{label, name, first.Version, first.Options, first.Limits})
			column := map[*Task][]*result.Run{}
			for _, r := range v.runs {
				column[tasks[r.Subject()]] = append(column[tasks[r.Subject()]], r)
			}
			for _, t := range b.Tasks {
				var c *Cell
				if rs := column[t]; rs != nil {
					c = fold(rs, t.Expected, o.Strict)
				}
				t.Cells = append(t.Cells, c)
			}
		}
	}
	for _, name := range o.Missing {
		ran := slices.ContainsFunc(b.Tools, func(t Tool) bool { return t.Name == name })
		if !ran && !slices.Contains(b.Missing, name) {
			b.Missing = append(b.Missing, name)
		}
	}
	b.noteDifferences(runs)
	return b
}

// latest leaves only the last run of each key, at the place of the first.
func latest(runs []*result.Run) (kept []*result.Run, dropped int) {
	at := map[string]int{}
	for _, r := range runs {
		if i, ok := at[r.Key()]; ok {
			kept[i] = r
			dropped++
			continue
		}
		at[r.Key()] = len(kept)
		kept = append(kept, r)
	}
	return kept, dropped
}

// tasksOf fills the board's tasks, without cells, and returns them by subject.
func (b *Board) tasksOf(runs []*result.Run) map[result.Subject]*Task {
	tasks := map[result.Subject]*Task{}
	digest := map[result.Subject]string{}
	for _, r := range runs {
		t := tasks[r.Subject()]
		if t == nil {
			t = &Task{Subject: r.Subject()}
			tasks[t.Subject] = t
			b.Tasks = append(b.Tasks, t)
		}
		t.Track = cmp.Or(r.Track, t.Track, r.List)
		t.Family = cmp.Or(r.Family, t.Family)
		if isAnswer(t.Expected) && isAnswer(r.Expected) && !t.Expected.Agrees(r.Expected) {
			b.note("%s was expected to be %s and later %s; the later label counts for all runs", t.Task, t.Expected, r.Expected)
		}
		if isAnswer(r.Expected) || t.Expected == result.None {
			t.Expected = r.Expected
		}
		if r.Digest != "" {
			if d := digest[t.Subject]; d != "" && d != r.Digest {
				b.note("%s is not the same file in all runs", t.Task)
			}
			digest[t.Subject] = r.Digest
		}
	}
	slices.SortStableFunc(b.Tasks, func(a, c *Task) int {
		return cmp.Or(cmp.Compare(a.Track, c.Track), cmp.Compare(a.Family, c.Family), cmp.Compare(a.List, c.List), cmp.Compare(a.Task, c.Task), cmp.Compare(a.Property, c.Property))
	})
	return tasks
}

// noteDifferences notes what makes the tools' figures hard to compare.
func (b *Board) noteDifferences(runs []*result.Run) {
	if limits, parts := partition(runs, func(r *result.Run) string { return DescribeLimits(r.Limits) }); len(parts) > 1 {
		b.note("the runs had different limits: %s", strings.Join(limits, "; "))
	}
	hosts, _ := partition(runs, func(r *result.Run) string {
		return fmt.Sprintf("%s (%d cores, %s/%s)", cmp.Or(r.Host.CPU, "unnamed processor"), r.Host.Cores, r.Host.OS, r.Host.Arch)
	})
	if len(hosts) > 1 {
		b.note("the runs were made on different machines: %s", strings.Join(hosts, "; "))
	}
	for i, tool := range b.Tools {
		missing := 0
		for _, t := range b.Tasks {
			if t.Cells[i] == nil {
				missing++
			}
		}
		if missing > 0 {
			b.note("%s was not run on %d of %d tasks", tool.Label, missing, len(b.Tasks))
		}
	}
	unlabelled := 0
	for _, t := range b.Tasks {
		if !isAnswer(t.Expected) {
			unlabelled++
		}
	}
	if unlabelled > 0 {
		b.note("no verdict is known of %d of %d tasks: answers there are counted as unconfirmed, not as solved", unlabelled, len(b.Tasks))
	}
}

func (b *Board) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(b.Notes, n) {
		b.Notes = append(b.Notes, n)
	}
}
