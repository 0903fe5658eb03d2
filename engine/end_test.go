package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/engine"
	"hornbeam/internal/smt"
)

// What only says that an engine did not find out is an answer, wherever it is wrapped; what broke is an error.
func TestEnded(t *testing.T) {
	found := engine.Answer{Verdict: engine.Sat}
	a, err := engine.Ended(t.Context(), "e", found, nil)
	require.NoError(t, err)
	require.Equal(t, found, a)

	a, err = engine.Ended(t.Context(), "e", engine.Answer{}, fmt.Errorf("step: %w", &engine.Incomplete{Reason: "too large"}))
	require.NoError(t, err)
	require.Equal(t, engine.Answer{Reason: "too large"}, a)

	a, err = engine.Ended(t.Context(), "e", engine.Answer{}, fmt.Errorf("read a model: %w: √2", smt.ErrNoValue))
	require.NoError(t, err)
	require.Equal(t, engine.Unknown, a.Verdict)
	require.Contains(t, a.Reason, "√2")

	broken := errors.New("broken")
	_, err = engine.Ended(t.Context(), "e", engine.Answer{}, broken)
	require.ErrorIs(t, err, broken)

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	a, err = engine.Ended(ctx, "e", engine.Answer{}, broken)
	require.NoError(t, err)
	require.Equal(t, engine.Answer{Reason: "enough"}, a)
	a, err = engine.Ended(ctx, "e", found, nil)
	require.NoError(t, err)
	require.Equal(t, found, a)
}
