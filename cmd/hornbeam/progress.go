package main

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"

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

// isTerminal reports whether a file descriptor is a terminal's.
func isTerminal(fd uintptr) bool {
	var state syscall.Termios
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, getTermios, uintptr(unsafe.Pointer(&state)))
	return errno == 0
}

// terminalWidth is the number of columns of a terminal, 80 where it does not tell.
func terminalWidth(fd uintptr) int {
	var size struct{ rows, columns, width, height uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 || size.columns < 2 {
		return 80
	}
	return int(size.columns)
}
