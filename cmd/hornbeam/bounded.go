package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"hornbeam/chc/term"
	"hornbeam/frontend/smtlib"
)

// grace is how long a computation has to end by itself when its context is done. It is short of the 200 ms within which
// a signal or a limit must have its effect, so that printing has time too.
const grace = 100 * time.Millisecond

// errLeftBehind says that a computation did not end within the grace and goes on until the process ends.
var errLeftBehind = errors.New("stopped without waiting for the computation to end")

// allStacks is what every goroutine is doing, to find what was left behind.
func allStacks() string {
	b := make([]byte, 1<<16)
	return string(b[:runtime.Stack(b, true)])
}

// crash is a panic outside of the phases that engine/portfolio guards.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("panic: %v", c.value) }

// bounded runs f, which ends soon after ctx is done; when it does not, bounded returns errLeftBehind. A panic of f is a
// *crash.
func bounded[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if v := recover(); v != nil {
				r.err = &crash{v, debug.Stack()}
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
		return zero, errLeftBehind
	}
}

// readFile reads a file, or standard input when its name is "-", and returns the name to use in messages.
func readFile(file string, stdin io.Reader) (string, []byte, error) {
	if file == "-" {
		src, err := io.ReadAll(stdin)
		return "<stdin>", src, err
	}
	src, err := os.ReadFile(file)
	return file, src, err
}

// readScript reads a Horn file, or standard input when its name is "-". The script also comes with an error that wraps
// smtlib.ErrUnsupported.
func readScript(file string, stdin io.Reader) (*smtlib.Script, error) {
	name, src, err := readFile(file, stdin)
	if err != nil {
		return nil, err
	}
	return smtlib.Read(name, src, term.NewPool())
}
