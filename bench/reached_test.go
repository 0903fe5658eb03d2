package bench

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/result"
)

// A size counts when it and every smaller one was decided rightly, by this tool, on this side.
func TestReached(t *testing.T) {
	e := &Experiment{Families: []ExperimentFamily{{Name: "copy", Sizes: []int{8, 4, 16}}, {Name: "other", Depths: []int{1}}}}
	run := func(n int, bug bool, tool string, verdict result.Verdict) *result.Run {
		r := &result.Run{Task: fmt.Sprintf("copy/copy-%04d.c", n), Family: "copy", Tool: tool, Expected: result.Safe, Verdict: verdict}
		if bug {
			r.Task, r.Expected = fmt.Sprintf("copy/copy-%04d-bug.c", n), result.Unsafe
		}
		return r
	}
	runs := []*result.Run{
		run(4, false, "a", result.Safe), run(8, false, "a", result.Safe), run(16, false, "a", result.Safe),
		run(4, false, "b", result.Safe), run(8, false, "b", result.Unknown), run(16, false, "b", result.Safe),
		run(4, true, "a", result.Unsafe), run(8, true, "a", result.Safe), run(4, true, "b", ""),
	}
	require.Equal(t, `## Sizes reached

| family | side | sizes | a | b |
|:--- |:--- |:--- | ---:| ---:|
| copy | safe | 4 to 16 | 16, all | 4 |
| copy | with a bug | 4 to 16 | 4 | none |

`, e.reached(runs, []string{"a", "b"}))
	require.Empty(t, (&Experiment{Families: e.Families[1:]}).reached(runs, []string{"a"}))
}

// An experiment's C programs are written with their verdicts, and are tasks that a tool for C reads.
func TestExperimentOfPrograms(t *testing.T) {
	e, err := LoadExperiment("families")
	require.NoError(t, err)
	tasks, absent, err := e.Tasks(nil, t.TempDir())
	require.NoError(t, err)
	require.Empty(t, absent)
	expected := map[result.Verdict]int{}
	for _, task := range tasks {
		expected[task.Expected]++
	}
	require.Equal(t, expected[result.Safe], expected[result.Unsafe])
	require.Equal(t, len(tasks), 2*expected[result.Safe])
	_, err = (&ExperimentFamily{Name: "towers", Sizes: []int{4}}).tasks(t.TempDir())
	require.ErrorContains(t, err, "towers")
}
