package portfolio

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"
)

// ErrMemory is the cause of a context that was cancelled because the memory limit was reached.
var ErrMemory = errors.New("memory limit")

// WithLimits returns a context that ends after timeout, and with cause ErrMemory when the process's resident memory
// passes the number of bytes, or is about to; zero stands for no limit. The caller calls stop.
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

// The watchdog's constants. A process that uses two cores was seen to grow by 1 GB/s, and a computation that is
// cancelled takes 100 to 200 ms to end, so that a limit of 1 GB is kept within a tenth.
const (
	// memoryPoll is how often the watchdog looks at the memory.
	memoryPoll = 10 * time.Millisecond
	// memoryAhead is for how long the growth that was seen last is taken to go on.
	memoryAhead = 200 * time.Millisecond
	// memorySlack is the part of the limit by which the memory that is foreseen may pass it.
	memorySlack = 0.03
	// memoryReserve is the part of the limit that the collector leaves to growth between two looks.
	memoryReserve = 0.1
	// collectorPatience is for how many looks the collector may bring down what is over the limit by less than the slack.
	collectorPatience = 20
)

// watchMemory cancels when the memory passes the limit or will at once. Before that, it has the collector keep Go's part
// down to what the rest of the process, the solver's memory, leaves of the limit.
func watchMemory(ctx context.Context, limit uint64, cancel context.CancelCauseFunc) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	w := memoryWatch{limit: float64(limit), collector: before}
	tick := time.NewTicker(memoryPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if w.exceeded(now, float64(residentMemory()), float64(runtimeMemory())) {
				cancel(ErrMemory)
				return
			}
			if w.collector < before {
				debug.SetMemoryLimit(w.collector)
			}
		}
	}
}

// memoryWatch decides from measurements whether a limit is kept. Sizes are in bytes.
type memoryWatch struct {
	limit float64
	// collector is the limit that the collector is to have, late how often it was over it while the memory was over the limit.
	collector int64
	late      int
	// at is when the last measurement was taken, other what it found of memory that is not the runtime's, and growth the
	// growth of that in bytes a second.
	at            time.Time
	other, growth float64
}

// exceeded takes a measurement of the resident memory and of the Go runtime's part of it, and reports whether the
// computation is to end.
func (w *memoryWatch) exceeded(now time.Time, resident, runtime float64) bool {
	// Only the growth that the collector does not hold back is foreseen.
	other := max(0, resident-runtime)
	if elapsed := now.Sub(w.at).Seconds(); !w.at.IsZero() && elapsed > 0 {
		// An average over a few looks, since memory is taken in steps.
		weight := min(1, elapsed/memoryAhead.Seconds())
		w.growth += weight * ((other-w.other)/elapsed - w.growth)
	}
	w.at, w.other = now, other
	w.direct()
	foreseen := resident + max(0, w.growth)*memoryAhead.Seconds()
	switch bound := w.limit * (1 + memorySlack); {
	case resident <= w.limit && foreseen <= bound:
		w.late = 0
		return false
	case resident > bound, runtime <= float64(w.collector):
		return true
	}
	w.late++
	return w.late > collectorPatience
}

// direct sets the limit that the collector is to have. It follows the measurements in steps, as each change stops the
// program for a moment.
func (w *memoryWatch) direct() {
	share := int64(max(w.limit/16, w.limit*(1-memoryReserve)-w.other))
	if math.Abs(float64(share-w.collector)) > w.limit/64 {
		w.collector = share
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
	return runtimeMemory()
}

// runtimeMemory is what the Go runtime has taken of the system and not given back, in bytes: what debug.SetMemoryLimit
// limits.
func runtimeMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	for _, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			return 0
		}
	}
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
