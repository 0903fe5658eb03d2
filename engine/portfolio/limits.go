package portfolio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"
)

// ErrMemory is the cause of a context that was cancelled because the memory limit was reached.
var ErrMemory = errors.New("memory limit")

// memoryPoll is how often the watchdog looks at the memory.
const memoryPoll = 100 * time.Millisecond

// WithLimits returns a context that ends after timeout, and with cause ErrMemory when the process's resident memory
// passes the number of bytes; zero stands for no limit. The caller calls stop.
func WithLimits(ctx context.Context, timeout time.Duration, memory uint64) (limited context.Context, stop func()) {
	stops := []func(){}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		stops = append(stops, cancel)
	}
	if memory > 0 {
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		var watchdog sync.WaitGroup
		watched := ctx
		watchdog.Go(func() { watchMemory(watched, memory, cancel) })
		stops = append(stops, func() {
			cancel(context.Canceled)
			watchdog.Wait()
		})
	}
	return ctx, func() {
		for i := len(stops) - 1; i >= 0; i-- {
			stops[i]()
		}
	}
}

// watchMemory cancels when the memory passes the limit and giving back what the collector can free does not help.
func watchMemory(ctx context.Context, limit uint64, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(memoryPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if residentMemory() <= limit {
				continue
			}
			debug.FreeOSMemory()
			if residentMemory() > limit {
				cancel(ErrMemory)
				return
			}
		}
	}
}

// residentMemory is the process's resident set in bytes where the system tells it, and otherwise what the Go runtime
// has taken, which leaves out the solver's own memory.
func residentMemory() uint64 {
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := bytes.Fields(b); len(fields) > 1 {
			if pages, err := strconv.ParseUint(string(fields[1]), 10, 64); err == nil {
				return pages * uint64(os.Getpagesize())
			}
		}
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
