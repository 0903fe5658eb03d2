package verify

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/internal/work"
)

// A search ends when it has had its budget of processor time, in which waiting does not count.
func TestSpending(t *testing.T) {
	outer, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	spending(outer, 20*time.Millisecond, time.Hour, func(ctx context.Context, most time.Duration) {
		require.Equal(t, time.Hour, most)
		for ctx.Err() == nil {
		}
	})
	require.NoError(t, outer.Err(), "the budget ends it")
	if runtime.GOOS == "linux" {
		spending(t.Context(), 50*time.Millisecond, time.Hour, func(ctx context.Context, _ time.Duration) {
			time.Sleep(200 * time.Millisecond)
			require.NoError(t, ctx.Err())
		})
	}
	part := new(work.Line).Group(1).Join(work.Terms{})
	spending(work.With(t.Context(), part), time.Minute, time.Hour, func(_ context.Context, most time.Duration) {
		require.Equal(t, time.Minute, most, "the clock of work is the same on a busy machine")
	})
}
