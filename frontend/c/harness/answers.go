package harness

import (
	"fmt"
	"slices"
	"strings"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// unknownSize is how many bytes an object has whose size nobody says, as in the interpreter.
const unknownSize = 1 << 16

// own are the functions that the harness defines.
var own = func() map[string]bool {
	names := map[string]bool{}
	for _, d := range lib.Definitions() {
		names[d.Name] = true
	}
	for line := range strings.Lines(intrinsicsText) {
		if rest, ok := strings.CutPrefix(line, "__HORNBEAM("); ok {
			if parts := strings.SplitN(rest, ", ", 3); len(parts) == 3 {
				names[parts[1]] = true
			}
		} else if rest, ok := strings.CutPrefix(line, "__HORNBEAM_FLOATS("); ok {
			name, _, _ := strings.Cut(rest, ",")
			names["__"+name], names["__"+name+"f"], names["__"+name+"l"] = true, true, true
		}
	}
	return names
}()

// define defines a function that the program does not.
func (w *writer) define(i int, f *tree.Function, meaning lib.Function) error {
	calls := w.record.results[f]
	chosen := slices.ContainsFunc(calls, func(cells []cell) bool { return len(cells) > 0 })
	name := f.Name
	symbol := "__hornbeam_of_" + name
	parameter := func(n int) string {
		if n < len(f.Type.Params) && tree.Scalar(f.Type.Params[n]) {
			return typeName(f.Type.Params[n])
		}
		return "int"
	}
	body := ""
	switch meaning.Kind {
	case lib.Error, lib.Trap:
		body = "(void) { " + w.failed() + " }"
	case lib.Assert:
		body = fmt.Sprintf("(%s x) { if (!x) %s }", parameter(0), w.failed())
	case lib.AssertNot:
		body = fmt.Sprintf("(%s x) { if (x) %s }", parameter(0), w.failed())
	case lib.AssertIf:
		body = fmt.Sprintf("(%s x, %s y) { if (x && !y) %s }", parameter(0), parameter(1), w.failed())
	case lib.Assume:
		body = fmt.Sprintf("(%s x) { if (!x) __hornbeam_exit(0); }", parameter(0))
	case lib.Stop:
		body = "(void) { __hornbeam_exit(0); }"
		if lib.Ends(meaning) {
			body = "(void) { __hornbeam_end(); }"
		}
		if meaning.Name == "__builtin_unreachable" && w.Options.Faults.Has(fault.Unreachable) {
			body = "(void) { __hornbeam_reached(); }"
		}
	}
	switch {
	case body != "":
		w.rename(name, symbol)
		c := fmt.Sprintf("__hornbeam_answer_%d", i)
		fmt.Fprintf(&w.definitions, "void %s() __asm__(\"%s\");\nvoid %s%s\n", c, symbol, c, body)
	case own[name]:
		w.rename(name, symbol)
	case strings.HasPrefix(name, "__builtin_") && !chosen:
		// gcc knows it.
	case (meaning.Kind == lib.Math || meaning.Kind == lib.Compute || meaning.Kind == lib.Memory || meaning.Kind == lib.Expect) && !chosen:
		// C's library defines it.
	default:
		w.rename(name, symbol)
		return w.answers(fmt.Sprintf("__hornbeam_answer_%d", i), symbol, f, calls)
	}
	return nil
}

// answers defines a function that gives answers call by call.
func (w *writer) answers(name, symbol string, f *tree.Function, calls [][]cell) error {
	result := f.Type.Result
	simple := tree.Scalar(result)
	for _, cells := range calls {
		simple = simple && len(cells) <= 1 && (len(cells) == 0 || cells[0].argument == inResult)
	}
	if simple {
		cells := make([]cell, len(calls))
		for i, c := range calls {
			cells[i] = cell{t: result, argument: inResult}
			if len(c) > 0 {
				cells[i] = c[0]
			}
		}
		w.table(name, symbol, result, cells)
		return nil
	}
	written := -1
	for _, cells := range calls {
		for _, c := range cells {
			written = max(written, c.argument)
		}
	}
	var params []string
	for i := range written + 1 {
		t := "void *"
		if i < len(f.Type.Params) && tree.Scalar(f.Type.Params[i]) {
			t = typeName(f.Type.Params[i])
		}
		params = append(params, fmt.Sprintf("%s a%d", t, i))
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	t := "void"
	switch r := result.(type) {
	case *tree.Void:
	case *tree.Struct:
		switch {
		case r.Tag != "":
			t = r.String()
		case len(f.Type.Params) == 0:
			t = "__typeof__(" + f.Name + "())"
			// The name is still that of the program's declaration.
			t = strings.Replace(t, f.Name, symbol, 1)
		case len(calls) == 0:
		default:
			return fmt.Errorf("the type of what %s returns has no name", f.Name)
		}
	default:
		t = typeName(result)
	}
	d := &w.definitions
	fmt.Fprintf(d, "%s %s(%s) __asm__(\"%s\");\n%s %s(%s) {\n", t, name, strings.Join(params, ", "), symbol, t, name, strings.Join(params, ", "))
	if t != "void" {
		fmt.Fprintf(d, "  static %s none;\n  %s r = none;\n", t, t)
	}
	fmt.Fprintf(d, "  static unsigned long n;\n  switch (n++) {\n")
	for i, cells := range calls {
		if len(cells) == 0 {
			continue
		}
		fmt.Fprintf(d, "  case %d:", i)
		for _, c := range cells {
			if c.argument == inErrno {
				d.WriteString(w.stores("&__hornbeam_errno", []cell{c}))
			} else if c.argument >= 0 {
				d.WriteString(w.stores(fmt.Sprintf("a%d", c.argument), []cell{c}))
			} else if t != "void" {
				d.WriteString(w.stores("&r", []cell{c}))
			}
		}
		d.WriteString(" break;\n")
	}
	d.WriteString("  }\n")
	if t != "void" {
		d.WriteString("  return r;\n")
	}
	d.WriteString("}\n")
	return nil
}

// table defines a function without parameters that returns the cells' values one after the other, and then zeros. Without a
// symbol it is declared before the program.
func (w *writer) table(name, symbol string, t tree.Type, cells []cell) {
	c := typeName(t)
	d := &w.definitions
	if symbol == "" {
		fmt.Fprintf(&w.declarations, "%s %s(void);\n", c, name)
	} else {
		fmt.Fprintf(d, "%s %s(void) __asm__(\"%s\");\n", c, name, symbol)
	}
	fmt.Fprintf(d, "%s %s(void) {\n", c, name)
	if len(cells) == 0 {
		fmt.Fprintf(d, "  return 0;\n}\n")
		return
	}
	fmt.Fprintf(d, "  static %s%s values[] = {", c, map[bool]string{true: "const", false: " const"}[strings.HasSuffix(c, "*")])
	for i, cell := range cells {
		switch {
		case i > 0 && i%16 == 0:
			d.WriteString(",\n    ")
		case i > 0:
			d.WriteString(", ")
		}
		d.WriteString(w.literal(cell.t, cell.value))
	}
	fmt.Fprintf(d, "};\n  static unsigned long n;\n  return n < %d ? values[n++] : 0;\n}\n", len(cells))
}

// externals defines the objects that the program only declares.
func (w *writer) externals() {
	var begin strings.Builder
	for i, o := range w.Tree.Globals {
		if !o.External || o.Name == "" || strings.HasSuffix(o.Name, ".linked") {
			continue
		}
		// What the program calls it, and with which type, is nothing to the linker.
		size := o.Type.Size()
		if size == 0 || tree.Open(o.Type) {
			size += unknownSize
		}
		name := fmt.Sprintf("__hornbeam_extern_%d", i)
		fmt.Fprintf(&w.definitions, "char %s[%d] __asm__(\"%s\") __attribute__((aligned(16)));\n", name, size, o.Name)
		begin.WriteString(w.stores(name, w.record.externals[o]))
	}
	fmt.Fprintf(&w.definitions, "static void __hornbeam_externals(void) {%s }\n", begin.String())
}

// blocks defines the objects that addresses lead to which the run was given.
func (w *writer) blocks() {
	var begin strings.Builder
	var declared strings.Builder
	for i, cells := range w.record.contents {
		fmt.Fprintf(&declared, "static char %s[%d] __attribute__((aligned(16)));\n", blockName(i), unknownSize)
		begin.WriteString(w.stores(blockName(i), cells))
	}
	text := declared.String() + w.definitions.String()
	w.definitions.Reset()
	w.definitions.WriteString(text)
	fmt.Fprintf(&w.definitions, "static void __hornbeam_objects(void) {%s }\n", begin.String())
}

// allocations fills what malloc and its likes give.
func (w *writer) allocations() {
	d := &w.definitions
	d.WriteString("static void __hornbeam_fill(unsigned long n, char *p) {\n  switch (n) {\n")
	for i := range len(w.record.allocated) {
		if cells := w.record.heap[i]; len(cells) > 0 {
			fmt.Fprintf(d, "  case %d:%s break;\n", i, w.stores("p", cells))
		}
	}
	d.WriteString("  }\n}\n")
	fmt.Fprintf(d, "static int __hornbeam_fails(void) {\n  static const char fails[] = {%s 0};\n  static unsigned long n;\n  return n < sizeof fails - 1 && fails[n++];\n}\n", failing(w.record.failures))
	if w.Options.Faults.Has(fault.Cleanup, fault.Lost) {
		d.WriteString("#define HORNBEAM_LEAKS\n")
	}
}

// failing are the allocations that fail, as an initialiser.
func failing(failures []bool) string {
	var out strings.Builder
	for _, fails := range failures {
		if fails {
			out.WriteString(" 1,")
		} else {
			out.WriteString(" 0,")
		}
	}
	return out.String()
}

// entry defines where the harness begins.
func (w *writer) entry() {
	f := w.Tree.Function(w.Options.Entry)
	d := &w.definitions
	var types, arguments []string
	for i, p := range f.Params {
		v, known := w.record.parameters[p]
		switch {
		case f.Name == "main" && i == 1:
			types, arguments = append(types, "char **"), append(arguments, "values")
		case f.Name == "main" && i == 2:
			types, arguments = append(types, "char **"), append(arguments, "none")
		case tree.Scalar(p.Type) && known:
			types, arguments = append(types, typeName(p.Type)), append(arguments, fmt.Sprintf("(%s)%s", typeName(p.Type), w.literal(p.Type, v)))
		default:
			types, arguments = append(types, "long long"), append(arguments, "0")
		}
	}
	n := int64(1)
	if f.Name == "main" && len(f.Params) > 0 {
		n = min(max(int64(w.record.parameters[f.Params[0]].Bits()), 1), 4096)
	}
	if len(types) == 0 {
		types = []string{"void"}
	}
	fmt.Fprintf(d, "void __hornbeam_begin(%s) __asm__(\"__hornbeam_entry\");\n", strings.Join(types, ", "))
	fmt.Fprintf(d, `void __hornbeam_start(void) {
  static char name[65536];
  static char *values[%d], *none[1];
  for (int i = 0; i < %d; i++)
    values[i] = name;
  __hornbeam_externals();
  __hornbeam_objects();
  __hornbeam_begin(%s);
  __hornbeam_end();
}
#ifdef HORNBEAM_ALONE
#ifdef __x86_64__
__asm__(".globl _start\n_start: xorl %%ebp, %%ebp\n andq $-16, %%rsp\n call __hornbeam_start");
#else
__asm__(".globl _start\n_start: xorl %%ebp, %%ebp\n andl $-16, %%esp\n call __hornbeam_start");
#endif
#else
int main(void) { __hornbeam_start(); }
#endif
`, n+1, n, strings.Join(arguments, ", "))
	if len(sanitizers(w.Options.Faults)) > 0 && !hosted(w.Options.Faults) {
		for _, h := range []string{"add_overflow", "sub_overflow", "mul_overflow", "negate_overflow", "divrem_overflow", "shift_out_of_bounds", "builtin_unreachable"} {
			does := "__hornbeam_reached();"
			if !w.Options.Faults.Has(fault.Overflow) && slices.Contains([]string{"add_overflow", "sub_overflow", "mul_overflow", "negate_overflow"}, h) {
				does = ""
			}
			fmt.Fprintf(d, "void __hornbeam_on_%s(void) __asm__(\"__ubsan_handle_%s\");\nvoid __hornbeam_on_%s(void) { %s }\n", h, h, h, does)
		}
	}
}
