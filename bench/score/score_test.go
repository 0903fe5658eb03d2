package score_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/internal/resulttest"
	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

const (
	none    = result.None
	sat     = result.Sat
	unsat   = result.Unsat
	safe    = result.Safe
	unsafe  = result.Unsafe
	unknown = result.Unknown
	reject  = result.Reject
)

var run = resulttest.Run

// with changes a run.
func with(r *result.Run, change func(*result.Run)) *result.Run {
	change(r)
	return r
}

func ended(r *result.Run, status result.Status) *result.Run {
	return with(r, func(r *result.Run) { r.Status = status })
}

func repeat(n int, r *result.Run) *result.Run {
	return with(r, func(r *result.Run) { r.Repeat = n })
}

func of(runs ...*result.Run) *score.Scores { return score.Of(score.New(runs, score.Options{})) }

// The example is small enough for every figure to be computed by hand. Limits are 20 s.
//
//	task  expected   a               b
//	t1    sat        sat 1 s         sat 4 s
//	t2    sat        timeout 20 s    sat 10 s
//	t3    unsat      unsat 2 s       unsat 1 s
//	t4    unsat      sat 3 s WRONG   unknown 5 s
//	t5    sat        unsat 1 s WRONG crash 0.5 s
//	t6    (none)     sat 1 s         unsat 1 s
//	t7    unsat      unsat 8 s       memory-out 6 s
func example() []*result.Run {
	return []*result.Run{
		run("a", "t1", sat, sat, 1), run("b", "t1", sat, sat, 4),
		run("a", "t2", sat, none, 20), run("b", "t2", sat, sat, 10),
		run("a", "t3", unsat, unsat, 2), run("b", "t3", unsat, unsat, 1),
		run("a", "t4", unsat, sat, 3), run("b", "t4", unsat, unknown, 5),
		run("a", "t5", sat, unsat, 1), ended(run("b", "t5", sat, none, 0.5), result.Crash),
		run("a", "t6", none, sat, 1), run("b", "t6", none, unsat, 1),
		run("a", "t7", unsat, unsat, 8), ended(run("b", "t7", unsat, none, 6), result.MemoryOut),
	}
}

func TestFiguresOfASmallExampleAreThoseComputedByHand(t *testing.T) {
	s := of(example()...)
	require.Len(t, s.Overall, 3)
	a, b, best := s.Overall[0], s.Overall[1], s.Overall[2]

	require.Equal(t, score.Summary{
		Tool: "a", Tasks: 7, Run: 7, Solved: 3, Sat: 1, Unsat: 2, Wrong: 2, Unconfirmed: 1, Timeouts: 1, Soon: 1, Unique: 1,
		PAR2Wall: (1.0 + 40 + 2 + 40 + 40 + 40 + 8) / 7, PAR2CPU: (1.0 + 40 + 2 + 40 + 40 + 40 + 8) / 7,
		Wall: 36, CPU: 36, Memory: 50 << 20,
		Points: 2 + 1 - 32 - 16 + 1, CHCSat: 1, CHCUnsat: 2, CHCPunished: 3 - 2*64,
	}, a)
	require.Equal(t, score.Summary{
		Tool: "b", Tasks: 7, Run: 7, Solved: 3, Sat: 2, Unsat: 1, Unconfirmed: 1, Unknown: 1, MemoryOuts: 1, Errors: 1, Soon: 1, Unique: 1,
		PAR2Wall: (4.0 + 10 + 1 + 4*40) / 7, PAR2CPU: (4.0 + 10 + 1 + 4*40) / 7,
		Wall: 27.5, CPU: 27.5, Memory: 50 << 20,
		Points: 2 + 2 + 1, CHCSat: 2, CHCUnsat: 1, CHCPunished: 3,
	}, b)
	require.Equal(t, score.VirtualBest, best.Tool)
	require.Equal(t, []int{4, 2, 2, 0, 1, 2 + 2 + 1 + 1, 2, 2, 4}, []int{best.Solved, best.Sat, best.Unsat, best.Wrong, best.Unconfirmed, best.Points, best.CHCSat, best.CHCUnsat, best.CHCPunished})
	require.Equal(t, []int{1, 1, 2}, []int{a.Soon, b.Soon, best.Soon}, "t1 by a, t3 by b")
	require.Equal(t, 36.0/3, a.CPUPerSolved())
	require.True(t, math.IsNaN(score.Summary{CPU: 1}.CPUPerSolved()))
	require.InDelta(t, (1.0+10+1+40+40+40+8)/7, best.PAR2Wall, 1e-12)
	require.InDelta(t, (1.0+10+1+40+40+40+8)/7, best.PAR2CPU, 1e-12)

	// t1: 1/4, t3: 2/1; type 7 quartiles of {0.25, 2}.
	require.Equal(t, []score.Ratio{{A: "a", B: "b", Tasks: 2, Q1: 0.6875, Median: 1.125, Q3: 1.5625, GeometricMean: math.Sqrt(0.5)}}, s.Ratios)

	require.Equal(t, []score.Finding{
		{List: "list", Task: "t4", Track: "list", Expected: unsat, Answers: []score.Answer{{"a", sat}}},
		{List: "list", Task: "t5", Track: "list", Expected: sat, Answers: []score.Answer{{"a", unsat}}},
	}, s.Wrong)
	require.Equal(t, []score.Finding{{List: "list", Task: "t6", Track: "list", Answers: []score.Answer{{"a", sat}, {"b", unsat}}}}, s.Disagreements)
	require.Empty(t, s.Unsteady)
	require.Contains(t, s.Notes, "no verdict is known of 1 of 7 tasks: answers there are counted as unconfirmed, not as solved")
}

func TestWallAndCPUTimeAreKeptApart(t *testing.T) {
	r := with(run("a", "t", sat, sat, 4), func(r *result.Run) { r.CPU, r.Limits.CPU = 7, 15 })
	late := with(run("a", "u", sat, none, 20), func(r *result.Run) { r.CPU, r.Limits.CPU = 15, 15 })
	s := of(r, late).Overall[0]
	require.Equal(t, []float64{(4.0 + 40) / 2, (7.0 + 30) / 2, 24, 22}, []float64{s.PAR2Wall, s.PAR2CPU, s.Wall, s.CPU})
	require.Equal(t, s.PAR2Wall, s.PAR2(score.Wall))
	require.Equal(t, s.PAR2CPU, s.PAR2(score.CPU))

	late.Limits.CPU, r.Limits.CPU = 0, 0
	require.Equal(t, (7.0+40)/2, of(r, late).Overall[0].PAR2CPU, "without a limit on CPU time the one on wall time counts")
	late.Limits, r.Limits = result.Limits{}, result.Limits{}
	require.Equal(t, (4.0+2*20)/2, of(r, late).Overall[0].PAR2Wall, "without limits the time counts twice")
}

func TestNoVerdictCountsThatItShouldNot(t *testing.T) {
	type figures struct{ solved, wrong, unconfirmed, unknown, timeouts, memory, errors, points int }
	for _, test := range []struct {
		expected, said result.Verdict
		status         result.Status
		want           figures
	}{
		{sat, sat, result.OK, figures{solved: 1, points: 2}},
		{safe, sat, result.OK, figures{solved: 1, points: 2}},
		{unsat, unsafe, result.OK, figures{solved: 1, points: 1}},
		{reject, reject, result.OK, figures{solved: 1}},
		{sat, unsat, result.OK, figures{wrong: 1, points: -16}},
		{safe, unsafe, result.OK, figures{wrong: 1, points: -16}},
		{unsat, sat, result.OK, figures{wrong: 1, points: -32}},
		{unsafe, safe, result.Crash, figures{wrong: 1, points: -32}},
		{unsafe, safe, result.Timeout, figures{wrong: 1, points: -32}},
		{reject, sat, result.OK, figures{wrong: 1, points: -32}},
		{reject, unsat, result.OK, figures{wrong: 1, points: -16}},
		{sat, reject, result.OK, figures{wrong: 1, points: -16}},
		{none, sat, result.OK, figures{unconfirmed: 1}},
		{unknown, sat, result.OK, figures{unconfirmed: 1}},
		{unknown, unknown, result.OK, figures{unknown: 1}},
		{none, none, result.OK, figures{errors: 1}},
		{none, reject, result.OK, figures{unconfirmed: 1}},
		{sat, unknown, result.OK, figures{unknown: 1}},
		{sat, unknown, result.Timeout, figures{timeouts: 1}},
		{sat, none, result.Timeout, figures{timeouts: 1}},
		{sat, none, result.CPUTimeout, figures{timeouts: 1}},
		{sat, none, result.MemoryOut, figures{memory: 1}},
		{sat, none, result.Crash, figures{errors: 1}},
		{sat, none, result.Error, figures{errors: 1}},
		{sat, sat, result.Timeout, figures{solved: 1, points: 2}},
	} {
		s := of(ended(run("a", "t", test.expected, test.said, 1), test.status)).Overall[0]
		require.Equal(t, test.want, figures{s.Solved, s.Wrong, s.Unconfirmed, s.Unknown, s.Timeouts, s.MemoryOuts, s.Errors, s.Points}, "%+v", test)
		require.Equal(t, 1, s.Run)
		require.Equal(t, s.Solved, s.Sat+s.Unsat+s.Rejected)
	}
}

func TestStrictlyAVerdictBeforeALimitDoesNotCount(t *testing.T) {
	for _, status := range []result.Status{result.Timeout, result.CPUTimeout, result.MemoryOut} {
		for _, said := range []result.Verdict{sat, unsat} {
			b := score.New([]*result.Run{ended(run("a", "t", sat, said, 1), status)}, score.Options{Strict: true})
			s := score.Of(b)
			require.Equal(t, []int{0, 0, 1}, []int{s.Overall[0].Solved, s.Overall[0].Wrong, s.Overall[0].Timeouts + s.Overall[0].MemoryOuts}, status)
			require.Empty(t, s.Wrong)
		}
	}
}

func TestRepeatsAreFoldedToTheirMedian(t *testing.T) {
	cell := func(runs ...*result.Run) *score.Cell {
		b := score.New(runs, score.Options{})
		require.Len(t, b.Tasks, 1)
		require.Len(t, b.Tools, 1)
		return b.Tasks[0].Cells[0]
	}
	c := cell(repeat(2, run("a", "t", sat, sat, 9)), repeat(0, run("a", "t", sat, sat, 1)), repeat(1, run("a", "t", sat, sat, 2)))
	require.Equal(t, []any{score.Solved, sat, 2.0, 2.0, false}, []any{c.Outcome, c.Verdict, c.Wall, c.CPU, c.Unsteady})
	require.Equal(t, 0, c.Runs[0].Repeat)

	c = cell(repeat(0, run("a", "t", sat, sat, 1)), repeat(1, run("a", "t", sat, sat, 3)))
	require.Equal(t, 2.0, c.Wall, "the mean of the two in the middle")

	c = cell(repeat(0, run("a", "t", sat, sat, 1)), repeat(1, run("a", "t", sat, none, 20)), repeat(2, run("a", "t", sat, sat, 3)))
	require.Equal(t, []any{score.Solved, 2.0, true}, []any{c.Outcome, c.Wall, c.Unsteady}, "two of three are solved; their median")

	c = cell(repeat(0, run("a", "t", sat, sat, 1)), repeat(1, run("a", "t", sat, none, 20)))
	require.Equal(t, []any{score.Timeout, none, 20.0, true}, []any{c.Outcome, c.Verdict, c.Wall, c.Unsteady}, "one of two is not solved")
	c = cell(repeat(1, run("a", "t", sat, sat, 1)), repeat(0, run("a", "t", sat, none, 20)))
	require.Equal(t, []any{score.Timeout, none, 20.0, true}, []any{c.Outcome, c.Verdict, c.Wall, c.Unsteady}, "whichever it is")

	c = cell(repeat(0, run("a", "t", sat, sat, 1)), repeat(1, run("a", "t", sat, unsat, 5)), repeat(2, run("a", "t", sat, sat, 3)))
	require.Equal(t, []any{score.Wrong, unsat, 5.0, true}, []any{c.Outcome, c.Verdict, c.Wall, c.Unsteady}, "wrong once is wrong")

	c = cell(repeat(0, run("a", "t", none, sat, 1)), repeat(1, run("a", "t", none, unsat, 5)), repeat(2, run("a", "t", none, sat, 3)))
	require.Equal(t, []any{score.Wrong, true}, []any{c.Outcome, c.Unsteady}, "it contradicts itself")
}

func TestAToolThatContradictsItselfIsWrongWithoutALabel(t *testing.T) {
	s := of(repeat(0, run("a", "t", none, sat, 1)), repeat(1, run("a", "t", none, unsat, 5)))
	require.Equal(t, []int{1, 0, -16, 0}, []int{s.Overall[0].Wrong, s.Overall[0].Unconfirmed, s.Overall[0].Points, s.Overall[0].CHCSat})
	require.Equal(t, []score.Answer{{"a", sat}, {"a", unsat}}, s.Wrong[0].Answers)
	require.Len(t, s.Disagreements, 1)
	require.Len(t, s.Unsteady, 1)
}

func TestALabelThatAllToolsContradictIsDoubtful(t *testing.T) {
	doubtful := func(runs ...*result.Run) bool {
		s := of(runs...)
		require.Len(t, s.Wrong, 1)
		require.Equal(t, len(runs), s.Overall[0].Wrong+s.Overall[1].Wrong+s.Overall[0].Solved+s.Overall[1].Solved+s.Overall[0].Unknown+s.Overall[1].Unknown, "the figures don't ask")
		return s.Wrong[0].DoubtfulLabel()
	}
	require.True(t, doubtful(run("a", "t", sat, unsat, 1), run("b", "t", sat, unsat, 1)))
	require.False(t, doubtful(run("a", "t", sat, unsat, 1), run("b", "t", sat, sat, 1)))
	require.False(t, doubtful(run("a", "t", sat, unsat, 1), run("b", "t", sat, unknown, 1)), "one tool alone")
	require.False(t, doubtful(run("a", "t", reject, unsat, 1), run("b", "t", reject, sat, 1)), "they don't agree")
}

func TestCHCCompCountsUndisputedAnswersWithoutALabel(t *testing.T) {
	s := of(
		run("a", "agreed", none, sat, 1), run("b", "agreed", none, sat, 1),
		run("a", "alone", none, unsat, 1), run("b", "alone", none, unknown, 1),
		run("a", "disputed", none, sat, 1), run("b", "disputed", none, unsat, 1),
	)
	for i, want := range [][]int{{1, 1}, {1, 0}, {1, 1}} {
		require.Equal(t, want, []int{s.Overall[i].CHCSat, s.Overall[i].CHCUnsat}, s.Overall[i].Tool)
		require.Zero(t, s.Overall[i].Solved)
	}
}

func TestUniqueSolvesAreAmongTasksThatOthersWereRunOn(t *testing.T) {
	s := of(
		run("a", "both", sat, sat, 1), run("b", "both", sat, sat, 1),
		run("a", "mine", sat, sat, 1), run("b", "mine", sat, unsat, 1),
		run("a", "untried", sat, sat, 1),
	)
	require.Equal(t, 1, s.Overall[0].Unique)
	require.Equal(t, 0, s.Overall[1].Unique)
	require.Equal(t, []int{3, 2}, []int{s.Overall[1].Tasks, s.Overall[1].Run})
	require.Contains(t, s.Notes, "b was not run on 1 of 3 tasks")
	require.Equal(t, -1, of(run("a", "t", sat, sat, 1)).Overall[0].Unique, "nobody to compare with")
}

func TestTracksAndFamiliesHaveTheirOwnFigures(t *testing.T) {
	in := func(track, family string, r *result.Run) *result.Run {
		r.Track, r.Family = track, family
		return r
	}
	s := of(
		in("T2", "", run("a", "1", sat, sat, 1)), in("T1", "g", run("a", "2", sat, sat, 1)), in("T1", "f", run("a", "3", sat, none, 20)),
		in("T1", "g", run("a", "4", unsat, sat, 1)), in("T1", "f", run("a", "5", unsat, unsat, 1)),
	)
	type row struct {
		track, family       string
		tasks, solved, sick int
	}
	var got []row
	for _, x := range append(append(append([]score.Summary{}, s.Overall...), s.Tracks...), s.Families...) {
		got = append(got, row{x.Track, x.Family, x.Tasks, x.Solved, x.Wrong})
	}
	require.Equal(t, []row{{"", "", 5, 3, 1}, {"T1", "", 4, 2, 1}, {"T2", "", 1, 1, 0}, {"T1", "f", 2, 1, 0}, {"T1", "g", 2, 1, 1}}, got)
	require.Empty(t, of(run("a", "t", sat, sat, 1)).Tracks, "one track is the whole")
}

func TestColumnsAreDividedByWhatWasRunOnTheSameTask(t *testing.T) {
	labels := func(runs ...*result.Run) (l []string) {
		for _, tool := range score.New(runs, score.Options{}).Tools {
			l = append(l, tool.Label)
		}
		return l
	}
	change := func(task string, f func(*result.Run)) *result.Run { return with(run("a", task, sat, sat, 1), f) }
	version := func(task, v string) *result.Run { return change(task, func(r *result.Run) { r.Version = v }) }
	require.Equal(t, []string{"a"}, labels(version("t", "1"), version("u", "1")))
	require.Equal(t, []string{"a (1)", "a (2)"}, labels(version("t", "1"), version("t", "2"), version("u", "1")))
	require.Equal(t, []string{"a"}, labels(version("t", "1"), version("u", "2")))
	require.Contains(t, score.New([]*result.Run{version("t", "1"), version("u", "2")}, score.Options{}).Notes, "a was run with different versions on different tasks, taken together here: 1; 2")
	options := func(task, o string) *result.Run {
		return change(task, func(r *result.Run) { r.Options = []string{o, "{file}"} })
	}
	require.Empty(t, score.New([]*result.Run{options("t.smt2", "solve"), options("u.bpl", "verify"), options("v.bpl", "verify")}, score.Options{}).Notes, "one way for each kind of file")
	require.NotEmpty(t, score.New([]*result.Run{options("t.smt2", "solve"), options("u.bpl", "verify"), options("v.bpl", "solve")}, score.Options{}).Notes)
	var many []*result.Run
	for i := range 9 {
		many = append(many, version(fmt.Sprint("t", i), fmt.Sprint(i)))
	}
	require.Contains(t, score.New(many, score.Options{}).Notes, "a was run with different versions on different tasks, taken together here: 0; 1; 2 and 6 more")
	require.Equal(t, []string{"a (20 s wall, 20 s CPU, 4 GiB, 1 core)", "a (9 s wall)"}, labels(run("a", "t", sat, sat, 1), change("t", func(r *result.Run) { r.Limits = result.Limits{Wall: 9} })))
	require.Equal(t, []string{"a (-x {file})", "a (-y {file})"}, labels(change("t", func(r *result.Run) { r.Options = []string{"-x", "{file}"} }), change("t", func(r *result.Run) { r.Options = []string{"-y", "{file}"} })))
	require.Equal(t, []string{"a (1, build x)", "a (1, build y)", "a (2)"}, labels(
		change("t", func(r *result.Run) { r.Version, r.Binary = "1", "x" }), change("t", func(r *result.Run) { r.Version, r.Binary = "1", "y" }), version("t", "2")))
}

func TestTheLaterOfTwoRunsAndOfTwoLabelsCounts(t *testing.T) {
	s := of(run("a", "t", sat, none, 20), run("a", "t", sat, sat, 1))
	require.Equal(t, 1, s.Overall[0].Solved)
	require.Equal(t, 1, s.Overall[0].Run)
	require.Contains(t, s.Notes, "1 runs were measured again later; the last of each counts")

	s = of(run("a", "t", sat, unsat, 1), run("b", "t", unsat, unsat, 1))
	require.Equal(t, []int{1, 0}, []int{s.Overall[0].Solved, s.Overall[0].Wrong})
	require.Contains(t, s.Notes, "t was expected to be sat and later unsat; the later label counts for all runs")
	s = of(run("a", "t", sat, unsat, 1), run("b", "t", none, unsat, 1))
	require.Equal(t, 1, s.Overall[1].Wrong, "a label is known for all runs if it is for one")
}

func TestWhatMakesFiguresHardToCompareIsNoted(t *testing.T) {
	s := of(run("a", "t", sat, sat, 1), with(run("b", "t", sat, sat, 1), func(r *result.Run) {
		r.Limits, r.Host.CPU, r.Digest = result.Limits{Wall: 5}, "Other", "1"
	}), with(run("b", "u", sat, sat, 1), func(r *result.Run) { r.Limits, r.Digest = result.Limits{Wall: 5}, "2" }), with(run("a", "u", sat, sat, 1), func(r *result.Run) { r.Digest = "3" }))
	require.Contains(t, s.Notes, "the runs had different limits: 20 s wall, 20 s CPU, 4 GiB, 1 core; 5 s wall")
	require.Contains(t, s.Notes, "the runs were made on different machines: Processor (2 cores, linux/amd64); Other (2 cores, linux/amd64)")
	require.Contains(t, s.Notes, "u is not the same file in all runs")
}

func TestQuantilesAreInterpolated(t *testing.T) {
	require.True(t, math.IsNaN(score.Median(nil)))
	require.Equal(t, 3.0, score.Median([]float64{3}))
	require.Equal(t, 2.5, score.Median([]float64{4, 1, 3, 2}))
	require.Equal(t, 1.75, score.Quantile([]float64{4, 1, 3, 2}, 0.25))
	require.Equal(t, 3.25, score.Quantile([]float64{4, 1, 3, 2}, 0.75))
	require.Equal(t, []float64{1, 4}, []float64{score.Quantile([]float64{4, 1, 3, 2}, 0), score.Quantile([]float64{4, 1, 3, 2}, 1)})
}

func TestRatiosOfTimesTooShortToTellApartAreOne(t *testing.T) {
	s := of(run("a", "t", sat, sat, 0), run("b", "t", sat, sat, 0.0004))
	require.Equal(t, 1.0, s.Ratios[0].Median)
}

func TestScoresAreJSONWithoutWhatIsNoNumber(t *testing.T) {
	text, err := json.Marshal(of(append(example(), with(run("c", "t9", sat, sat, 1), func(r *result.Run) { r.Track = "other" }))...))
	require.NoError(t, err)
	var back map[string]any
	require.NoError(t, json.Unmarshal(text, &back))
	first := back["overall"].([]any)[0].(map[string]any)
	require.Equal(t, 3.0, first["solved"])
	require.InDelta(t, 171.0/7, first["par2Wall"], 1e-9)
	require.Nil(t, back["tracks"].([]any)[2].(map[string]any)["par2Wall"], "c was not run in the first track")
}

// What holds of all results, whatever they are.
func TestFiguresAddUp(t *testing.T) {
	verdicts := []result.Verdict{none, sat, unsat, safe, unsafe, unknown, reject}
	states := []result.Status{result.OK, result.Timeout, result.CPUTimeout, result.MemoryOut, result.Crash, result.Error}
	rapid.Check(t, func(t *rapid.T) {
		var runs []*result.Run
		for range rapid.IntRange(0, 25).Draw(t, "runs") {
			r := run(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "tool"), rapid.SampledFrom([]string{"t", "u", "v"}).Draw(t, "task"),
				rapid.SampledFrom(verdicts).Draw(t, "expected"), rapid.SampledFrom(verdicts).Draw(t, "said"), rapid.Float64Range(0, 20).Draw(t, "seconds"))
			r.Status, r.Repeat = rapid.SampledFrom(states).Draw(t, "status"), rapid.IntRange(0, 2).Draw(t, "repeat")
			r.Track, r.Family = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "track"), rapid.SampledFrom([]string{"f", "g"}).Draw(t, "family")
			runs = append(runs, r)
		}
		b := score.New(runs, score.Options{})
		s := score.Of(b)
		if len(s.Overall) == 0 {
			return
		}
		solvedBySomeone := 0
		for _, task := range b.Tasks {
			some := false
			for _, c := range task.Cells {
				if c == nil {
					continue
				}
				for _, r := range c.Runs {
					// The planted fault: a verdict that contradicts the label makes its cell wrong, whatever the rest is.
					if (&result.Run{Expected: task.Expected, Verdict: r.Verdict}).Wrong() {
						require.Equal(t, score.Wrong, c.Outcome)
					}
				}
				if c.Outcome == score.Solved {
					some = true
					require.True(t, c.Verdict.Agrees(task.Expected))
					require.True(t, task.Expected.Definite() || task.Expected == reject)
				}
			}
			if some {
				solvedBySomeone++
			}
		}
		for i, x := range append(append(append([]score.Summary{}, s.Overall...), s.Tracks...), s.Families...) {
			require.Equal(t, x.Run, x.Solved+x.Wrong+x.Unconfirmed+x.Unknown+x.Timeouts+x.MemoryOuts+x.Errors)
			require.Equal(t, x.Solved, x.Sat+x.Unsat+x.Rejected)
			require.LessOrEqual(t, x.Unique, x.Solved)
			require.LessOrEqual(t, x.Points, 2*x.Sat+x.Unsat-16*x.Wrong)
			if x.Tool == score.VirtualBest {
				require.Zero(t, x.Wrong)
				if i < len(s.Overall) {
					require.Equal(t, solvedBySomeone, x.Solved)
				}
			}
		}
		for i := range b.Tools {
			if best := s.Overall[len(s.Overall)-1]; best.Tool == score.VirtualBest {
				require.LessOrEqual(t, s.Overall[i].Solved, best.Solved)
				require.LessOrEqual(t, s.Overall[i].Points, best.Points)
			}
			sum := score.Summary{}
			for _, x := range s.Tracks {
				if x.Tool == b.Tools[i].Label {
					sum.Solved, sum.Wrong, sum.Points, sum.CHCPunished = sum.Solved+x.Solved, sum.Wrong+x.Wrong, sum.Points+x.Points, sum.CHCPunished+x.CHCPunished
				}
			}
			if len(s.Tracks) > 0 {
				x := s.Overall[i]
				require.Equal(t, []int{x.Solved, x.Wrong, x.Points, x.CHCPunished}, []int{sum.Solved, sum.Wrong, sum.Points, sum.CHCPunished})
			}
		}
	})
}

func TestFindingsHaveTheWordsThatWereSaid(t *testing.T) {
	b := score.New([]*result.Run{
		run("a", "t", result.Unsafe, result.Safe, 1), run("b", "t", result.Unsafe, result.Unsafe, 1), run("c", "t", result.Unsafe, sat, 1),
	}, score.Options{})
	require.Equal(t, []score.Answer{{Tool: "a", Verdict: result.Safe}, {Tool: "b", Verdict: result.Unsafe}, {Tool: "c", Verdict: sat}}, b.WrongVerdicts()[0].Answers)
	require.Empty(t, score.New([]*result.Run{run("a", "t", result.Safe, result.Safe, 1), run("b", "t", result.Safe, sat, 1)}, score.Options{}).Disagreements(), "safe is sat")
}
