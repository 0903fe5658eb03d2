package score_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/bench/result"
	"hornbeam/bench/score"
)

// compare compares single runs of a tool on each task, old and new; a nil run was not made.
func compare(t require.TestingT, before, after []*result.Run) *score.ToolDiff {
	d, err := score.Compare(score.New(before, score.Options{}), score.New(after, score.Options{}), score.Noise{})
	require.NoError(t, err)
	require.Len(t, d.Tools, 1)
	return &d.Tools[0]
}

func TestEveryChangeHasItsKindAndOnlyLossesAndWrongVerdictsFail(t *testing.T) {
	for name, test := range map[string]struct {
		old, new *result.Run
		want     score.ChangeKind
		fails    bool
	}{
		"as before":                           {run("a", "t", sat, sat, 1), run("a", "t", sat, sat, 1), "", false},
		"gained":                              {run("a", "t", sat, none, 20), run("a", "t", sat, sat, 1), score.Gained, false},
		"gained after a wrong verdict":        {run("a", "t", sat, unsat, 1), run("a", "t", sat, sat, 1), score.Gained, false},
		"lost to a timeout":                   {run("a", "t", sat, sat, 1), run("a", "t", sat, none, 20), score.Lost, true},
		"lost to unknown":                     {run("a", "t", sat, sat, 1), run("a", "t", sat, unknown, 1), score.Lost, true},
		"lost to a crash":                     {run("a", "t", sat, sat, 1), ended(run("a", "t", sat, none, 1), result.Crash), score.Lost, true},
		"now wrong":                           {run("a", "t", sat, sat, 1), run("a", "t", sat, unsat, 1), score.NowWrong, true},
		"wrong where nothing was said":        {run("a", "t", sat, unknown, 1), run("a", "t", sat, unsat, 1), score.NowWrong, true},
		"still wrong":                         {run("a", "t", sat, unsat, 1), run("a", "t", sat, unsat, 1), score.NowWrong, true},
		"wrong by a corrected label":          {run("a", "t", unsat, unsat, 1), run("a", "t", sat, unsat, 1), score.NowWrong, true},
		"wrong by a label that was forgotten": {run("a", "t", sat, unknown, 1), run("a", "t", none, unsat, 1), score.NowWrong, true},
		"turned round without a label":        {run("a", "t", none, sat, 1), run("a", "t", none, unsat, 1), score.NowWrong, true},
		"lost without a label":                {run("a", "t", none, sat, 1), run("a", "t", none, none, 20), score.Lost, true},
		"never solved":                        {run("a", "t", sat, none, 20), run("a", "t", sat, unknown, 1), "", false},
		"slower":                              {run("a", "t", sat, sat, 1), run("a", "t", sat, sat, 1.6), score.Slower, false},
		"faster":                              {run("a", "t", sat, sat, 1.6), run("a", "t", sat, sat, 1), score.Faster, false},
		"slower by too small a factor":        {run("a", "t", sat, sat, 10), run("a", "t", sat, sat, 14.9), "", false},
		"slower by too little":                {run("a", "t", sat, sat, 0.01), run("a", "t", sat, sat, 0.2), "", false},
	} {
		d, err := score.Compare(score.New([]*result.Run{test.old}, score.Options{}), score.New([]*result.Run{test.new}, score.Options{}), score.Noise{})
		require.NoError(t, err, name)
		require.Equal(t, test.fails, d.Regressed(false), name)
		require.Equal(t, test.fails, d.Regressed(true), name)
		if test.want == "" {
			require.Empty(t, d.Tools[0].Changes, name)
			continue
		}
		require.Len(t, d.Tools[0].Changes, 1, name)
		require.Equal(t, test.want, d.Tools[0].Changes[0].Kind, name)
		require.Equal(t, d.Tools[0].Changes, d.Tools[0].Of(test.want), name)
	}
}

func TestASolvedTaskThatWasNotRunAgainFailsUnlessThatIsMeant(t *testing.T) {
	before := []*result.Run{run("a", "t", sat, sat, 1), run("a", "u", sat, sat, 1), run("a", "v", sat, none, 20)}
	after := []*result.Run{run("a", "t", sat, sat, 1), run("a", "w", sat, sat, 1), run("a", "x", sat, unsat, 1)}
	d, err := score.Compare(score.New(before, score.Options{}), score.New(after[:2], score.Options{}), score.Noise{})
	require.NoError(t, err)
	require.True(t, d.Regressed(false))
	require.False(t, d.Regressed(true))
	tool := d.Tools[0]
	require.Equal(t, []int{1, 2, 1, 1, 1}, []int{tool.Common, tool.OnlyOld, tool.OnlyNew, tool.OldSolved, tool.NewSolved})
	require.Len(t, tool.Changes, 1)
	require.Equal(t, score.Missing, tool.Changes[0].Kind)
	require.Equal(t, "u", tool.Changes[0].Task)
	require.Len(t, compare(t, before, after).Of(score.NowWrong), 1, "wrong on a task that was not run before")
}

func TestWithThreeRepeatsTimesMustBeApart(t *testing.T) {
	repeats := func(seconds ...float64) (runs []*result.Run) {
		for i, s := range seconds {
			runs = append(runs, repeat(i, run("a", "t", sat, sat, s)))
		}
		return runs
	}
	require.Empty(t, compare(t, repeats(1, 1, 4), repeats(3, 3, 3)).Changes, "the ranges overlap")
	require.Equal(t, score.Slower, compare(t, repeats(1, 1, 2), repeats(3, 3, 3)).Changes[0].Kind)
	require.Equal(t, score.Faster, compare(t, repeats(3, 3, 3), repeats(1, 1, 2)).Changes[0].Kind)
	require.Equal(t, score.Slower, compare(t, repeats(1, 3.5), repeats(4, 3)).Changes[0].Kind, "two repeats say nothing of the spread")
	withTimeout := append(repeats(1, 1, 2), repeat(3, run("a", "t", sat, none, 20)))
	require.Equal(t, score.Slower, compare(t, withTimeout, repeats(3, 3, 3)).Changes[0].Kind, "a repeat without the verdict is no time of it")
}

func TestChangesAreInOrderOfWeightAndFactor(t *testing.T) {
	before := []*result.Run{run("a", "1", sat, sat, 1), run("a", "2", sat, sat, 1), run("a", "3", sat, sat, 1), run("a", "4", sat, sat, 1), run("a", "5", sat, none, 20)}
	after := []*result.Run{run("a", "1", sat, sat, 2), run("a", "2", sat, sat, 9), run("a", "3", sat, none, 20), run("a", "4", sat, unsat, 1), run("a", "5", sat, sat, 1)}
	d := compare(t, before, after)
	var order []string
	for _, c := range d.Changes {
		order = append(order, c.Task)
	}
	require.Equal(t, []string{"4", "3", "5", "2", "1"}, order)
	require.Equal(t, 2, d.Ratio.Tasks)
	require.Equal(t, []float64{3.75, 5.5, 7.25}, []float64{d.Ratio.Q1, d.Ratio.Median, d.Ratio.Q3}, "new over old")
}

func TestToolsArePairedByLabelOrBothAlone(t *testing.T) {
	before := []*result.Run{run("a", "t", sat, sat, 1), run("b", "t", sat, sat, 1)}
	d, err := score.Compare(score.New(before, score.Options{}), score.New([]*result.Run{run("b", "t", sat, none, 20), run("c", "t", sat, sat, 1)}, score.Options{}), score.Noise{})
	require.NoError(t, err)
	require.Len(t, d.Tools, 1)
	require.Equal(t, "b", d.Tools[0].New)
	require.Contains(t, d.Notes, "a is only in the old results")
	require.Contains(t, d.Notes, "c is only in the new results")
	require.Equal(t, "z", compare(t, before[:1], []*result.Run{run("z", "t", sat, sat, 1)}).New)
}

func TestAComparisonOfNothingIsNoSuccess(t *testing.T) {
	one := score.New([]*result.Run{run("a", "t", sat, sat, 1)}, score.Options{})
	for _, other := range [][]*result.Run{nil, {run("a", "u", sat, sat, 1)}, {run("b", "t", sat, sat, 1), run("c", "t", sat, sat, 1)}} {
		_, err := score.Compare(one, score.New(other, score.Options{}), score.Noise{})
		require.ErrorIs(t, err, score.ErrNothingCommon)
	}
}

func TestOtherLimitsAndMachinesAreNoted(t *testing.T) {
	d, err := score.Compare(score.New([]*result.Run{run("a", "t", sat, sat, 1)}, score.Options{}),
		score.New([]*result.Run{with(run("a", "t", sat, sat, 1), func(r *result.Run) { r.Limits.Wall, r.Host.Cores = 60, 64 })}, score.Options{}), score.Noise{})
	require.NoError(t, err)
	require.Contains(t, d.Notes, "a: the limits were 20 s wall, 20 s CPU, 4 GiB, 1 core and are now 60 s wall, 20 s CPU, 4 GiB, 1 core")
	require.Contains(t, d.Notes, "a: measured on another machine, or by other means, than before; the times say little")

	digest := func(task, digest string) *result.Run {
		return with(run("a", task, sat, sat, 1), func(r *result.Run) { r.Digest = digest })
	}
	d, err = score.Compare(score.New([]*result.Run{digest("t", "1"), digest("u", "2")}, score.Options{}), score.New([]*result.Run{digest("t", "1"), digest("u", "3")}, score.Options{}), score.Noise{})
	require.NoError(t, err)
	require.Equal(t, []string{"a: 1 tasks are not the same files in both: u"}, d.Notes)
}

func TestResultsComparedWithThemselvesDoNotChangeAndTurnedRoundGainsAreLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string) (runs []*result.Run) {
			for _, task := range []string{"t", "u", "v", "w"} {
				runs = append(runs, run("a", task, sat, rapid.SampledFrom([]result.Verdict{sat, unknown, none}).Draw(t, name), rapid.Float64Range(0, 20).Draw(t, name)))
			}
			return runs
		}
		before, after := some("old"), some("new")
		require.Empty(t, compare(t, before, before).Changes)
		there, back := compare(t, before, after), compare(t, after, before)
		require.Len(t, back.Of(score.Gained), len(there.Of(score.Lost)))
		require.Len(t, back.Of(score.Lost), len(there.Of(score.Gained)))
		require.Len(t, back.Of(score.Faster), len(there.Of(score.Slower)))
		require.Equal(t, there.NewSolved-there.OldSolved, len(there.Of(score.Gained))-len(there.Of(score.Lost)))
	})
}
