package portfolio

import (
	"fmt"
	"runtime/debug"
	"time"
)

// panicError is a panic of an engine, a pass or a checker.
type panicError struct {
	phase string
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic while %s: %v", e.phase, e.value) }

// phase runs f under the phase's name, adds its time to the statistics, and turns a panic into a *panicError.
func phase[T any](r *run, name, timer string, f func() (T, error)) (result T, err error) {
	r.phase = name
	start := time.Now()
	defer func() {
		r.Stats.AddTime(timer, time.Since(start))
		if v := recover(); v != nil {
			err = &panicError{phase: name, value: v, stack: debug.Stack()}
		}
	}()
	return f()
}
