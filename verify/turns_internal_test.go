package verify

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/engine/portfolio"
)

// opens reports whether a gate opens within a time.
func opens(t *testing.T, g *portfolio.Gate, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	g.Pass(ctx)
	return ctx.Err() == nil
}

func TestOneStrategyWorksAtATime(t *testing.T) {
	turns := turns{length: time.Hour}
	first, second, third := turns.join(), turns.join(), turns.join()
	require.True(t, opens(t, first, time.Minute))
	require.False(t, opens(t, second, 10*time.Millisecond))
	turns.leave(third)
	turns.leave(first)
	require.True(t, opens(t, second, time.Minute))
	turns.leave(second)
	require.True(t, opens(t, turns.join(), time.Minute), "the first that comes after all have left")
}

func TestTurnsEnd(t *testing.T) {
	turns := turns{length: time.Millisecond}
	gates := []*portfolio.Gate{turns.join(), turns.join(), turns.join()}
	for range 3 {
		for _, g := range gates {
			require.True(t, opens(t, g, time.Minute))
		}
	}
	for _, g := range gates {
		turns.leave(g)
	}
}
