package main

import (
	"fmt"
	"os"
	"time"

	"hornbeam/engine"
)

// progress shows a status line on standard error until the returned function is called, when it is asked for or
// standard error is a terminal.
func (j *solveJob) progress(stats *engine.Stats, start time.Time) (stop func()) {
	switch j.values.Text("progress") {
	case "off":
		return func() {}
	case "auto":
		f, ok := j.err.(*os.File)
		if !ok || !isTerminal(f) {
			return func() {}
		}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		var checks int64
		last := start
		for {
			select {
			case <-done:
				fmt.Fprint(j.err, "\r\x1b[K")
				return
			case now := <-ticker.C:
				n := stats.Get("checks")
				rate := float64(n-checks) / now.Sub(last).Seconds()
				checks, last = n, now
				fmt.Fprintf(j.err, "\r\x1b[K; level %d  open %d  lemmas %d  reach facts %d  %.0f checks/s  %.1f s",
					stats.Get("level"), stats.Get("obligations.open"), stats.Get("lemmas"), stats.Get("facts"), rate,
					now.Sub(start).Seconds())
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// isTerminal reports whether a file is a character device: a terminal, as far as a status line is concerned.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}
