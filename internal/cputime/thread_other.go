//go:build !linux

package cputime

import "time"

var start = time.Now()

// thread is the time since the program's start.
func thread() time.Duration { return time.Since(start) }

// process is the time since the program's start.
func process() time.Duration { return thread() }

// of returns a function that tells what stands for the processor time of the thread.
func of() func() time.Duration { return thread }
