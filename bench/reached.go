package bench

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hornbeam/bench/result"
)

// sized is the name of a task that is an instance of a family: its size, and whether it has the fault.
var sized = regexp.MustCompile(`-(\d+)(-bug)?\.c$`)

// reached is a table of how far each tool came in each family of C programs: the largest size up to which it decided every
// instance rightly, among the sizes that were tried; empty when the experiment has no such families.
func (e *Experiment) reached(runs []*result.Run, tools []string) string {
	var b strings.Builder
	for _, f := range e.Families {
		if len(f.Sizes) == 0 {
			continue
		}
		sizes := slices.Sorted(slices.Values(f.Sizes))
		for _, bug := range []bool{false, true} {
			side := "safe"
			if bug {
				side = "with a bug"
			}
			row := fmt.Sprintf("| %s | %s | %d to %d |", f.Name, side, sizes[0], sizes[len(sizes)-1])
			for _, tool := range tools {
				n := largest(runs, f.Name, bug, tool, sizes)
				switch n {
				case 0:
					row += " none |"
				case sizes[len(sizes)-1]:
					row += fmt.Sprintf(" %d, all |", n)
				default:
					row += fmt.Sprintf(" %d |", n)
				}
			}
			b.WriteString(row + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	head := "| family | side | sizes | " + strings.Join(tools, " | ") + " |\n|:--- |:--- |:--- |" + strings.Repeat(" ---:|", len(tools)) + "\n"
	return "## Sizes reached\n\n" + head + b.String() + "\n"
}

// largest is the largest of the sizes up to which a tool decided every instance rightly, 0 when there is none.
func largest(runs []*result.Run, family string, bug bool, tool string, sizes []int) int {
	right := map[int]bool{}
	for _, r := range runs {
		m := sized.FindStringSubmatch(filepath.Base(r.Task))
		if m == nil || r.Family != family || r.Tool != tool || (m[2] != "") != bug || r.Verdict != r.Expected {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil {
			right[n] = true
		}
	}
	best := 0
	for _, n := range sizes {
		if !right[n] {
			break
		}
		best = n
	}
	return best
}
