package score

import (
	"cmp"
	"slices"

	"hornbeam/bench/result"
)

// Outcome is the result of a tool's run on a task: its verdict compared with the expected one.
type Outcome string

const (
	// Solved: the verdict is the expected one.
	Solved Outcome = "solved"
	// Wrong: the verdict contradicts the expected one, or, where none is known, the tool's own verdict of another repeat.
	Wrong Outcome = "wrong"
	// Unconfirmed: a verdict on a task whose verdict isn't known. It is neither solved nor wrong.
	Unconfirmed Outcome = "unconfirmed"
	// Unknown: the tool ended and said that it does not know.
	Unknown Outcome = "unknown"
	// Timeout: no verdict within the limit on wall or CPU time.
	Timeout Outcome = "timeout"
	// MemoryOut: no verdict within the limit on memory.
	MemoryOut Outcome = "memory-out"
	// Failed: no verdict for any other reason, such as a crash or a message instead of a verdict.
	Failed Outcome = "error"
)

// Answered says whether the outcome is a verdict that isn't known to be wrong.
func (o Outcome) Answered() bool { return o == Solved || o == Unconfirmed }

// severity orders outcomes for the case that none has a majority among the repeats: the worst present counts.
func (o Outcome) severity() int {
	return slices.Index([]Outcome{Solved, Unconfirmed, Unknown, Timeout, MemoryOut, Failed, Wrong}, o)
}

// isAnswer says whether the verdict commits the tool to something that can be wrong.
func isAnswer(v result.Verdict) bool { return v.Definite() || v == result.Reject }

// outcomeOf holds a run's verdict against the expected one, which is the task's and not the run's: labels get corrected.
func outcomeOf(r *result.Run, expected result.Verdict, strict bool) Outcome {
	said := r.Answer(strict)
	switch {
	case isAnswer(said) && isAnswer(expected) && said.Agrees(expected):
		return Solved
	case isAnswer(said) && isAnswer(expected):
		return Wrong
	case isAnswer(said):
		return Unconfirmed
	case r.Status == result.Timeout || r.Status == result.CPUTimeout:
		return Timeout
	case r.Status == result.MemoryOut:
		return MemoryOut
	case said == result.Unknown:
		return Unknown
	}
	return Failed
}

// Cell is what a tool made of a task, its repeats folded to one.
type Cell struct {
	// Runs are the repeats, in their order; there is at least one.
	Runs []*result.Run `json:"-"`
	// Outcome is Wrong if any repeat is wrong. Else it is the outcome of more than half of the repeats, and where there
	// is none, the worst of theirs: a task solved in one repeat of two is not solved.
	Outcome Outcome `json:"outcome"`
	// Verdict is that of the first repeat with the cell's outcome; [result.None] where there is none.
	Verdict result.Verdict `json:"verdict,omitempty"`
	// Wall and CPU in seconds and Memory in bytes are medians over the repeats that have the cell's outcome.
	Wall   float64 `json:"wall"`
	CPU    float64 `json:"cpu"`
	Memory int64   `json:"memory"`
	// Unsteady says that the repeats differ in their outcome.
	Unsteady bool `json:"unsteady,omitempty"`
}

// fold makes a cell of the repeats of one tool on one task.
func fold(runs []*result.Run, expected result.Verdict, strict bool) *Cell {
	slices.SortStableFunc(runs, func(a, b *result.Run) int { return cmp.Compare(a.Repeat, b.Repeat) })
	outcomes := make([]Outcome, len(runs))
	count := map[Outcome]int{}
	for i, r := range runs {
		outcomes[i] = outcomeOf(r, expected, strict)
		count[outcomes[i]]++
	}
	worst := slices.MaxFunc(outcomes, func(a, b Outcome) int { return cmp.Compare(a.severity(), b.severity()) })
	chosen := worst
	if worst != Wrong {
		for _, o := range outcomes {
			if 2*count[o] > len(runs) {
				chosen = o
			}
		}
	}
	c := &Cell{Runs: runs, Outcome: chosen, Unsteady: len(count) > 1}
	var wall, cpu, memory []float64
	for i, r := range runs {
		if outcomes[i] != chosen {
			continue
		}
		if c.Verdict == result.None {
			c.Verdict = r.Answer(strict)
		}
		wall, cpu, memory = append(wall, r.Wall), append(cpu, r.CPU), append(memory, float64(r.Memory))
	}
	c.Wall, c.CPU, c.Memory = Median(wall), Median(cpu), int64(Median(memory))
	if c.contradictsItself(strict) {
		c.Outcome, c.Unsteady = Wrong, true
	}
	return c
}

// contradictsItself says whether two repeats answered differently: one of them is wrong, even where the label isn't known.
func (c *Cell) contradictsItself(strict bool) bool { return len(answers(c.Runs, strict)) > 1 }

// answers are the different verdicts among the runs that can be wrong, each as it was said first: safe and sat are the same.
func answers(runs []*result.Run, strict bool) []result.Verdict {
	var all []result.Verdict
	for _, r := range runs {
		if v := r.Answer(strict); isAnswer(v) && !slices.ContainsFunc(all, v.Agrees) {
			all = append(all, v)
		}
	}
	return all
}

// Time is the measure of time by which tools are compared.
type Time string

const (
	// Wall is the time on the clock.
	Wall Time = "wall"
	// CPU is the processor time of the tool's whole process tree.
	CPU Time = "cpu"
)

// Seconds is the cell's time by the measure.
func (c *Cell) Seconds(by Time) float64 {
	if by == Wall {
		return c.Wall
	}
	return c.CPU
}

// limit is the time by the measure that the runs were allowed: for CPU the limit on wall time where there is none on CPU;
// 0 where there is neither.
func limit(l result.Limits, by Time) float64 {
	if by == CPU && l.CPU > 0 || l.Wall == 0 {
		return l.CPU
	}
	return l.Wall
}
