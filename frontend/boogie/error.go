package boogie

import "hornbeam/frontend/report"

// ErrUnsupported is wrapped by the errors for what is Boogie but beyond this front end (concurrency, floats, …).
var ErrUnsupported = report.ErrUnsupported

type (
	// Error is something wrong at a place of the source, and Errors all that is.
	Error  = report.Error
	Errors = report.Errors

	reporter = report.Reporter
)
