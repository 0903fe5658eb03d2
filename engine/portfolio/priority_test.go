package portfolio

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// An engine that has worked waits while others want the processor, but no longer than it owes, and not at all when no
// one does or when it has hardly worked. It goes on waiting for what it owes from before.
func TestManners(t *testing.T) {
	asked := 0
	others := 3 // so often they want it
	m := &priority{busy: func(int) bool { asked++; return asked <= others }}
	worked := func(d time.Duration) { m.since, asked = time.Now().Add(-d), 0 }

	worked(time.Hour)
	m.wait(t.Context())
	require.Equal(t, others+1, asked)
	m.wait(t.Context())
	require.Equal(t, others+1, asked, "what it owed is paid")

	worked(0)
	m.wait(t.Context())
	require.Zero(t, asked)
	since := m.since
	m.wait(t.Context())
	require.Equal(t, since, m.since, "small debts add up")

	others = 1 << 30
	worked(2 * lookAround)
	m.wait(t.Context())
	require.Positive(t, asked)
	require.LessOrEqual(t, asked, 2*backgroundWait+2)

	worked(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.wait(ctx)
	require.LessOrEqual(t, asked, 2)
}

// While an engine has credit it does not even look whether others want the processor.
func TestCreditIsSpentBeforeOneWaits(t *testing.T) {
	asked := 0
	m := &priority{busy: func(int) bool { asked++; return asked == 1 }, firstSlice: time.Hour, credit: 20 * time.Millisecond}
	spin := &spinning{}
	for m.credit > 0 {
		m.since = time.Now().Add(-time.Hour)
		_, err := m.check(t.Context(), spin, nil)
		require.NoError(t, err)
		require.Zero(t, asked)
	}
	require.Positive(t, spin.checks)
	m.since = time.Now().Add(-time.Hour)
	_, err := m.check(t.Context(), spin, nil)
	require.NoError(t, err)
	require.Equal(t, 2, asked)
}

// spinning is a solver whose checks work for a moment.
type spinning struct {
	smt.Solver
	checks int
}

func (s *spinning) Check(context.Context, ...*term.Term) (smt.Status, error) {
	s.checks++
	for begin := time.Now(); time.Since(begin) < 5*time.Millisecond; {
	}
	return smt.Unsat, nil
}

// stubborn is a solver whose first checks take as long as their contexts let them.
type stubborn struct {
	smt.Solver
	left  int
	asked int
}

func (s *stubborn) Check(ctx context.Context, _ ...*term.Term) (smt.Status, error) {
	s.asked++
	if s.left--; s.left >= 0 {
		<-ctx.Done()
		return smt.Unknown, ctx.Err()
	}
	return smt.Sat, nil
}

// A long check is broken off for others and asked again, until it has its answer; the end of its context ends it.
func TestLongChecksGiveWay(t *testing.T) {
	wanted := &priority{busy: func(own int) bool { return own == 1 }, firstSlice: time.Millisecond}
	long := &stubborn{left: 3}
	status, err := wanted.check(t.Context(), long, nil)
	require.NoError(t, err)
	require.Equal(t, smt.Sat, status)
	require.Equal(t, 4, long.asked)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	alone := &priority{busy: func(int) bool { return false }, firstSlice: time.Millisecond}
	endless := &stubborn{left: 100}
	status, err = alone.check(ctx, endless, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, smt.Unknown, status)
	require.Equal(t, 1, endless.asked, "no one wanted the processor")

	// The solver that engines get is one of these.
	c, err := inBackground(z3.Open, 0, 0)(term.NewPool(), smt.Config{})
	require.NoError(t, err)
	defer c.Close()
	solver, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	require.IsType(t, &aroundSolver{}, solver)
}

// While one finishes, another one waits with finishing and the rest with their checks; both go on afterwards, the checks
// and who else finishes also when it takes long.
func TestQuiet(t *testing.T) {
	q := newPause()
	c, err := q.gated(z3.Open)(term.NewPool(), smt.Config{})
	require.NoError(t, err)
	defer c.Close()
	solver, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	check := func() error { _, err := solver.Check(t.Context()); return err }
	require.NoError(t, check())

	end := q.begin()
	var ended atomic.Bool
	checked, second := make(chan bool), make(chan bool)
	go func() { _ = check(); checked <- ended.Load() }()
	go func() { defer q.begin()(); second <- ended.Load() }()
	time.Sleep(20 * time.Millisecond)
	ended.Store(true)
	end()
	require.True(t, <-second, "two finished at once")
	require.True(t, <-checked, "a check passed")

	end = q.begin()
	require.NoError(t, check())
	q.begin()() // also another one that finishes goes on
	end()

	var none *pause
	none.begin()()
	require.Nil(t, none.gated(nil))
}
