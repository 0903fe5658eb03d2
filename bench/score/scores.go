package score

import (
	"cmp"
	"encoding/json"
	"math"
)

// Scores are all figures of a board.
type Scores struct {
	Tools []Tool   `json:"tools"`
	Notes []string `json:"notes"`
	// Missing are tools that were asked for and are not installed.
	Missing []string `json:"missing"`
	// Overall has a summary for each tool and, from two tools on, the virtual best one. Tracks has the same for each
	// track, Families for each family of each track; each is empty where it would only repeat what is above it.
	Overall  []Summary `json:"overall"`
	Tracks   []Summary `json:"tracks"`
	Families []Summary `json:"families"`
	// Ratios compare every two tools, overall and then for each track.
	Ratios []Ratio `json:"ratios"`

	Wrong         []Finding `json:"wrong"`
	Disagreements []Finding `json:"disagreements"`
	Unsteady      []Finding `json:"unsteady"`
}

// Of computes all figures.
func Of(b *Board) *Scores {
	s := &Scores{
		Tools: b.Tools, Notes: append([]string{}, b.Notes...), Missing: append([]string{}, b.Missing...),
		Overall: summaries(b, Group{}, b.Tasks), Tracks: []Summary{}, Families: []Summary{},
		Ratios: append([]Ratio{}, ratios(b, Group{}, b.Tasks)...),
		Wrong:  b.WrongVerdicts(), Disagreements: b.Disagreements(), Unsteady: b.Unsteady(),
	}
	tracks := divide(b.Tasks, func(t *Task) string { return cmp.Or(t.Track, "-") })
	for _, track := range tracks {
		if len(tracks) > 1 {
			g := Group{Track: track.name}
			s.Tracks = append(s.Tracks, summaries(b, g, track.tasks)...)
			s.Ratios = append(s.Ratios, ratios(b, g, track.tasks)...)
		}
		if families := divide(track.tasks, func(t *Task) string { return cmp.Or(t.Family, "-") }); len(families) > 1 {
			for _, family := range families {
				s.Families = append(s.Families, summaries(b, Group{track.name, family.name}, family.tasks)...)
			}
		}
	}
	return s
}

// summaries has the tools' summaries, and the virtual best where there is something to choose.
func summaries(b *Board, g Group, tasks []*Task) []Summary {
	all := []Summary{}
	for i := range b.Tools {
		all = append(all, summarise(b, i, g, tasks))
	}
	if len(b.Tools) > 1 {
		all = append(all, virtualBest(b, g, tasks))
	}
	return all
}

type part struct {
	name  string
	tasks []*Task
}

// divide groups the tasks by name; the tasks' order keeps groups together, and theirs is the groups' order.
func divide(tasks []*Task, of func(*Task) string) []part {
	var parts []part
	for _, t := range tasks {
		if name := of(t); len(parts) == 0 || parts[len(parts)-1].name != name {
			parts = append(parts, part{name, []*Task{t}})
			continue
		}
		parts[len(parts)-1].tasks = append(parts[len(parts)-1].tasks, t)
	}
	return parts
}

// MarshalJSON writes the means too, null where there is none.
func (s Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	return json.Marshal(struct {
		plain
		PAR2Wall *float64 `json:"par2Wall"`
		PAR2CPU  *float64 `json:"par2CPU"`
		// CPUPerSolved is CPU by Solved.
		CPUPerSolved *float64 `json:"cpuPerSolved"`
	}{plain(s), number(s.PAR2Wall), number(s.PAR2CPU), number(s.CPUPerSolved())})
}

func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
