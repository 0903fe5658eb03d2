package c

import (
	"context"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/lexical"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/report"
)

// The data models.
var (
	ILP32 = tree.Model{Name: "ILP32", PointerBytes: 4} // int, long and pointers have 32 bits: i386
	LP64  = tree.Model{Name: "LP64", PointerBytes: 8}  // long and pointers have 64 bits: x86-64
)

// Options are what reading a program depends on.
type Options struct {
	// Model is ILP32 or LP64; the zero value is LP64.
	Model tree.Model
	// IncludeDirs are folders in which #include looks before the embedded headers.
	IncludeDirs []string
	// Defines are macros, NAME or NAME=VALUE.
	Defines []string
}

// Read reads a program: text is the C source that positions call name, and #include "..." looks beside name. The error is
// Errors, or the context's; the program is nil then.
func Read(ctx context.Context, name string, text []byte, o Options) (program *tree.Program, err error) {
	if o.Model == (tree.Model{}) {
		o.Model = LP64
	}
	r := newReader(ctx, newTypes(o.Model), mend(name, text))
	ast, err := r.parse(o, prelude+atomics+builtinDeclarations)
	if err != nil {
		return nil, err
	}
	// A fault of the parser or of this package must not take the caller down: it is an error at the declaration where it
	// happened.
	defer func() {
		if p := recover(); p != nil {
			program, err = nil, Errors{{Pos: r.declaring, Msg: fmt.Sprintf("internal fault: %v", p), Unsupported: true}}
		}
	}()
	report.Stopping(func() { program = r.program(ast) })
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	// What follows something unsupported may be its consequence: a name that was not declared.
	if i := slices.IndexFunc(r.Errors, func(e *Error) bool { return e.Unsupported }); i >= 0 {
		r.Errors = r.Errors[:i+1]
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return program, nil
}

// parse preprocesses and parses the program behind the declarations.
func (r *reader) parse(o Options, declarations string) (ast *cc.AST, err error) {
	defer func() {
		if p := recover(); p != nil {
			pos := tree.Pos{File: r.source.name, Line: 1, Column: 1}
			ast, err = nil, Errors{{Pos: pos, Msg: fmt.Sprintf("the parser failed: %v", p), Unsupported: true}}
		}
	}()
	config, err := configuration(o.Model, &fileSystem{}, o.IncludeDirs, r.pragma)
	if err != nil {
		return nil, err
	}
	ast, err = cc.Parse(config, []cc.Source{
		{Name: "<predefined>", Value: predefined(r.types, o.Defines)},
		{Name: "<builtin>", Value: declarations},
		{Name: r.source.name, Value: r.source.text},
	})
	if err != nil {
		es := parserErrors(r.source.name, err)
		if line, column, what := lexical.Unread(r.source.text, es[0].Pos.Line); what != "" && es[0].Pos.File == r.source.name {
			es = Errors{{Pos: tree.Pos{File: r.source.name, Line: line, Column: column}, Msg: what, Unsupported: true}}
		}
		for _, e := range es {
			e.Pos = r.source.original(e.Pos)
		}
		return nil, es
	}
	return ast, nil
}
