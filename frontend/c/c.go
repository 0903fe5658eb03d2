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
	// Unit is a translation unit: a file with the options that it is read with.
	Unit = source.Unit
	// Error is something wrong at a place of the source, and Errors all that is.
	Error  = report.Error
	Errors = report.Errors
)

// ErrUnsupported is wrapped by the errors for what is C but cannot be read.
var ErrUnsupported = report.ErrUnsupported

// Read reads a program: text is the C source that positions call name, and #include "..." looks beside name. The error is
// Errors, or the context's; the program is nil then.
func Read(ctx context.Context, name string, text []byte, o Options) (*tree.Program, error) {
	return Link(ctx, Unit{Name: name, Text: text, Options: o})
}

// Link reads a program of several translation units, at least one. Names that are static are those of one unit, others of the program,
// as a linker has them: definitions that contradict each other are errors. The data model is that of the first unit. The error is
// Errors, or the context's; the program is nil then.
func Link(ctx context.Context, units ...Unit) (*tree.Program, error) {
	own := make([]Unit, len(units))
	for i, u := range units {
		u.Options.Model = units[0].Options.Model
		u.Options = defaults(u.Options)
		own[i] = u
	}
	return read.Link(ctx, own...)
}

// CheckStandard returns what is wrong with the name of a version of C, as gcc's -std has them.
func CheckStandard(name string) error { return source.CheckStandard(name) }

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
