package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEventsAndProfilesThatCannotBeWrittenAreAnError(t *testing.T) {
	for _, flag := range []string{"--trace", "--cpuprofile"} {
		r := call(t, "", "solve", flag, "/dev/full", tempFile(t, "safe.smt2", safe))
		require.Equal(t, exitUsage, r.code)
		require.Equal(t, "sat\n", r.out)
		require.Contains(t, r.err, "is incomplete: write /dev/full: no space left on device")
	}
}
