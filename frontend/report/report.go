package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
)

// ErrUnsupported is wrapped by the errors for what belongs to the source's language but is beyond the front end. The verdict
// on such a program is unknown; every other Error is bad input.
var ErrUnsupported = errors.New("unsupported")

// Error is something wrong at a place of the source.
type Error struct {
	Pos chc.Position
	Msg string
	// Unsupported says that the input is legal but beyond the front end.
	Unsupported bool
}

// Error returns `file:line:column: message`.
func (e *Error) Error() string {
	if e.Unsupported {
		return fmt.Sprintf("%s: unsupported: %s", e.Pos, e.Msg)
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Msg)
}

// Unwrap returns ErrUnsupported when the input is legal but beyond the front end.
func (e *Error) Unwrap() error {
	if e.Unsupported {
		return ErrUnsupported
	}
	return nil
}

// Errors is what is wrong with a program, in the source's order, at least one. Either all of them are Unsupported, or
// none is: what is unsupported in a program that is wrong anyway is left out.
type Errors []*Error

// Error returns the messages, a line each.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors one by one.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// Most is how many errors are collected before reading ends: more would hardly be read.
const Most = 20

// Reporter collects errors.
type Reporter struct{ Errors Errors }

// bailout is what a panic carries when reading cannot go on from where it is. The error has been reported.
type bailout struct{}

// Report adds an error, and gives up for good when there are too many.
func (r *Reporter) Report(e *Error) {
	r.Errors = append(r.Errors, e)
	if len(r.Errors) >= Most {
		Stop()
	}
}

// tooMany is what a panic carries when enough errors have been reported.
type tooMany struct{}

// Stop ends what Stopping runs, as too many errors do.
func Stop() { panic(tooMany{}) }

// Errorf reports an error and goes on.
func (r *Reporter) Errorf(pos chc.Position, format string, args ...any) {
	r.Report(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// Fail reports an error from which the surrounding declaration cannot recover.
func (r *Reporter) Fail(pos chc.Position, format string, args ...any) {
	r.Errorf(pos, format, args...)
	panic(bailout{})
}

// Unsupportedf reports something that is beyond this front end, and goes on.
func (r *Reporter) Unsupportedf(pos chc.Position, format string, args ...any) {
	r.Report(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Unsupported: true})
}

// Unsupported reports something beyond this front end that cannot be read over.
func (r *Reporter) Unsupported(pos chc.Position, format string, args ...any) {
	r.Unsupportedf(pos, format, args...)
	panic(bailout{})
}

// Recovering runs f until it returns or fails, and says whether it returned.
func Recovering(f func()) (ok bool) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case bailout:
			ok = false
		default:
			panic(p)
		}
	}()
	f()
	return true
}

// Stopping runs f until it returns or there are too many errors.
func Stopping(f func()) {
	defer func() {
		switch p := recover().(type) {
		case nil, tooMany:
		default:
			panic(p)
		}
	}()
	f()
}

// Err returns what was collected, as Errors promises it, or nil.
func (r *Reporter) Err() error {
	es := r.Errors
	if wrong := slices.DeleteFunc(slices.Clone(es), func(e *Error) bool { return e.Unsupported }); len(wrong) > 0 {
		es = wrong
	}
	if len(es) == 0 {
		return nil
	}
	slices.SortStableFunc(es, func(a, b *Error) int {
		if a.Pos.File != b.Pos.File {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return slices.CompactFunc(es, func(a, b *Error) bool { return *a == *b })
}
