package families

import (
	"fmt"
	"strings"
)

// heap is a C program in which procedures pass pointers to structs. The procedures of a chain increment a field of the relevant
// objects in turn, and call serve on the others in turn. serve changes the fields of its object and calls serve a level deeper twice:
// with a summary that says that it leaves the relevant objects alone all of these calls are cheap, and without must summaries each
// is explored anew. As all objects have their fields in the same arrays, such a summary is about whole arrays.
//
// Size is the depth of both chains, Width the number of fields, and Relevant and Irrelevant together the number of objects, of
// which Relevant are counted in, one after the other.
var heap = Family{
	Name:  "heap",
	Doc:   "Structs behind pointers, passed down a chain of procedures that counts in some and has the others changed by a tree of calls.",
	Usual: Parameters{Width: 2, Relevant: 1, Irrelevant: 2, Seed: 1},
	text:  heapProgram,
}

func heapProgram(p Parameters) string {
	var b strings.Builder
	counted, served := numbered("p", p.Relevant), numbered("q", p.Irrelevant)
	objects := joined(counted, served)
	fmt.Fprintf(&b, "#include <assert.h>\n#include <stdlib.h>\n\nextern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) { assert(0); }\n\nstruct object {\n")
	for i := range p.Width {
		fmt.Fprintf(&b, "  int f%d;\n", i)
	}
	b.WriteString("};\n")
	for i := p.Size - 1; i >= 0; i-- {
		field := i % p.Width
		fmt.Fprintf(&b, "\nstatic void serve%d(struct object *q) {\n  q->f%d = q->f%d + __VERIFIER_nondet_int();\n", i, field, (i+1)%p.Width)
		if i+1 < p.Size {
			fmt.Fprintf(&b, "  if (q->f%d > %d) {\n    serve%d(q);\n    serve%d(q);\n  }\n", field, i, i+1, i+1)
		}
		b.WriteString("}\n")
	}
	for i := p.Size - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "\nstatic void work%d(%s) {\n", i, strings.Join(prefixed("struct object *", objects), ", "))
		step := 1
		if p.Bug && i == p.Size/2 {
			step = 2
		}
		at := counted[i%len(counted)]
		fmt.Fprintf(&b, "  %s->f0 = %s->f0 + %d;\n", at, at, step)
		if len(served) > 0 {
			fmt.Fprintf(&b, "  serve%d(%s);\n", i, served[i%len(served)])
		}
		if p.Width > 1 {
			fmt.Fprintf(&b, "  %s->f%d = __VERIFIER_nondet_int();\n", at, 1+i%(p.Width-1))
		}
		if i+1 < p.Size {
			fmt.Fprintf(&b, "  if (__VERIFIER_nondet_int())\n    work%d(%s);\n", i+1, strings.Join(objects, ", "))
			turned := objects
			if len(served) > 0 {
				turned = joined(counted, served[1:], served[:1])
			}
			fmt.Fprintf(&b, "  else\n    work%d(%s);\n", i+1, strings.Join(turned, ", "))
		}
		b.WriteString("}\n")
	}
	b.WriteString("\nint main(void) {\n")
	for _, o := range objects {
		fmt.Fprintf(&b, "  struct object *%s = malloc(sizeof(struct object));\n  if (%s == 0)\n    return 0;\n  %s->f0 = 0;\n", o, o, o)
	}
	fmt.Fprintf(&b, "  work0(%s);\n", strings.Join(objects, ", "))
	for k, o := range counted {
		// The levels at which this one is counted in.
		turns := (p.Size - k + len(counted) - 1) / len(counted)
		fmt.Fprintf(&b, "  if (%s->f0 != %d)\n    reach_error();\n", o, max(turns, 0))
	}
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

// prefixed puts a text before each name.
func prefixed(text string, names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = text + n
	}
	return all
}
