package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/bench/result"
	"hornbeam/bench/tool"
)

// first is a search that needs no more than so many runs.
type first struct {
	most  int
	tasks []string
}

func (f *first) Made(r *result.Run)        { f.tasks = append(f.tasks, r.Task) }
func (f *first) Needed(r *result.Run) bool { return len(f.tasks) < f.most }

// A search is told of each run, of those that the results file has too, and decides what else is run.
func TestASearchDecidesWhatIsRun(t *testing.T) {
	_, tasks := tasksIn(t, 5)
	c := config(t)
	for _, most := range []int{2, 2, 4} {
		f := &first{most: most}
		c.Search = f
		var last Progress
		c.Progress = func(p Progress) { last = p }
		_, err := Run(t.Context(), tasks, []*tool.Tool{acting("x", "say=sat")}, c)
		require.NoError(t, err)
		runs, err := result.ReadAll(c.Results)
		require.NoError(t, err)
		require.Len(t, runs, most)
		require.Equal(t, []string{"t00.smt2", "t01.smt2", "t02.smt2", "t03.smt2"}[:most], f.tasks)
		require.LessOrEqual(t, last.Done, last.Total)
	}
}

// The counters that are asked for are read from the line of an output that is a JSON object.
func TestCountersAreKept(t *testing.T) {
	c := config(t)
	c.Counters = []string{"a.b", "a.missing"}
	r := once(t, c, acting("x", "say=sat", "say={not JSON", `say={"statistics":{"a.b":7,"a.c":8}}`))
	require.Equal(t, map[string]float64{"a.b": 7}, r.Counters)
	c = config(t)
	require.Nil(t, once(t, c, acting("x", "say=sat", `say={"statistics":{"a.b":7}}`)).Counters, "none is asked for")
}
