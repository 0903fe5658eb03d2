package score

import (
	"slices"

	"hornbeam/bench/result"
)

// Answer is what one tool said of a task; of a tool whose repeats differ, each different verdict is one.
type Answer struct {
	Tool    string         `json:"tool"`
	Verdict result.Verdict `json:"verdict"`
}

// Finding is a task on which the tools' verdicts need a look.
type Finding struct {
	List     string         `json:"list,omitempty"`
	Task     string         `json:"task"`
	Property string         `json:"property,omitempty"`
	Track    string         `json:"track,omitempty"`
	Expected result.Verdict `json:"expected,omitempty"`
	Answers  []Answer       `json:"answers"`
}

// DoubtfulLabel says whether at least two tools answered, all alike, and against the expected verdict: then it may be the
// label that is wrong. The figures don't ask; a label is corrected in the list of tasks.
func (f *Finding) DoubtfulLabel() bool {
	tools := map[string]bool{}
	for _, a := range f.Answers {
		tools[a.Tool] = true
		if !isAnswer(f.Expected) || a.Verdict.Agrees(f.Expected) || !a.Verdict.Agrees(f.Answers[0].Verdict) {
			return false
		}
	}
	return len(tools) > 1
}

func (b *Board) finding(t *Task) Finding {
	f := Finding{List: t.List, Task: t.Task, Property: t.Property, Track: t.Track, Expected: t.Expected}
	for i, c := range t.Cells {
		if c == nil {
			continue
		}
		for _, v := range answers(c.Runs, b.strict) {
			f.Answers = append(f.Answers, Answer{b.Tools[i].Label, v})
		}
	}
	return f
}

// WrongVerdicts are the tasks on which a tool is wrong, with what every tool said.
func (b *Board) WrongVerdicts() []Finding {
	return b.findings(func(t *Task) bool {
		return slices.ContainsFunc(t.Cells, func(c *Cell) bool { return c != nil && c.Outcome == Wrong })
	})
}

// Disagreements are the tasks of which two tools, or two repeats of one, said different things. Where the expected verdict
// is known they are among the wrong ones too; where it is not, someone is wrong and nobody knows who.
func (b *Board) Disagreements() []Finding { return b.findings(b.disputed) }

// Unsteady are the tasks on which a tool's repeats differ in their outcome.
func (b *Board) Unsteady() []Finding {
	return b.findings(func(t *Task) bool {
		return slices.ContainsFunc(t.Cells, func(c *Cell) bool { return c != nil && c.Unsteady })
	})
}

func (b *Board) findings(is func(*Task) bool) []Finding {
	found := []Finding{}
	for _, t := range b.Tasks {
		if is(t) {
			found = append(found, b.finding(t))
		}
	}
	return found
}

// disputed says whether the task has two different answers.
func (b *Board) disputed(t *Task) bool {
	var runs []*result.Run
	for _, c := range t.Cells {
		if c != nil {
			runs = append(runs, c.Runs...)
		}
	}
	return len(answers(runs, b.strict)) > 1
}
