package c

import (
	"context"

	"hornbeam/frontend/c/read"
	"hornbeam/frontend/c/source"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// The data models.
var (
	ILP32 = tree.ILP32
	LP64  = tree.LP64
)

type (
	// Options are what reading a program depends on: data model, include folders, macros.
	Options = source.Options
	// Error is something wrong at a place of the source, and Errors all that is.
	Error  = report.Error
	Errors = report.Errors
)

// ErrUnsupported is wrapped by the errors for what is C but cannot be read.
var ErrUnsupported = report.ErrUnsupported

// Read reads a program: text is the C source that positions call name, and #include "..." looks beside name. The error is
// Errors, or the context's; the program is nil then.
func Read(ctx context.Context, name string, text []byte, o Options) (*tree.Program, error) {
	return read.Program(ctx, name, text, defaults(o))
}

// Preprocess returns the text of a program without directives: what it includes, the embedded headers too, is in the text, and
// macros are expanded. Pragmas that change the layout of structs stay. Other compilers can read the text, and so can Read.
func Preprocess(ctx context.Context, name string, text []byte, o Options) ([]byte, error) {
	return source.Preprocess(ctx, name, text, defaults(o))
}

func defaults(o Options) Options {
	if o.Model == (tree.Model{}) {
		o.Model = LP64
	}
	return o
}
