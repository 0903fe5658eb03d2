package cputime

import (
	"runtime"
	"time"
)

// Of calls f and returns the processor time that the thread spent in it, without that of goroutines which f starts. Where the system
// does not tell, it is the time that passed.
func Of(f func()) (spent time.Duration) {
	Measured(func(soFar func() time.Duration) {
		f()
		spent = soFar()
	})
	return spent
}

// Measured calls f with a function that tells f's goroutine how much processor time, as Of counts it, has been spent in f.
func Measured(f func(soFar func() time.Duration)) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := thread()
	f(func() time.Duration { return thread() - begin })
}
