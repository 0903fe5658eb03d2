package harness

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hornbeam/frontend/c"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// What every harness has.
var (
	//go:embed text/system.c
	systemText string
	//go:embed text/library.c
	intrinsicsText string
	//go:embed text/alone.c
	aloneText string
)

// Input is a program with a run of it that reaches the error.
type Input struct {
	// Name is what the program is called, Text is its source, and Read says how that was read.
	Name string
	Text []byte
	Read c.Options
	// Tree is the program as it was read, Runner the same ready to be run, and Script repeats the run.
	Tree   *tree.Program
	Runner *interpret.Program
	Script *interpret.Script
	// Options are those of Runner.
	Options interpret.Options
}

// Write writes a program that repeats the run.
func Write(ctx context.Context, in Input) ([]byte, error) {
	w := &writer{Input: in, record: newRecord()}
	w.record.errno = in.Tree.Errno
	if w.Options.Entry == "" {
		w.Options.Entry = "main"
	}
	outcome, err := in.Runner.Run(ctx, in.Script, w.record.observe)
	if err != nil {
		return nil, fmt.Errorf("repeat the run: %w", err)
	}
	if outcome.Kind != interpret.ErrorReached {
		return nil, fmt.Errorf("repeat the run: %s", outcome)
	}
	if in.Tree.Contracts {
		return nil, errors.New("gcc does not check contracts")
	}
	if outcome.Addresses {
		w.record.left["where objects lie"] = true
	}
	if err := w.prepare(ctx); err != nil {
		return nil, fmt.Errorf("write a harness for %s: %w", in.Name, err)
	}
	return w.text(outcome), nil
}

// writer writes one harness.
type writer struct {
	Input
	record *record
	// source is the preprocessed program, and again its tree.
	source []byte
	lines  []int
	again  *tree.Program
	edits  []edit
	// declarations stand before the program, definitions behind it.
	renames, declarations, definitions strings.Builder
}

// edit puts a text in at an offset of the source.
type edit struct {
	at   int
	text string
}

// prepare preprocesses the program and finds what is to be changed in it.
func (w *writer) prepare(ctx context.Context) error {
	var err error
	if w.source, err = c.Preprocess(ctx, w.Name, w.Text, w.Read); err != nil {
		return err
	}
	// The text has what the options said of macros and files.
	if w.again, err = c.Read(ctx, w.Name, w.source, c.Options{Model: w.Read.Model, Physical: true}); err != nil {
		return fmt.Errorf("read the preprocessed program: %w", err)
	}
	// What contracts assume of functions without a body holds of the values of the run.
	functions := slices.DeleteFunc(slices.Clone(w.Tree.Functions), func(f *tree.Function) bool { return f.Instrumented })
	if len(w.again.Functions) != len(functions) {
		return fmt.Errorf("the preprocessed program has other functions")
	}
	w.lines = []int{0}
	for i, b := range w.source {
		if b == '\n' {
			w.lines = append(w.lines, i+1)
		}
	}
	for i, f := range functions {
		if w.again.Functions[i].Name != f.Name {
			return fmt.Errorf("the preprocessed program has other functions")
		}
		if err := w.function(i, f, w.again.Functions[i]); err != nil {
			return err
		}
	}
	if bytes.Contains(w.source, []byte("__builtin_bitreverse")) {
		// gcc does not have these.
		for i, t := range []string{"unsigned char", "unsigned short", "unsigned", "unsigned long long"} {
			name := fmt.Sprintf("__builtin_bitreverse%d", 8<<i)
			w.rename(name, "__hornbeam_of_"+name)
			fmt.Fprintf(&w.declarations, "%s __hornbeam_of_%s(%s);\n", t, name, t)
		}
	}
	if w.Tree.Errno != nil {
		fmt.Fprintf(&w.declarations, "static int __hornbeam_errno;\nstatic int *__hornbeam_errno_location(void) { return &__hornbeam_errno; }\n")
		for _, name := range []string{"__errno_location", "__error", "___errno"} {
			w.rename(name, "__hornbeam_errno_location")
		}
	}
	w.externals()
	w.blocks()
	w.allocations()
	w.entry()
	return nil
}

// function changes a function that the program defines, and defines one that it does not.
func (w *writer) function(i int, f, again *tree.Function) error {
	meaning := lib.Meaning(f)
	if f.Body == nil {
		return w.define(i, f, meaning)
	}
	if name := w.called(f.Name); name != f.Name {
		w.rename(f.Name, name)
	}
	begin := w.find(again.Body.Pos(), '{')
	if begin < 0 {
		return fmt.Errorf("the body of %s has no place", f.Name)
	}
	if meaning.Kind == lib.Error {
		w.insert(begin+1, " "+w.failed())
		return nil
	}
	if stub := w.stub(i, f, meaning); stub != "" {
		w.insert(begin+1, stub)
		return nil
	}
	if cells := w.record.missing[f]; len(cells) > 0 && tree.Scalar(f.Type.Result) {
		if end := w.offset(again.End); end > begin && w.source[end] == '}' {
			w.insert(end, fmt.Sprintf(" return (__typeof__(%s))__hornbeam_missing_%d();", castable(f.Type.Result), i))
			w.table("__hornbeam_missing_"+fmt.Sprint(i), "", carrier(f.Type.Result), cells)
		}
	}
	return w.body(i, f, again)
}

// stub is what a function does instead of what its body says; empty if it does that.
func (w *writer) stub(i int, f *tree.Function, meaning lib.Function) string {
	parameter := func(n int) string {
		if n < len(f.Params) && f.Params[n].Name != "" {
			return f.Params[n].Name
		}
		w.record.left["what "+f.Name+" is given"] = true
		return "1"
	}
	switch meaning.Kind {
	case lib.Assert:
		return fmt.Sprintf(" if (!%s) %s", parameter(0), w.failed())
	case lib.AssertNot:
		return fmt.Sprintf(" if (%s) %s", parameter(0), w.failed())
	case lib.AssertIf:
		return fmt.Sprintf(" if (%s && !%s) %s", parameter(0), parameter(1), w.failed())
	case lib.Assume:
		return fmt.Sprintf(" if (!%s) __hornbeam_exit(0);", parameter(0))
	case lib.Ignore:
		if !tree.Scalar(f.Type.Result) {
			return " return;"
		}
		cells := make([]cell, len(w.record.results[f]))
		for k, c := range w.record.results[f] {
			cells[k] = cell{t: carrier(f.Type.Result), argument: inResult}
			if len(c) > 0 {
				cells[k] = c[0]
			}
		}
		name := fmt.Sprintf("__hornbeam_stub_%d", i)
		w.table(name, "", carrier(f.Type.Result), cells)
		return fmt.Sprintf(" return (__typeof__(%s))%s();", castable(f.Type.Result), name)
	}
	return ""
}

// called is what a function that the program defines is called in the harness.
func (w *writer) called(name string) string {
	switch {
	case name == w.Options.Entry:
		return "__hornbeam_entry"
	case name == "main", lib.Lookup(name, false).Kind != lib.Ordinary || lib.Base(name) != name:
		// The names of C's library are the program's own here.
		return "__hornbeam_own_" + name
	}
	return name
}

// castable is a type that a value is given before it is converted as an assignment does.
func castable(t tree.Type) string { return typeName(t) }

// carrier is a type that can carry values of the type, and has a name before the program.
func carrier(t tree.Type) tree.Type {
	switch t.(type) {
	case *tree.Integer:
		return tree.NewInteger("long long", 64, true, 8)
	case *tree.Float:
		return tree.NewFloat("long double", 16, 16)
	}
	return t
}

// body puts values into uninitialised objects, and makes the error label the error.
func (w *writer) body(i int, f, again *tree.Function) error {
	first, second := declarations(f), declarations(again)
	if len(first) != len(second) {
		return fmt.Errorf("the preprocessed %s has other declarations", f.Name)
	}
	for k, d := range first {
		times := w.record.locals[d.Declare]
		if len(times) == 0 {
			continue
		}
		at := w.offset(second[k].Object.Pos)
		if end := w.statementEnd(at); d.inFor || d.Object.Const || end < 0 {
			w.record.left["what "+d.Object.Name+" in "+f.Name+" holds at first"] = true
		} else {
			w.local(fmt.Sprintf("__hornbeam_local_%d_%d", i, k), d.Object, times, end)
		}
	}
	if w.Options.ErrorLabel == "" {
		return nil
	}
	tree.Inspect(again.Body, func(n tree.Node) bool {
		if l, ok := n.(*tree.Label); ok && l.Name == w.Options.ErrorLabel {
			if at := w.find(l.Pos(), ':'); at >= 0 {
				w.insert(at+1, " "+w.failed())
			}
		}
		return true
	})
	return nil
}

// local fills an object after its declaration.
func (w *writer) local(name string, o *tree.Object, times [][]cell, end int) {
	if tree.Scalar(o.Type) {
		cells := make([]cell, len(times))
		for i, t := range times {
			cells[i] = cell{t: o.Type, argument: inResult}
			if len(t) > 0 && t[0].offset == 0 {
				cells[i] = t[0]
			}
		}
		w.insert(end, fmt.Sprintf(" %s = %s();", o.Name, name))
		w.table(name, "", carrier(o.Type), cells)
		return
	}
	w.insert(end, fmt.Sprintf(" %s(&%s);", name, o.Name))
	fmt.Fprintf(&w.declarations, "void %s(void *);\n", name)
	fmt.Fprintf(&w.definitions, "void %s(void *p) {\n  static unsigned long n;\n  switch (n++) {\n", name)
	for i, cells := range times {
		fmt.Fprintf(&w.definitions, "  case %d:%s break;\n", i, w.stores("p", cells))
	}
	fmt.Fprintf(&w.definitions, "  }\n}\n")
}

// declaration is one of a function, and whether it stands in the head of a for loop.
type declaration struct {
	*tree.Declare
	inFor bool
}

func declarations(f *tree.Function) []declaration {
	var out []declaration
	heads := map[*tree.Declare]bool{}
	tree.Inspect(f.Body, func(n tree.Node) bool {
		switch n := n.(type) {
		case *tree.For:
			for _, s := range n.Init {
				if d, ok := s.(*tree.Declare); ok {
					heads[d] = true
				}
			}
		case *tree.Declare:
			out = append(out, declaration{n, heads[n]})
		}
		return true
	})
	return out
}

// failed is the statement that does what a call of an error function is to do: where overflows are asked for, it ends the run.
func (w *writer) failed() string {
	if !w.Options.Faults.OrAssertions().Has(fault.Assertion) {
		return "__hornbeam_exit(0);"
	}
	return "__hornbeam_reached();"
}

// rename gives everything of a name another one.
func (w *writer) rename(name, to string) { fmt.Fprintf(&w.renames, "#define %s %s\n", name, to) }

func (w *writer) insert(at int, text string) { w.edits = append(w.edits, edit{at, text}) }

// offset is where a place is in the preprocessed source; -1 if it is nowhere.
func (w *writer) offset(p tree.Pos) int {
	if p.File != w.Name || p.Line < 1 || p.Line > len(w.lines) {
		return -1
	}
	if at := w.lines[p.Line-1] + p.Column - 1; at >= 0 && at < len(w.source) {
		return at
	}
	return -1
}

// find is the first occurrence of a character from a place on.
func (w *writer) find(p tree.Pos, c byte) int {
	at := w.offset(p)
	if at < 0 {
		return -1
	}
	n := bytes.IndexByte(w.source[at:], c)
	if n < 0 {
		return -1
	}
	return at + n
}

// statementEnd is behind the semicolon that ends the declaration that the offset is in; -1 if there is none.
func (w *writer) statementEnd(at int) int {
	depth := 0
	for i := at; i >= 0 && i < len(w.source); i++ {
		switch c := w.source[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			// The name may stand in parentheses of its own, as that of a pointer to a function.
			depth = max(depth-1, 0)
		case '"', '\'':
			for i++; i < len(w.source) && w.source[i] != c; i++ {
				if w.source[i] == '\\' {
					i++
				}
			}
		case ';':
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// text is the harness.
func (w *writer) text(outcome interpret.Outcome) []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* %s with a run that reaches the error: %s.\n\n", comment(w.Name), comment(outcome.String()))
	fmt.Fprintf(&b, "   %s\n   It prints that the error is reached, and exits with 107.\n", strings.Join(Command(w.Tree.Model, w.Options.Faults, "PROGRAM", "HARNESS.c"), " "))
	for _, what := range slices.Sorted(maps.Keys(w.record.left)) {
		fmt.Fprintf(&b, "   What the run depends on and is not forced here: %s.\n", comment(what))
	}
	b.WriteString("*/\n")
	b.WriteString(systemText)
	b.WriteString("static void __hornbeam_end(void);\n")
	b.WriteString(w.declarations.String())
	b.WriteString("#define inline\n#define __inline\n#define __inline__\n")
	b.WriteString(w.renames.String())
	b.WriteString("/* The program. */\n")
	at := 0
	for _, e := range w.edits {
		b.Write(w.source[at:e.at])
		b.WriteString(e.text)
		at = e.at
	}
	b.Write(w.source[at:])
	b.WriteString("\n/* What it leaves open. */\n")
	for line := range strings.Lines(w.renames.String()) {
		fmt.Fprintf(&b, "#undef %s\n", strings.Fields(line)[1])
	}
	b.WriteString(w.definitions.String())
	b.WriteString(intrinsicsText)
	writeLibrary(&b)
	b.WriteString(aloneText)
	return b.Bytes()
}

// writeLibrary writes the definitions of C's library, each with a name that no program has, and a symbol that its calls lead to.
func writeLibrary(b *bytes.Buffer) {
	b.WriteString("#define size_t __hornbeam_size\n#define __hornbeam_any(usual) (usual)\n#define __hornbeam_assume(condition)\n#define __hornbeam_defined(condition)\n#define malloc __hornbeam_c_malloc\n")
	all := lib.Definitions()
	for _, d := range all {
		fmt.Fprintf(b, "#define %s __hornbeam_c_%[1]s\n", d.Name)
	}
	for _, d := range all {
		fmt.Fprintf(b, "%s __asm__(\"__hornbeam_of_%s\");\n%s", d.Head(), d.Name, d.Text)
	}
	for _, d := range all {
		fmt.Fprintf(b, "#undef %s\n", d.Name)
	}
}

// comment is a text that does not end the comment that it is in.
func comment(s string) string { return strings.ReplaceAll(s, "*/", "* /") }
