package c

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hornbeam/frontend/c/tree"
)

// ErrUnsupported is wrapped by the errors for what is C but cannot be read. The verdict on such a program is unknown;
// every other Error is bad input.
var ErrUnsupported = errors.New("unsupported")

// Error is something wrong at a place of the source.
type Error struct {
	Pos tree.Pos
	Msg string
	// Unsupported says that the input is C but beyond this front end.
	Unsupported bool
}

// Error returns `file:line:column: message`.
func (e *Error) Error() string {
	if e.Unsupported {
		return fmt.Sprintf("%s: unsupported: %s", e.Pos, e.Msg)
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Msg)
}

// Unwrap returns ErrUnsupported when the input is C but beyond this front end.
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

// tooMany is what a panic carries when enough errors have been reported.
type tooMany struct{}

// report adds an error, and gives up for good when there are too many.
func (r *reporter) report(e *Error) {
	r.errors = append(r.errors, e)
	if len(r.errors) >= maxErrors {
		panic(tooMany{})
	}
}

// errorf reports an error and goes on.
func (r *reporter) errorf(pos tree.Pos, format string, args ...any) {
	r.report(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// fail reports an error from which the surrounding declaration cannot recover.
func (r *reporter) fail(pos tree.Pos, format string, args ...any) {
	r.errorf(pos, format, args...)
	panic(bailout{})
}

// unsupported reports something beyond this front end that cannot be read over.
func (r *reporter) unsupported(pos tree.Pos, format string, args ...any) {
	r.report(&Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Unsupported: true})
	panic(bailout{})
}

// recovering runs f until it returns or fails.
func recovering(f func()) {
	defer func() {
		switch p := recover().(type) {
		case nil, bailout:
		default:
			panic(p)
		}
	}()
	f()
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

var (
	// origin is what the parser adds to a message on where in itself the message was made.
	origin = regexp.MustCompile(` \([a-z0-9_]+\.go:\d+:[^()]*\)$`)
	// placed is a message with its place.
	placed = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)
	// characterName is how the parser names a character in its messages.
	characterName = regexp.MustCompile(`U\+[0-9A-F]+ ('.')`)
)

// parserErrors makes Errors of the parser's error, which has a line for each thing that it found.
func parserErrors(name string, err error) Errors {
	var out Errors
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = characterName.ReplaceAllString(origin.ReplaceAllString(line, ""), "$1")
		if line == "" {
			continue
		}
		e := &Error{Pos: tree.Pos{File: name, Line: 1, Column: 1}, Msg: line}
		if m := placed.FindStringSubmatch(line); m != nil {
			e.Pos.File, e.Msg = m[1], m[4]
			e.Pos.Line, _ = strconv.Atoi(m[2])
			e.Pos.Column, _ = strconv.Atoi(m[3])
		}
		// What follows the first finding is mostly its consequence.
		if out = append(out, e); len(out) == 3 || strings.HasPrefix(e.Msg, "include file not found") {
			break
		}
	}
	return out
}
