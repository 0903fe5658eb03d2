package score

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"hornbeam/bench/result"
)

// Tool is a column of a board: the runs of one program in one version with one set of options under one set of limits.
type Tool struct {
	// Label tells the tool from all others of its board: its name, and behind it what differs from those of the same name.
	Label   string        `json:"label"`
	Name    string        `json:"name"`
	Version string        `json:"version,omitempty"`
	Options []string      `json:"options,omitempty"`
	Limits  result.Limits `json:"limits"`
}

// aspects are what can differ between runs of one name, in the order in which it is used to tell them apart.
var aspects = []struct {
	what string
	of   func(*result.Run) string
}{
	{"versions", func(r *result.Run) string { return r.Version }},
	{"builds", func(r *result.Run) string { return "build " + r.Binary }},
	{"limits", func(r *result.Run) string { return DescribeLimits(r.Limits) }},
	{"options", func(r *result.Run) string { return strings.Join(r.Options, " ") }},
}

// variant is a set of runs that makes a column.
type variant struct {
	label []string
	runs  []*result.Run
}

// variants divides the runs of one name into columns. An aspect divides them only if a task was run with two of its
// values: an option that follows from the task (the data model, say) does not divide a tool. What is kept together
// although it differs is noted.
func variants(name string, runs []*result.Run) (divided []variant, notes []string) {
	divided = []variant{{nil, runs}}
	for _, aspect := range aspects {
		var next []variant
		for _, v := range divided {
			values, parts := partition(v.runs, aspect.of)
			if !overlap(parts) {
				if len(values) > 1 && !byKind(parts) {
					notes = append(notes, fmt.Sprintf("%s was run with different %s on different tasks, taken together here: %s", name, aspect.what, some(values)))
				}
				next = append(next, v)
				continue
			}
			for i, value := range values {
				next = append(next, variant{append(slices.Clone(v.label), value), parts[i]})
			}
		}
		divided = next
	}
	return divided, notes
}

// byKind says whether the parts have different kinds of files: a tool may have other arguments for other kinds.
func byKind(parts [][]*result.Run) bool {
	owner := map[string]int{}
	for i, part := range parts {
		for _, r := range part {
			kind := path.Ext(r.Task)
			if o, ok := owner[kind]; ok && o != i {
				return false
			}
			owner[kind] = i
		}
	}
	return true
}

// some are the first few of the values, and how many more there are.
func some(values []string) string {
	const few = 3
	if more := len(values) - few; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(values[:few], "; "), more)
	}
	return strings.Join(values, "; ")
}

// partition divides the runs by the aspect's value, in the order in which the values appear.
func partition(runs []*result.Run, of func(*result.Run) string) (values []string, parts [][]*result.Run) {
	at := map[string]int{}
	for _, r := range runs {
		value := of(r)
		i, ok := at[value]
		if !ok {
			i = len(values)
			at[value] = i
			values, parts = append(values, value), append(parts, nil)
		}
		parts[i] = append(parts[i], r)
	}
	return values, parts
}

// overlap says whether two of the parts have a task in common.
func overlap(parts [][]*result.Run) bool {
	owner := map[result.Subject]int{}
	for i, part := range parts {
		for _, r := range part {
			if o, ok := owner[r.Subject()]; ok && o != i {
				return true
			}
			owner[r.Subject()] = i
		}
	}
	return false
}

// DescribeLimits says the limits in a few words.
func DescribeLimits(l result.Limits) string {
	var parts []string
	if l.Wall > 0 {
		parts = append(parts, fmt.Sprintf("%g s wall", l.Wall))
	}
	if l.CPU > 0 {
		parts = append(parts, fmt.Sprintf("%g s CPU", l.CPU))
	}
	if l.Memory > 0 {
		parts = append(parts, fmt.Sprintf("%.4g GiB", float64(l.Memory)/(1<<30)))
	}
	switch {
	case l.Cores == 1:
		parts = append(parts, "1 core")
	case l.Cores > 1:
		parts = append(parts, fmt.Sprintf("%d cores", l.Cores))
	}
	if parts == nil {
		return "no limits"
	}
	return strings.Join(parts, ", ")
}
