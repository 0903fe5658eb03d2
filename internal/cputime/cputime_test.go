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

func TestStopwatchWaitsForTheProcess(t *testing.T) {
	const d = 20 * time.Millisecond
	require.Positive(t, cputime.Start().Left(time.Minute))
	idle := cputime.Start()
	time.Sleep(3 * d / 2)
	if runtime.GOOS == "linux" {
		require.Positive(t, idle.Left(d), "the process has slept")
	}
	time.Sleep(3 * d)
	require.LessOrEqual(t, idle.Left(d), time.Duration(0), "the wait has an end")
	busy := cputime.Start()
	for begin := cputime.Start(); begin.Left(d) > 0; {
	}
	require.LessOrEqual(t, busy.Left(d), time.Duration(0))
}

func TestExceededTimeIsTold(t *testing.T) {
	busy := func(d time.Duration) func() {
		return func() {
			for begin := time.Now(); time.Since(begin) < d; {
			}
		}
	}
	told := make(chan struct{}, 1)
	tell := func() { told <- struct{}{} }
	cputime.Within(time.Minute, tell, busy(10*time.Millisecond))
	require.Empty(t, told)
	cputime.Within(20*time.Millisecond, tell, func() {
		for len(told) == 0 {
		}
	})
	require.Len(t, told, 1)
	<-told
	if runtime.GOOS == "linux" {
		cputime.Within(50*time.Millisecond, tell, func() { time.Sleep(200 * time.Millisecond) })
		require.Empty(t, told, "waiting takes no time")
	}
}
