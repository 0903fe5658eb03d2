package bounded_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/internal/bounded"
)

// A computation that does not end when its context is done is left behind; one that ends has its result, and a panic is an error.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	release := make(chan struct{})
	_, err := bounded.Run(ctx, func() (int, error) { <-release; return 1, nil })
	require.ErrorIs(t, err, bounded.ErrLeftBehind)
	close(release)
	n, err := bounded.Run(t.Context(), func() (int, error) { return 2, io.EOF })
	require.Equal(t, 2, n)
	require.ErrorIs(t, err, io.EOF)
	_, err = bounded.Run(t.Context(), func() (int, error) { panic("broken") })
	var broken *bounded.Crash
	require.ErrorAs(t, err, &broken)
	require.Contains(t, broken.Error(), "broken")
}
