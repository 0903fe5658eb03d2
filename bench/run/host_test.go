package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMachineIsDescribed(t *testing.T) {
	text := "processor\t: 0\nmodel name\t: A: B\n\nprocessor\t: 1\nmodel name\t: A: B\nprocessors: 7\n"
	require.Equal(t, 2, processors(text))
	require.Equal(t, "A: B", field(text, "model name"))
	h, err := Host(false)
	require.NoError(t, err)
	require.Positive(t, h.Cores)
	require.Positive(t, h.Memory)
	require.Empty(t, h.Name, "unless it is asked for")
	h, err = Host(true)
	require.NoError(t, err)
	require.NotEmpty(t, h.Name)
}
