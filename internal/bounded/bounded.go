// Package bounded ends the wait for a computation soon after its context is done, even where the computation goes on.
package bounded

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// grace is how long a computation has to end by itself when its context is done. It is short of the 200 ms within which
// a signal or a limit must have its effect, so that printing has time too.
const grace = 100 * time.Millisecond

// ErrLeftBehind says that a computation did not end within the grace and goes on until the process ends.
var ErrLeftBehind = errors.New("stopped without waiting for the computation to end")

// Crash is a panic of a computation.
type Crash struct {
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("panic: %v", c.Value) }

// Run runs f, which ends soon after ctx is done; when it does not, Run returns ErrLeftBehind. A panic of f is a *Crash.
func Run[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if v := recover(); v != nil {
				r.err = &Crash{v, debug.Stack()}
			}
			done <- r
		}()
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		var zero T
		return zero, ErrLeftBehind
	}
}
