package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// thread is the processor time of the calling thread.
func thread() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// process is the processor time of all threads.
func process() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// of returns a function that tells the processor time of the thread that calls of now, to any thread.
func of() func() time.Duration {
	// The kernel's number for the clock of a thread: see clock_getcpuclockid(3) and MAKE_THREAD_CPUCLOCK in its sources.
	clock := int32(^unix.Gettid())<<3 | 6
	return func() time.Duration {
		var t unix.Timespec
		if err := unix.ClockGettime(clock, &t); err != nil {
			return 0
		}
		return time.Duration(t.Nano())
	}
}
