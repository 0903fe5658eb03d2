package smtlib

import (
	"errors"
	"fmt"

	"hornbeam/chc"
)

// ErrUnsupported is wrapped by the errors for what is legal SMT-LIB but beyond the reader (recursive functions, strings,
// incremental scripts, …). The verdict on such a script is unknown; every other Error is bad input.
var ErrUnsupported = errors.New("unsupported")

// Error is something wrong at a place of the source.
type Error struct {
	Pos chc.Position
	Msg string
	// Unsupported says that the input is legal but beyond the reader.
	Unsupported bool
}

// Error returns `file:line:column: message`.
func (e *Error) Error() string {
	if e.Unsupported {
		return fmt.Sprintf("%s: unsupported: %s", e.Pos, e.Msg)
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Msg)
}

// Unwrap returns ErrUnsupported when the input is legal but beyond the reader.
func (e *Error) Unwrap() error {
	if e.Unsupported {
		return ErrUnsupported
	}
	return nil
}

// bailout carries an Error from where it is found to the exported function that returns it.
type bailout struct{ err *Error }

// rescue turns a bailout into the error that err points to; other panics go on.
func rescue(err *error) {
	switch p := recover().(type) {
	case nil:
	case bailout:
		*err = p.err
	default:
		panic(p)
	}
}
