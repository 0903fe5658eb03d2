package experiments

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/table"
)

// made is a run of a tool on an instance, with its counters and a second of CPU time.
func made(i instance, tool string, verdict result.Verdict, counters map[string]float64) *result.Run {
	expected, _ := result.ParseVerdict(i.family.Verdict(i.Bug))
	r := &result.Run{List: i.family.Name, Task: i.file, Family: i.family.Name, Tool: tool, Expected: expected, Verdict: verdict,
		Status: result.OK, CPU: 1, Wall: 2, Counters: counters}
	if verdict == result.None {
		r.Status = result.Timeout
	}
	return r
}

func drawn(t *testing.T, e *Experiment, runs []*result.Run, tools ...string) string {
	t.Helper()
	sheets, err := e.sheets(score.New(runs, score.Options{}), tools)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, table.Write(&out, table.Markdown, sheets))
	return out.String()
}

// Every experiment that comes with the program can be read, and names its tables' tools and measures as they are.
func TestExperimentsLoad(t *testing.T) {
	require.NotEmpty(t, Names())
	for _, name := range Names() {
		_, err := Load(name)
		require.NoError(t, err)
	}
}

// A size counts when it and every smaller one was decided rightly, by this tool, on this side.
func TestSizesReached(t *testing.T) {
	e := &Experiment{Families: []Family{{Name: "string-copy", Sizes: []int{8, 4, 16}}, {Name: "loop", Sizes: []int{1}}}}
	_, byFile, err := e.instances()
	require.NoError(t, err)
	run := func(n int, bug bool, tool string, verdict result.Verdict) *result.Run {
		name := fmt.Sprintf("string-copy-%04d.c", n)
		if bug {
			name = fmt.Sprintf("string-copy-%04d-bug.c", n)
		}
		require.Contains(t, byFile, name)
		return made(byFile[name], tool, verdict, nil)
	}
	runs := []*result.Run{
		run(4, false, "a", result.Safe), run(8, false, "a", result.Safe), run(16, false, "a", result.Safe),
		run(4, false, "b", result.Safe), run(8, false, "b", result.Unknown), run(16, false, "b", result.Safe),
		run(4, true, "a", result.Unsafe), run(8, true, "a", result.Safe), run(4, true, "b", result.None),
	}
	require.Equal(t, `## Sizes reached

| family | side | a | not | b | not | a / b |
|:--- |:--- | ---:|:--- | ---:|:--- | ---:|
| string-copy | safe | ≥ 16 (1.0 s) |  | 4 (1.0 s) | 8: unknown | ≥ 4.0 |
| string-copy | bug | 4 (1.0 s) WRONG | 8: wrong | none | 4: timeout | – |
`, drawn(t, e, runs, "a", "b"))
}

// A search ends within an eighth of the largest size that is decided, whichever that is, and makes few runs; a search that was
// interrupted goes on from the runs that were made.
func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 5000).Draw(t, "limit")
		truth := rapid.IntRange(0, 6000).Draw(t, "truth")
		e := &Experiment{Families: []Family{{Name: "loop", Largest: limit, Side: "safe"}}}
		all, byFile, err := e.instances()
		require.NoError(t, err)
		s, runs := newSearch(byFile), []*result.Run(nil)
		for k, i := range all {
			require.LessOrEqual(t, i.Size, limit)
			r := made(i, "a", result.None, nil)
			if !s.Needed(r) {
				continue
			}
			if i.Size <= truth {
				r = made(i, "a", result.Sat, nil)
			}
			s.Made(r)
			runs = append(runs, r)
			if k == len(all)/2 {
				s = newSearch(byFile)
				for _, r := range runs {
					s.Made(r)
				}
			}
		}
		b := s.bounds[[2]string{"a", "loop"}]
		require.LessOrEqual(t, b.solved, truth)
		if b.failed > 0 {
			require.Greater(t, b.failed, truth)
			require.LessOrEqual(t, b.failed-b.solved, max(1, b.solved/8))
		} else {
			require.Greater(t, 9*b.solved, 8*limit-8)
		}
		require.LessOrEqual(t, len(runs), 20)
		other := made(all[0], "b", result.None, nil)
		require.True(t, s.Needed(other), "another tool has a search of its own")
	})
}

func TestOnlySearchedFamiliesAreSearched(t *testing.T) {
	e := &Experiment{Families: []Family{{Name: "loop", Sizes: []int{1, 2}}}}
	all, byFile, err := e.instances()
	require.NoError(t, err)
	s := newSearch(byFile)
	s.Made(made(all[0], "a", result.None, nil))
	require.True(t, s.Needed(made(all[2], "a", result.None, nil)))
	require.True(t, s.Needed(&result.Run{Task: "elsewhere.smt2", Tool: "a"}))
}

func TestATableByInstance(t *testing.T) {
	e := &Experiment{
		Families: []Family{{Name: "locks", Sizes: []int{4}, Relevant: []int{2}, Irrelevant: []int{3, 14}}},
		Tables: []Table{{Title: "Checks", Labels: []string{"side", "variables", "relevant"}, Columns: []Column{
			{Head: "seconds", Tool: "a", Measure: "cpu"}, {Head: "groups", Tool: "a", Measure: "inline.tracked"}, {Head: "other", Tool: "b", Measure: "inline.tracked"}}}},
	}
	require.Equal(t, []string{"inline.tracked"}, e.counters())
	all, _, err := e.instances()
	require.NoError(t, err)
	require.Len(t, all, 4)
	runs := []*result.Run{
		made(all[0], "a", result.Sat, map[string]float64{"inline.tracked": 6}), made(all[1], "a", result.Sat, nil), made(all[2], "a", result.None, map[string]float64{"inline.tracked": 7}),
		made(all[0], "b", result.Sat, nil),
	}
	require.Equal(t, `## Checks

| side | variables | relevant | seconds | groups | other |
|:--- | ---:| ---:| ---:| ---:| ---:|
| safe | 5 | 2 | 1.00 | 6 | – |
| bug | 5 | 2 | WRONG | WRONG | – |
| safe | 16 | 2 | – | – | – |
| bug | 16 | 2 | – | – | – |
`, drawn(t, e, runs, "a", "b"))
}

// Counts, sums and means over the tasks of a folder: those of Table 2 of "Counterexample-Guided Bit-Precision Selection".
func TestATableByGroup(t *testing.T) {
	e, err := Load("bit-precision")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"bits.spurious", "bits.rounds"}, e.counters())
	var runs []*result.Run
	add := func(tool string, expected, verdict result.Verdict, seconds, rounds, spurious float64) {
		r := &result.Run{List: "list", Task: fmt.Sprintf("folder/%d.c", len(runs)), Tool: tool, Expected: expected, Verdict: verdict, Status: result.OK, Wall: seconds}
		if verdict == result.None {
			r.Status = result.Timeout
		}
		if rounds > 0 {
			r.Counters = map[string]float64{"bits.rounds": rounds, "bits.spurious": spurious}
		}
		runs = append(runs, r)
	}
	add("cexg", result.Safe, result.Safe, 1, 3, 2)
	add("cexg", result.Unsafe, result.Unsafe, 3, 2, 1)
	add("cexg", result.Safe, result.Unsafe, 1, 1, 0)
	add("cexg", result.Safe, result.None, 15, 0, 0)
	add("cexg", result.Safe, result.Unknown, 15, 2, 1)
	add("nobv", result.Safe, result.Unknown, 1, 1, 1)
	text := drawn(t, e, runs, "cexg", "nobv")
	require.Contains(t, text, "| list/folder | cexg | 5 | 2 | 1 | 1 | 1 | 4 | 2 | 1 | 2.50 | 2.00 |\n")
	require.Contains(t, text, "| list/folder | nobv | 1 | 0 | 0 | 0 | 1 | 1 | 1 | 0 | 0.00 | 0.00 |\n")
	require.NotContains(t, text, "| all |", "there is one group")
	require.NotContains(t, text, "Sizes reached")
}

// Percentages and weighted points are means over folders, in which each counts as much, as in Table 1 of the same paper.
func TestATableOverFolders(t *testing.T) {
	e := &Experiment{Tables: []Table{{Columns: []Column{
		{Head: "points", Measure: "points", By: "weighted"}, {Head: "right", Measure: "solved", By: "percent"}, {Head: "alarms", Measure: "wrong", Expected: "safe", By: "percent"}}}}}
	var runs []*result.Run
	add := func(folder string, expected, verdict result.Verdict) {
		runs = append(runs, &result.Run{List: "list", Task: fmt.Sprintf("%s/%d.c", folder, len(runs)), Tool: "a", Expected: expected, Verdict: verdict, Status: result.OK})
	}
	add("one", result.Safe, result.Safe)
	for range 3 {
		add("two", result.Unsafe, result.Unsafe)
	}
	add("two", result.Safe, result.Unsafe)
	// 2/1 and (3-16)/4 points a task, times 5/2; 100 and 75 percent; 0 and 25 percent.
	require.Contains(t, drawn(t, e, runs, "a"), "| all | a | -3.12 | 87.50 | 12.50 |\n")
	require.Contains(t, drawn(t, e, runs, "a"), "| list/two | a | -13.00 | 75.00 | 25.00 |\n")
	rule := Rule{Says: "x", Figure: Figure{Tool: "a", Measure: "wrong", Expected: result.Safe, By: "percent"}, Is: AtMost, Than: Figure{Value: 12.5}}
	got, text := standing(t, rule, runs)
	require.Equal(t, Confirmed, got)
	require.Contains(t, text, "12.5 % wrong of what is safe by a")
}

func TestATableThatMakesNoSenseIsRefused(t *testing.T) {
	for want, table := range map[string]Table{
		`no label is called "depth"`:      {Labels: []string{"depth"}},
		`no measure is called "luck"`:     {Columns: []Column{{Measure: "luck"}}},
		`"most" is none of`:               {Columns: []Column{{Measure: "wall", By: "most"}}},
		"a tool belongs to a column":      {Columns: []Column{{Measure: "wall", Tool: "a"}}},
		`no tool is called "b"`:           {Labels: []string{"size"}, Columns: []Column{{Measure: "wall", Tool: "b"}}},
		`a tool belongs to a column of a`: {Labels: []string{"size"}, Columns: []Column{{Measure: "wall"}}},
	} {
		require.ErrorContains(t, table.check([]string{"a=hornbeam"}), want)
	}
}

// An experiment's C programs are written with their verdicts, and are tasks that a tool for C reads.
func TestExperimentOfPrograms(t *testing.T) {
	e, err := Load("families")
	require.NoError(t, err)
	r := &bench.Request{}
	absent, err := e.Prepare(r, Options{Results: t.TempDir()})
	require.NoError(t, err)
	require.Empty(t, absent)
	require.Nil(t, r.Config.Search)
	expected := map[result.Verdict]int{}
	for _, task := range r.Chosen {
		expected[task.Expected]++
	}
	require.Equal(t, expected[result.Safe], expected[result.Unsafe])
	require.Equal(t, len(r.Chosen), 2*expected[result.Safe])
	require.ErrorContains(t, WriteFamily("towers", []int{4}, t.TempDir()), "towers")
}
