package boogie

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hornbeam/chc"
)

// ErrUnsupported is wrapped by the errors for what is Boogie but beyond this front end (concurrency, datatypes, floats,
// …). The verdict on such a program is unknown; every other Error is bad input.
var ErrUnsupported = errors.New("unsupported")

// Error is something wrong at a place of the source.
type Error struct {
	Pos chc.Position
	Msg string
	// Unsupported says that the input is Boogie but beyond this front end.
	Unsupported bool
}

// Error returns `file:line:column: message`.
func (e *Error) Error() string {
	if e.Unsupported {
		return fmt.Sprintf("%s: unsupported: %s", e.Pos, e.Msg)
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Msg)
}

// Unwrap returns ErrUnsupported when the input is Boogie but beyond this front end.
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

// maxErrors is how many errors are collected before reading ends: more would hardly be read.
const maxErrors = 20

// reporter collects errors.
type reporter struct{ errors Errors }

// bailout is what a panic carries when reading cannot go on from where it is. The error has been reported.
type bailout struct{}

// report adds an error, and gives up for good when there are too many.
func (r *reporter) report(e *Error) {
	r.errors = append(r.errors, e)
	if len(r.errors) >= maxErrors {
		panic(tooMany{})
	}
}

// tooMany is what a panic carries when enough errors have been reported.
type tooMany struct{}

// errorf reports an error and goes on.
func (r *reporter) errorf(pos chc.Position, format string, args ...any) {
	r.report(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// fail reports an error from which the surrounding declaration cannot recover.
func (r *reporter) fail(pos chc.Position, format string, args ...any) {
	r.errorf(pos, format, args...)
	panic(bailout{})
}

// unsupportedf reports something that is beyond this front end, and goes on.
func (r *reporter) unsupportedf(pos chc.Position, format string, args ...any) {
	r.report(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Unsupported: true})
}

// unsupported reports something beyond this front end that cannot be read over.
func (r *reporter) unsupported(pos chc.Position, format string, args ...any) {
	r.unsupportedf(pos, format, args...)
	panic(bailout{})
}

// recovering runs f until it returns or fails, and says whether it returned.
func recovering(f func()) (ok bool) {
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

// stopping runs f until it returns or there are too many errors.
func stopping(f func()) {
	defer func() {
		switch p := recover().(type) {
		case nil, tooMany:
		default:
			panic(p)
		}
	}()
	f()
}

// err returns what was collected, as Errors promises it, or nil.
func (r *reporter) err() error {
	es := r.errors
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
