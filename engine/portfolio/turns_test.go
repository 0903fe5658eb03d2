package portfolio

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// comes reports whether a turn comes within a time.
func comes(t *testing.T, o *Turn, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	o.Wait(ctx)
	return ctx.Err() == nil
}

func TestOneStrategyWorksAtATime(t *testing.T) {
	var turns Turns
	first, second, third := turns.Join(time.Hour), turns.Join(time.Hour), turns.Join(time.Hour)
	require.True(t, comes(t, first, time.Minute))
	require.False(t, comes(t, second, 10*time.Millisecond))
	third.Leave()
	first.Leave()
	require.True(t, comes(t, second, time.Minute))
	second.Leave()
	require.True(t, comes(t, turns.Join(time.Hour), time.Minute), "the first that comes after all have left")
}

func TestTurnsEnd(t *testing.T) {
	var turns Turns
	line := []*Turn{turns.Join(time.Millisecond), turns.Join(time.Millisecond), turns.Join(time.Millisecond)}
	for range 3 {
		for _, g := range line {
			require.True(t, comes(t, g, time.Minute))
		}
	}
	for _, g := range line {
		g.Leave()
	}
}

func TestATurnEndsWhenItsProcessorTimeIsUsed(t *testing.T) {
	var turns Turns
	first, second := turns.Join(time.Hour), turns.Join(time.Hour)
	first.use(40 * time.Minute)
	require.False(t, comes(t, second, 10*time.Millisecond))
	first.use(20 * time.Minute)
	require.True(t, comes(t, second, time.Minute))
	require.False(t, comes(t, first, 10*time.Millisecond))
	second.use(time.Hour)
	require.True(t, comes(t, first, time.Minute))
	first.use(40 * time.Minute)
	require.False(t, comes(t, second, 10*time.Millisecond), "each turn is counted by itself")
}

func TestWhoWasAloneHasAWholeTurnWhenAnotherComes(t *testing.T) {
	var turns Turns
	first := turns.Join(time.Hour)
	first.use(5 * time.Hour)
	second := turns.Join(time.Hour)
	first.use(40 * time.Minute)
	require.False(t, comes(t, second, 10*time.Millisecond))
	first.use(20 * time.Minute)
	require.True(t, comes(t, second, time.Minute))
}

func TestWhoJoinsLaterWorksBesideTheOthersUntilItsTimeIsUsed(t *testing.T) {
	var turns Turns
	first, later := turns.Join(time.Hour), turns.JoinLater(time.Hour, 2*time.Hour)
	later.use(time.Hour)
	require.True(t, comes(t, later, time.Minute))
	require.True(t, comes(t, first, time.Minute))
	later.use(time.Hour)
	require.False(t, comes(t, later, 10*time.Millisecond))
	first.use(time.Hour)
	require.True(t, comes(t, later, time.Minute))
	require.False(t, comes(t, first, 10*time.Millisecond))
	later.Leave()
	require.True(t, comes(t, first, time.Minute))

	never := turns.JoinLater(time.Hour, time.Hour)
	never.Leave()
	require.True(t, comes(t, first, time.Minute), "who leaves before has no place to give up")

	alone := new(Turns).JoinLater(time.Hour, time.Hour)
	alone.use(time.Hour)
	require.True(t, comes(t, alone, time.Minute), "nobody else is there")
}

func TestTheFirstTurnHasItsOwnLength(t *testing.T) {
	var turns Turns
	brief, other := turns.JoinBriefly(time.Hour, 3*time.Hour), turns.Join(time.Hour)
	brief.use(time.Hour)
	require.False(t, comes(t, brief, 10*time.Millisecond))
	other.use(time.Hour)
	brief.use(2 * time.Hour)
	require.True(t, comes(t, brief, time.Minute))
	brief.use(time.Hour)
	require.False(t, comes(t, brief, 10*time.Millisecond))
	require.True(t, comes(t, other, time.Minute))
}
