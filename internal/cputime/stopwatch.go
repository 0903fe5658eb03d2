package cputime

import "time"

// patience is how many times as long as a duration a Stopwatch waits at most for the process to have had that much processor time: a
// process that waits for another one has little.
const patience = 4

// Stopwatch tells how much the process has worked since Start.
type Stopwatch struct {
	began time.Time
	spent time.Duration
}

// Start returns a stopwatch that begins now.
func Start() Stopwatch { return Stopwatch{began: time.Now(), spent: process()} }

// Left returns how long to wait at least until the process has worked for d: that much time must have passed, and on a busy machine the
// process must have had that much of a processor, or d must have passed several times. It is 0 or less when that is so.
func (s Stopwatch) Left(d time.Duration) time.Duration {
	passed, spent := time.Since(s.began), process()-s.spent
	return max(d-passed, min(d-spent, patience*d-passed))
}
