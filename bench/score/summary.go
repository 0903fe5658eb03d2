package score

import (
	"math"

	"hornbeam/bench/result"
)

// SV-COMP's scoring schema: a proof is the verdict safe (sat), an alarm the verdict unsafe (unsat).
const (
	pointsProof      = 2
	pointsBug        = 1
	pointsWrongProof = -32
	pointsWrongAlarm = -16
)

// chcCompPenalty is what the tables of CHC-COMP take off for a wrong answer where they are set to punish.
const chcCompPenalty = 64

// soon is a second, of which the share of tasks that are solved in it is told.
const soon = 1.0

// Group names the tasks that a figure is over. An empty Track stands for all tracks, an empty Family for all families of
// the track; tasks that have no family are in the family "-".
type Group struct {
	Track  string `json:"track,omitempty"`
	Family string `json:"family,omitempty"`
}

// Summary is one tool's figures on a group of tasks.
type Summary struct {
	Group
	Tool string `json:"tool"`
	// Tasks is the size of the group, Run how many of them the tool was run on.
	Tasks int `json:"tasks"`
	Run   int `json:"run"`

	// Solved = Sat + Unsat + Rejected: the verdict is the expected one. Safe counts as sat, unsafe as unsat; Rejected are
	// malformed inputs that were refused, as they should be.
	Solved   int `json:"solved"`
	Sat      int `json:"sat"`
	Unsat    int `json:"unsat"`
	Rejected int `json:"rejected,omitempty"`
	// The other outcomes; Run is the sum of Solved and these.
	Wrong       int `json:"wrong"`
	Unconfirmed int `json:"unconfirmed"`
	Unknown     int `json:"unknown"`
	Timeouts    int `json:"timeouts"`
	MemoryOuts  int `json:"memoryOuts"`
	Errors      int `json:"errors"`
	// Soon is how many are solved within a second of wall time.
	Soon int `json:"soon"`
	// Unsteady is the number of tasks whose repeats differ in their outcome.
	Unsteady int `json:"unsteady"`
	// Unique is the number of tasks that this tool solved and no other tool that was run on them; -1 where there is none.
	Unique int `json:"unique"`

	// PAR2Wall and PAR2CPU are the mean time in seconds over the tasks run, a task that isn't solved counting as twice
	// the limit; NaN without tasks.
	PAR2Wall float64 `json:"-"`
	PAR2CPU  float64 `json:"-"`
	// Wall and CPU are the sums over all tasks run, in seconds; Memory is the highest use, in bytes, and 0 for the virtual
	// best tool, which is several.
	Wall   float64 `json:"wall"`
	CPU    float64 `json:"cpu"`
	Memory int64   `json:"memory"`

	// Points are SV-COMP's: +2 a proof, +1 a bug, -32 a wrong proof, -16 a wrong alarm.
	Points int `json:"points"`
	// CHCSat and CHCUnsat are CHC-COMP's counts: answers that aren't known to be wrong. Where no verdict is known, an
	// answer counts unless another tool contradicts it. CHCPunished takes 64 off for each wrong one.
	CHCSat      int `json:"chcSat"`
	CHCUnsat    int `json:"chcUnsat"`
	CHCPunished int `json:"chcPunished"`
}

// PAR2 is the penalised mean time by the measure.
func (s Summary) PAR2(by Time) float64 {
	if by == Wall {
		return s.PAR2Wall
	}
	return s.PAR2CPU
}

// CPUPerSolved is the CPU time of all tasks run by the number of those that are solved, in seconds; NaN where none is.
func (s Summary) CPUPerSolved() float64 {
	if s.Solved == 0 {
		return math.NaN()
	}
	return s.CPU / float64(s.Solved)
}

// Points are SV-COMP's for the cell of a task.
func Points(t *Task, c *Cell) int {
	said := c.Verdict.Canonical()
	switch {
	case c.Outcome == Solved && said == result.Sat:
		return pointsProof
	case c.Outcome == Solved && said == result.Unsat:
		return pointsBug
	case c.Outcome != Wrong:
		return 0
	case said == result.Sat && isAnswer(t.Expected):
		return pointsWrongProof
	}
	// An alarm, the refusal of a good input, or verdicts that contradict each other where none is known.
	return pointsWrongAlarm
}

// summarise is the figures of the board's i-th tool on the tasks.
func summarise(b *Board, i int, g Group, tasks []*Task) Summary {
	s := Summary{Group: g, Tool: b.Tools[i].Label, Tasks: len(tasks), PAR2Wall: math.NaN(), PAR2CPU: math.NaN()}
	if len(b.Tools) < 2 {
		s.Unique = -1
	}
	var wall, cpu float64
	for _, t := range tasks {
		c := t.Cells[i]
		if c == nil {
			continue
		}
		s.count(t, c)
		if c.Outcome == Solved && c.Wall <= soon {
			s.Soon++
		}
		if c.Outcome == Solved && len(b.Tools) > 1 && onlyOne(t) {
			s.Unique++
		}
		wall, cpu = wall+penalised(c, Wall), cpu+penalised(c, CPU)
		s.Wall, s.CPU = s.Wall+c.Wall, s.CPU+c.CPU
		for _, r := range c.Runs {
			s.Memory = max(s.Memory, r.Memory)
		}
		s.Points += Points(t, c)
		switch said := c.Verdict.Canonical(); {
		case c.Outcome == Wrong:
			s.CHCPunished -= chcCompPenalty
		case c.Outcome == Unconfirmed && b.disputed(t):
		case c.Outcome.Answered() && said == result.Sat:
			s.CHCSat++
		case c.Outcome.Answered() && said == result.Unsat:
			s.CHCUnsat++
		}
	}
	s.CHCPunished += s.CHCSat + s.CHCUnsat
	if s.Run > 0 {
		s.PAR2Wall, s.PAR2CPU = wall/float64(s.Run), cpu/float64(s.Run)
	}
	return s
}

// count counts the cell by its outcome.
func (s *Summary) count(t *Task, c *Cell) {
	s.Run++
	if c.Unsteady {
		s.Unsteady++
	}
	switch c.Outcome {
	case Solved:
		s.Solved++
		switch t.Expected.Canonical() {
		case result.Sat:
			s.Sat++
		case result.Unsat:
			s.Unsat++
		default:
			s.Rejected++
		}
	case Wrong:
		s.Wrong++
	case Unconfirmed:
		s.Unconfirmed++
	case Unknown:
		s.Unknown++
	case Timeout:
		s.Timeouts++
	case MemoryOut:
		s.MemoryOuts++
	case Failed:
		s.Errors++
	}
}

// penalised is the cell's time by the measure if it is solved, and otherwise twice the limit; without a limit, twice the
// time that was taken.
func penalised(c *Cell, by Time) float64 {
	if c.Outcome == Solved {
		return c.Seconds(by)
	}
	if l := limit(c.Runs[0].Limits, by); l > 0 {
		return 2 * l
	}
	return 2 * c.Seconds(by)
}

// onlyOne says whether exactly one of the tools that were run on the task solved it, and there was another one.
func onlyOne(t *Task) bool {
	solved, run := 0, 0
	for _, c := range t.Cells {
		if c != nil {
			run++
			if c.Outcome == Solved {
				solved++
			}
		}
	}
	return solved == 1 && run > 1
}

// VirtualBest is the name of the tool that takes for each task the best of all tools.
const VirtualBest = "virtual best"

// virtualBest is the figures of an oracle that always chooses the tool that solves the task in the least time. It is never
// wrong; on a task that nobody solves it takes what the quickest tool took, and counts as the penalty of the most patient.
func virtualBest(b *Board, g Group, tasks []*Task) Summary {
	s := Summary{Group: g, Tool: VirtualBest, Tasks: len(tasks), Unique: -1, PAR2Wall: math.NaN(), PAR2CPU: math.NaN()}
	var wall, cpu float64
	for _, t := range tasks {
		best := bestCell(t)
		if best == nil {
			continue
		}
		s.count(t, best)
		s.Points += Points(t, best)
		switch said := best.Verdict.Canonical(); {
		case best.Outcome == Unconfirmed && b.disputed(t):
		case best.Outcome.Answered() && said == result.Sat:
			s.CHCSat++
		case best.Outcome.Answered() && said == result.Unsat:
			s.CHCUnsat++
		}
		leastWall, leastCPU := math.Inf(1), math.Inf(1)
		penaltyWall, penaltyCPU := 0.0, 0.0
		for _, c := range t.Cells {
			if c == nil {
				continue
			}
			penaltyWall, penaltyCPU = max(penaltyWall, penalised(c, Wall)), max(penaltyCPU, penalised(c, CPU))
			if best.Outcome == Solved && c.Outcome != Solved {
				continue
			}
			leastWall, leastCPU = min(leastWall, c.Wall), min(leastCPU, c.CPU)
		}
		s.Wall, s.CPU = s.Wall+leastWall, s.CPU+leastCPU
		if best.Outcome == Solved {
			penaltyWall, penaltyCPU = leastWall, leastCPU
			if leastWall <= soon {
				s.Soon++
			}
		}
		wall, cpu = wall+penaltyWall, cpu+penaltyCPU
	}
	s.CHCPunished = s.CHCSat + s.CHCUnsat
	if s.Run > 0 {
		s.PAR2Wall, s.PAR2CPU = wall/float64(s.Run), cpu/float64(s.Run)
	}
	return s
}

// bestCell is the mildest outcome that a tool had on the task; where all are wrong, it is no answer. It is nil if no tool
// was run on the task.
func bestCell(t *Task) *Cell {
	var best *Cell
	for _, c := range t.Cells {
		if c != nil && (best == nil || c.Outcome.severity() < best.Outcome.severity()) {
			best = c
		}
	}
	if best != nil && best.Outcome == Wrong {
		return &Cell{Runs: best.Runs, Outcome: Unknown, Wall: best.Wall, CPU: best.CPU}
	}
	return best
}
