package families

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// sources are the C programs, each for one size; lines between #ifdef BUG and #else are those of the twin with the fault. They
// work on arrays of N elements, with as many turns of their loops as that takes: those of "Building SMT-based Software Model
// Checkers", Fig. 3 and Table 2, written anew. Their inputs are arbitrary.
//
//go:embed programs/*.c
var sources embed.FS

// programs returns the families of C programs, by name.
func programs() []Family {
	// The folder is part of the program.
	entries, _ := sources.ReadDir("programs")
	var all []Family
	for _, e := range entries {
		text, _ := sources.ReadFile(path.Join("programs", e.Name()))
		doc, rest, _ := strings.Cut(string(text), "\n")
		all = append(all, Family{Name: strings.TrimSuffix(e.Name(), ".c"), Language: C, Doc: strings.TrimPrefix(doc, "// "), program: rest})
	}
	return all
}

// source is the text of a C program of a size, with the lines of one twin.
func (f Family) source(p Parameters) string {
	var out strings.Builder
	fmt.Fprintf(&out, "// %s\n// verdict: %s\n", f.Doc, f.Verdict(p.Bug))
	keep := true
	for line := range strings.Lines(f.program) {
		switch {
		case strings.HasPrefix(line, "#ifdef BUG"):
			keep = p.Bug
		case strings.HasPrefix(line, "#else"):
			keep = !p.Bug
		case strings.HasPrefix(line, "#endif"):
			keep = true
		case strings.HasPrefix(line, "#define N "):
			fmt.Fprintf(&out, "#define N %d\n", p.Size)
		case keep:
			out.WriteString(line)
		}
	}
	return out.String()
}
