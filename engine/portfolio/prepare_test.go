package portfolio

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/chc"
	"hornbeam/chc/transform"
	"hornbeam/engine"
)

// countedPass is a pass that counts its runs and changes nothing.
func countedPass(name string, runs *atomic.Int64, fails error) transform.Pass {
	return transform.Pass{Name: name, Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		runs.Add(1)
		return sys, nil, fails
	}}
}

// The other strategies take what the main one's passes made as far as theirs are the same, and run the rest themselves.
func TestStrategiesSharePreprocessing(t *testing.T) {
	var first, second, other atomic.Int64
	patient := fake(func(ctx context.Context, _ *chc.System, _ engine.Settings) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{Reason: "gave up"}, nil
	})
	main := single("main", named("main", patient), []transform.Pass{countedPass("first", &first, nil), countedPass("second", &second, nil)})
	with := func(name string, e engine.Engine, passes ...transform.Pass) strategy {
		return from(time.Millisecond, single(name, named(name, e), passes))
	}
	c := schedule{main: main, slice: time.Hour, others: []strategy{
		with("one", shrug(), countedPass("first", &first, nil), countedPass("other", &other, nil)),
		with("two", atMost(10), countedPass("first", &first, nil), countedPass("second", &second, nil), countedPass("other", &other, nil)),
	}}
	a := c.run(t.Context(), request(counter(10)))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.Equal(t, "two", a.Engine)
	require.EqualValues(t, 1, first.Load())
	require.EqualValues(t, 1, second.Load())
	require.EqualValues(t, 2, other.Load())
}

// Where the main strategy's passes break, the others run their own.
func TestStrategiesPrepareThemselves(t *testing.T) {
	var broken, own atomic.Int64
	c := schedule{
		main:   single("main", named("main", shrug()), []transform.Pass{countedPass("pass", &broken, errors.New("a fault"))}),
		others: []strategy{from(time.Millisecond, single("other", named("other", atMost(10)), []transform.Pass{countedPass("pass", &own, nil)}))},
		slice:  time.Hour,
	}
	a := c.run(t.Context(), request(counter(10)))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.EqualValues(t, 1, own.Load())
}

// A strategy with other passes does not wait for those of the main one.
func TestOtherPassesDoNotWait(t *testing.T) {
	release := make(chan struct{})
	slow := transform.Pass{Name: "slow", Run: func(_ context.Context, _ transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
		<-release
		return sys, nil, nil
	}}
	var own atomic.Int64
	quick := fake(func(ctx context.Context, sys *chc.System, s engine.Settings) (engine.Answer, error) {
		close(release)
		return atMost(10).Solve(ctx, sys, s)
	})
	c := schedule{
		main:   single("main", named("main", shrug()), []transform.Pass{slow}),
		others: []strategy{from(time.Millisecond, single("other", named("other", quick), []transform.Pass{countedPass("pass", &own, nil)}))},
		slice:  time.Hour,
	}
	a := c.run(t.Context(), request(counter(10)))
	require.Equal(t, engine.Sat, a.Verdict, a.Reason)
	require.EqualValues(t, 1, own.Load())
}
