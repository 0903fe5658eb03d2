package main

import (
	"fmt"
	"time"

	"hornbeam/engine"
)

// progress shows on standard error how far the engine is, in the words of describe, until the returned function is
// called: a status line on a terminal, or a comment a second when it is asked for where there is none.
func (j *job) progress(stats *engine.Stats, start time.Time, describe func() string) (stop func()) {
	mode := j.values.Text("progress")
	if mode == "off" || mode == "auto" && !j.err.terminal {
		return func() {}
	}
	period := 200 * time.Millisecond
	if !j.err.terminal {
		period = time.Second
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		var checks int64
		last := start
		for {
			select {
			case <-done:
				j.err.clear()
				return
			case now := <-ticker.C:
				n := stats.Get("checks")
				rate := float64(n-checks) / now.Sub(last).Seconds()
				checks, last = n, now
				j.err.status(fmt.Sprintf("%s  %.0f checks/s  %.1f s", describe(), rate, now.Sub(start).Seconds()))
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
