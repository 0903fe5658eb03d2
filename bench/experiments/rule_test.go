package experiments

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
	"hornbeam/bench/task"
)

// Every experiment tries the claim of a paper that is known, by rules, so that the report on all can say what became of it.
func TestEveryExperimentHasAPaperAndRules(t *testing.T) {
	papers, err := Papers()
	require.NoError(t, err)
	known := map[string]bool{}
	for _, p := range papers {
		known[p.Name] = true
		require.NotEmpty(t, p.Claim)
	}
	for _, name := range Names() {
		e, err := Load(name)
		require.NoError(t, err)
		require.True(t, known[e.Paper], "%s is of the paper %q", name, e.Paper)
		require.NotEmpty(t, e.Rules, name)
	}
}

// ran has a run for each verdict of each tool on tasks that are safe; a task without an entry was not run.
func ran(verdicts map[string][]result.Verdict) []*result.Run {
	var runs []*result.Run
	for _, tool := range []string{"a", "b"} {
		for k, v := range verdicts[tool] {
			if v == "none" {
				continue
			}
			r := &result.Run{List: "list", Task: fmt.Sprintf("%d.c", k), Tool: tool, Expected: result.Safe, Verdict: v, Status: result.OK, CPU: float64(k + 1)}
			if tool == "b" {
				r.CPU *= 2
			}
			runs = append(runs, r)
		}
	}
	return runs
}

func standing(t *testing.T, r Rule, runs []*result.Run) (Standing, string) {
	t.Helper()
	require.NoError(t, r.check([]string{"a=hornbeam", "b=hornbeam"}))
	e := &Experiment{Rules: []Rule{r}}
	judged, err := e.judged(score.New(runs, score.Options{}), []string{"a", "b"})
	require.NoError(t, err)
	require.Len(t, judged, 1)
	return judged[0].Standing, judged[0].Figures
}

// A count is over the tasks that both tools were run on, and costs over those that both solved.
func TestFiguresAreOfTheSameTasks(t *testing.T) {
	solved := Rule{Says: "x", Figure: Figure{Tool: "a", Measure: "solved"}, Is: More, Than: Figure{Tool: "b", Measure: "solved"}}
	runs := ran(map[string][]result.Verdict{
		"a": {result.Safe, result.Safe, result.Safe, result.Safe, result.Safe, result.Safe},
		"b": {result.Safe, result.Safe, result.Unknown, result.Safe, "none", "none"},
	})
	got, text := standing(t, solved, runs)
	require.Equal(t, Confirmed, got)
	require.Equal(t, "4 solved by a against 3 solved by b, on 4 tasks", text)

	solved.Than.Times = 2
	got, text = standing(t, solved, runs)
	require.Equal(t, NotConfirmed, got)
	require.Contains(t, text, "6 (2 times 3) solved by b")

	time := Rule{Says: "x", Least: 3, Figure: Figure{Tool: "a", Measure: "cpu"}, Is: Less, Than: Figure{Tool: "b", Measure: "cpu"}}
	got, text = standing(t, time, runs)
	require.Equal(t, Confirmed, got)
	require.Equal(t, "7 s of cpu time by a against 14 s of cpu time by b, on 3 tasks that both solve", text)

	of := Rule{Says: "x", Figure: Figure{Tool: "b", Measure: "solved", By: "mean"}, Is: AtLeast, Than: Figure{Value: 0.75}}
	got, _ = standing(t, of, runs)
	require.Equal(t, Confirmed, got)
	of.Than.Value = 0.76
	got, _ = standing(t, of, runs)
	require.Equal(t, NotConfirmed, got)
	of.Figure.In = []string{"1.c", "2.c"}
	of.Least, of.Than.Value = 2, 0.5
	got, text = standing(t, of, runs)
	require.Equal(t, Confirmed, got, text)
	of.Figure.Expected = result.Unsafe
	got, _ = standing(t, of, runs)
	require.Equal(t, NotMeasured, got)
}

// Few tasks, and tasks that no tool solves, say nothing.
func TestTooLittleIsNotMeasured(t *testing.T) {
	r := Rule{Says: "x", Figure: Figure{Tool: "a", Measure: "solved"}, Is: AtLeast, Than: Figure{Tool: "b", Measure: "solved"}}
	three := []result.Verdict{result.Safe, result.Safe, result.Safe}
	got, _ := standing(t, r, ran(map[string][]result.Verdict{"a": three, "b": three}))
	require.Equal(t, NotMeasured, got)
	nothing := []result.Verdict{result.Unknown, result.Unknown, result.Unknown, result.Unknown}
	got, _ = standing(t, r, ran(map[string][]result.Verdict{"a": nothing, "b": nothing}))
	require.Equal(t, NotMeasured, got)
	got, text := standing(t, r, nil)
	require.Equal(t, NotMeasured, got)
	require.Equal(t, "no task that tells", text)
}

// Sizes are compared series by series; a series in which the rule cannot be decided yet does not count.
func TestSizesAreComparedInEachSeries(t *testing.T) {
	e := &Experiment{Families: []Family{{Name: "loop", Sizes: []int{2, 8, 16}}, {Name: "phases", Sizes: []int{2, 8, 16}}},
		Rules: []Rule{{Says: "x", Figure: Figure{Tool: "a", Measure: Reached}, Is: AtLeast, Than: Figure{Tool: "b", Measure: Reached, Times: 4}}}}
	_, byFile, err := e.instances()
	require.NoError(t, err)
	var runs []*result.Run
	run := func(tool, series string, solved ...bool) {
		for k, ok := range solved {
			i := byFile[strings.Replace(series, "SIZE", fmt.Sprintf("%04d", []int{2, 8, 16}[k]), 1)+".smt2"]
			require.NotEmpty(t, i.file)
			verdict := result.None
			if ok {
				verdict, _ = result.ParseVerdict(i.family.Verdict(i.Bug))
			}
			runs = append(runs, made(i, tool, verdict, nil))
		}
	}
	judge := func() Judged {
		judged, err := e.judged(score.New(runs, score.Options{}), []string{"a", "b"})
		require.NoError(t, err)
		return judged[0]
	}
	run("a", "loop-SIZE", true, true, true)
	run("b", "loop-SIZE", true, false)
	run("a", "loop-SIZE-bug", true, true, false)
	run("b", "loop-SIZE-bug", true, true, true)
	require.Equal(t, NotConfirmed, judge().Standing)
	require.Equal(t, "in 1 of 2 series; a reaches 0.5 to 8 times the size of b", judge().Figures)
	// The first tool was not run far enough to tell.
	run("a", "phases-SIZE", true, true)
	run("b", "phases-SIZE", true, true, false)
	require.Contains(t, judge().Figures, "in 1 of 2 series;")
	run("a", "phases-SIZE-bug", true, true, true)
	run("b", "phases-SIZE-bug", false)
	require.Contains(t, judge().Figures, "in 2 of 3 series;")
	e.Rules[0].Figure.Expected = result.Unsat
	require.Contains(t, judge().Figures, "in 1 of 2 series;")
}

func TestStandingsTogether(t *testing.T) {
	require.Equal(t, NotMeasured, Together(nil))
	require.Equal(t, NotMeasured, Together([]Standing{NotMeasured}))
	require.Equal(t, Confirmed, Together([]Standing{Confirmed, NotMeasured, Confirmed}))
	require.Equal(t, NotConfirmed, Together([]Standing{NotConfirmed}))
	require.Equal(t, Mixed, Together([]Standing{Confirmed, NotConfirmed}))
}

func TestARuleThatMakesNoSenseIsRefused(t *testing.T) {
	good := Figure{Tool: "a", Measure: "solved"}
	for want, r := range map[string]Rule{
		"needs a sentence":          {Figure: good, Is: More},
		`"most" is none of more`:    {Says: "x", Figure: good, Is: "most"},
		"the first figure needs":    {Says: "x", Is: More},
		`no tool is called "c"`:     {Says: "x", Figure: Figure{Tool: "c", Measure: "solved"}, Is: More},
		`no measure is called "up"`: {Says: "x", Figure: good, Is: More, Than: Figure{Tool: "a", Measure: "up"}},
		"compared with each other":  {Says: "x", Figure: good, Is: More, Than: Figure{Tool: "a", Measure: Reached}},
	} {
		require.ErrorContains(t, r.check([]string{"a=hornbeam"}), want)
	}
}

// In little time runs have lower limits, so that some tasks fit in; never higher ones, and never none.
func TestLimitsAreLoweredToTheTime(t *testing.T) {
	require.Equal(t, result.Limits{Wall: 5, Memory: 7}, shortened(result.Limits{Wall: 20, Memory: 7}, time.Minute, 2))
	require.Equal(t, result.Limits{Wall: 5}, shortened(result.Limits{}, time.Minute, 2))
	require.Equal(t, result.Limits{Wall: 20, CPU: 5}, shortened(result.Limits{Wall: 300, CPU: 60}, time.Minute, 2))
	require.Equal(t, result.Limits{Wall: 300, CPU: 2}, shortened(result.Limits{Wall: 300, CPU: 2}, time.Minute, 2))
	require.Equal(t, result.Limits{Wall: 1}, shortened(result.Limits{Wall: 20}, time.Second, 9))
}

// The first tasks of the order are from every list and family, and none is lost.
func TestTasksAreSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &Experiment{Families: []Family{{Name: "loop", Sizes: []int{1, 2, 3}}, {Name: "phases", Sizes: []int{5}}}}
		instances, byFile, err := e.instances()
		require.NoError(t, err)
		var tasks []task.Task
		for k := range rapid.IntRange(1, 20).Draw(t, "tasks") {
			tasks = append(tasks, task.Task{List: "l", Name: fmt.Sprintf("%d.c", k)})
		}
		for _, i := range instances {
			tasks = append(tasks, task.Task{List: i.family.Name, Name: i.file})
		}
		ordered := spread(tasks, byFile)
		require.ElementsMatch(t, tasks, ordered)
		lists := map[string]bool{}
		for _, one := range ordered[:3] {
			lists[one.List] = true
		}
		require.Len(t, lists, 3)
		last := 0
		for _, one := range ordered {
			if one.List == "loop" {
				require.GreaterOrEqual(t, byFile[one.Name].Size, last)
				last = byFile[one.Name].Size
			}
		}
	})
}
