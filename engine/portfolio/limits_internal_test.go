package portfolio

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const mega = 1e6

// watched feeds measurements, one a look, and returns the number of the one at which the computation is to end; 0 when it
// goes on.
func watched(limit float64, looks int, at func(look int) (resident, runtime float64)) int {
	w := memoryWatch{limit: limit, collector: math.MaxInt64}
	now := time.Unix(0, 0)
	for i := 1; i <= looks; i++ {
		now = now.Add(memoryPoll)
		resident, runtime := at(i)
		if w.exceeded(now, resident, runtime) {
			return i
		}
	}
	return 0
}

// Whatever the rate at which the solver's memory grows, up to 500 MB/s, a computation that goes on for memoryAhead after it
// was told to end stays within a tenth of a limit of 1 GB; and one that grows slowly is not ended before it is at nine tenths.
func TestTheSolversGrowthIsForeseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(1*mega, 500*mega).Draw(t, "bytes a second")
		start := rapid.Float64Range(50*mega, 500*mega).Draw(t, "at first")
		at := func(look int) (resident, runtime float64) {
			return start + rate*float64(look)*memoryPoll.Seconds(), 20 * mega
		}
		end := watched(1000*mega, 1<<20, at)
		require.NotZero(t, end)
		reached, _ := at(end)
		require.Less(t, reached+rate*memoryAhead.Seconds(), 1100*mega)
		require.Greater(t, reached, 900*mega)
	})
}

func TestTheCollectorHasTimeToFreeMemory(t *testing.T) {
	over := func(look int) (resident, runtime float64) { return 1010 * mega, 950 * mega }
	// Never brought down, the memory is over the limit after a while; brought down in time it is not.
	require.Equal(t, collectorPatience+1, watched(1000*mega, 1000, over))
	require.Zero(t, watched(1000*mega, 1000, func(look int) (resident, runtime float64) {
		if look%collectorPatience == 0 {
			return 800 * mega, 740 * mega
		}
		return over(look)
	}))
	// What is not the collector's, or too much, is not waited for.
	require.Equal(t, 1, watched(1000*mega, 1000, func(int) (resident, runtime float64) { return 1010 * mega, 50 * mega }))
	require.Equal(t, 1, watched(1000*mega, 1000, func(int) (resident, runtime float64) { return 1050 * mega, 1000 * mega }))
}

func TestTheCollectorKeepsToWhatTheSolverLeaves(t *testing.T) {
	w := memoryWatch{limit: 1000 * mega, collector: math.MaxInt64}
	now := time.Unix(0, 0)
	for _, c := range []struct{ resident, runtime, share float64 }{
		{100, 50, 850}, {102, 50, 850}, {700, 100, 300}, {990, 100, 62.5}, {400, 300, 800},
	} {
		now = now.Add(time.Hour)
		w.exceeded(now, c.resident*mega, c.runtime*mega)
		require.InDelta(t, c.share*mega, float64(w.collector), 2*mega)
	}
}

func TestAMemoryLimitIsSetForTheCollectorAndTakenBack(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	ctx, stop := WithLimits(context.Background(), 0, 4<<30)
	require.Eventually(t, func() bool { return debug.SetMemoryLimit(-1) < 4<<30 }, time.Minute, time.Millisecond)
	require.NoError(t, ctx.Err())
	stop()
	require.Equal(t, before, debug.SetMemoryLimit(-1))

	ctx, stop = WithLimits(context.Background(), 0, 1<<20)
	defer stop()
	<-ctx.Done()
	require.True(t, errors.Is(context.Cause(ctx), ErrMemory))
}
