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
