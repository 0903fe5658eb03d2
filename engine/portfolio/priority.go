package portfolio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"time"

	"hornbeam/chc/term"
	"hornbeam/internal/cputime"
	"hornbeam/internal/smt"
)

const (
	// backgroundWait is how many times as long as it has worked a background engine waits while others want the processor.
	backgroundWait = 9
	// lookAround is how long it waits before it looks again.
	lookAround = 5 * time.Millisecond
	// firstSlice is that of every engine.
	firstSlice = time.Second
)

// inBackground wraps an opener for a background engine: between two checks it waits while all of the machine's cores have
// something to do, up to backgroundWait times as long as it worked since it last waited. Priorities of threads would not do:
// a thread that has to wait may hold what the others need. At its first check it counts as having worked for the others'
// head start. It does not wait before its checks have had as much processor time as first.
func inBackground(open smt.Opener, after, first time.Duration) smt.Opener {
	return aroundChecks(open, func() check {
		return (&priority{since: time.Now().Add(-after), busy: busy, firstSlice: max(first, firstSlice), credit: first}).check
	})
}

// priority knows when an engine last waited, and how to find out whether others want the processor. It belongs to the
// goroutine of its context.
type priority struct {
	since time.Time
	busy  func(own int) bool
	// firstSlice is how long a check may keep others waiting at the first attempt.
	firstSlice time.Duration
	// credit is the processor time that the engine's checks still have before it waits at all.
	credit time.Duration
}

func (m *priority) wait(ctx context.Context) {
	if m.credit > 0 {
		m.since = time.Now()
		return
	}
	worked := time.Since(m.since)
	if worked < lookAround {
		return // it is not worth the look; what is owed is not forgotten
	}
	defer func() { m.since = time.Now() }()
	for end := time.Now().Add(backgroundWait * worked); m.busy(0) && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookAround):
		}
	}
}

// busy reports whether at least as many threads of the machine want to run as there are cores, beside the one that asks
// and so many others of one's own. Where the system does not tell, there are always cores to spare.
func busy(own int) bool {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return false
	}
	fields := bytes.Fields(b)
	if len(fields) < 4 {
		return false
	}
	running, _, _ := bytes.Cut(fields[3], []byte("/"))
	n, err := strconv.Atoi(string(running))
	return err == nil && n-1-own >= runtime.NumCPU()
}

// check breaks a long check off when others want the processor, and begins again with more time when it has waited.
func (m *priority) check(ctx context.Context, s smt.Solver, assumptions []*term.Term) (smt.Status, error) {
	for slice := m.firstSlice; ; slice *= 2 {
		m.wait(ctx)
		attempt, cancel := context.WithCancelCause(ctx)
		stop := m.watch(slice, func() { cancel(errYielded) })
		var status smt.Status
		var err error
		m.credit -= cputime.Of(func() { status, err = s.Check(attempt, assumptions...) })
		stop()
		brokenOff := context.Cause(attempt) == errYielded && status == smt.Unknown
		cancel(nil)
		if !brokenOff || ctx.Err() != nil {
			return status, err
		}
	}
}

// errYielded is the cause of a check's context that was ended for the sake of others.
var errYielded = errors.New("others want the processor")

// watch calls f when a check that begins now has taken longer than slice and others wait for a core. It is called at most
// once, and not after stop has returned.
func (m *priority) watch(slice time.Duration, f func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for wait := slice; ; wait = 50 * lookAround {
			select {
			case <-done:
				return
			case <-time.After(wait):
			}
			if m.busy(1) {
				f()
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
