package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/frontend/c"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/refine"
)

// failing is a C program with a run of so many turns that reaches the error, and the result that says so.
func failing(t *testing.T, turns string) (*C, *Result) {
	t.Helper()
	tree, err := c.Read(t.Context(), "test.c", []byte("void reach_error(void); int main(void) { for (unsigned i = 0, h = 1; i < "+turns+"; h = h * 33u ^ i++); reach_error(); }"), c.Options{})
	require.NoError(t, err)
	runner, err := interpret.New(tree, interpret.Options{Steps: 1 << 40})
	require.NoError(t, err)
	p := &C{Tree: tree, Evidence: &refine.Evidence{Runner: runner, Script: interpret.NewScript()}}
	p.request.Options.Trace = true
	return p, &Result{Answer: engine.Answer{Verdict: engine.Unsat}}
}

// A verdict whose time is over is not kept for its trace.
func TestNoTimeToTrace(t *testing.T) {
	p, r := failing(t, "100000000")
	p.Evidence.Outcome.Steps = longTrace + 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, p.rerun(ctx, r))
	require.Nil(t, r.Trace)
	require.Contains(t, r.Notes, "the run is not shown, as the time is over")

	// What takes hardly any time is shown all the same.
	p, r = failing(t, "3")
	require.NoError(t, p.rerun(ctx, r))
	require.NotNil(t, r.Trace)
	require.Empty(t, r.Notes)
}

// Of a run of millions of steps the beginning and the error are shown, and what is left out is said.
func TestLongTrace(t *testing.T) {
	p, r := failing(t, "2000000")
	reached, err := p.Evidence.Reaches(t.Context(), p.Evidence.Script)
	require.NoError(t, err)
	require.True(t, reached)
	require.Greater(t, p.Evidence.Outcome.Steps, int64(longTrace))
	require.NoError(t, p.rerun(t.Context(), r))
	text, _ := r.Trace.Text(false)
	require.Contains(t, text, "… the steps up to the last of ")
	require.Contains(t, text, "error: reach_error is called")
	require.LessOrEqual(t, len(r.Trace.Steps), eventsOfLongTrace+2)
}
