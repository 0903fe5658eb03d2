package smtlib

import "hornbeam/frontend/report"

// ErrUnsupported is wrapped by the errors for what is legal SMT-LIB but beyond the reader (recursive functions, strings,
// incremental scripts, …). The verdict on such a script is unknown; every other Error is bad input.
var ErrUnsupported = report.ErrUnsupported

// Error is something wrong at a place of the source.
type Error = report.Error

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
