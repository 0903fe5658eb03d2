package cputime_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hornbeam/internal/cputime"
)

func TestWaitingTakesNoTime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells the processor time of a thread here")
	}
	waited := cputime.Of(func() { time.Sleep(200 * time.Millisecond) })
	require.Less(t, waited, 100*time.Millisecond)
	worked := cputime.Of(func() {
		for begin := time.Now(); time.Since(begin) < 50*time.Millisecond; {
		}
	})
	require.Positive(t, worked)
}
