package z3

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The library that is loaded is the one that was compiled for: else the other tests say nothing on that version.
func TestVersionIsTheHeaders(t *testing.T) {
	require.Equal(t, HeaderVersion(), Version())
}
