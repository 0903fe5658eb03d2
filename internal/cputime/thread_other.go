//go:build !linux

package cputime

import "time"

var start = time.Now()

// thread is the time since the program's start.
func thread() time.Duration { return time.Since(start) }
