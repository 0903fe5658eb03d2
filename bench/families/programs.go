package families

import (
	"embed"
	"fmt"
	"io"
	"path"
	"strings"
)

// sources are the C programs, each for one size; lines between #ifdef BUG and #else are those of the twin with the fault.
//
//go:embed programs/*.c
var sources embed.FS

// Program is a family of C programs that work on arrays of N elements, with as many turns of their loops as that takes: those
// of "Building SMT-based Software Model Checkers", Fig. 3 and Table 2, written anew. Its inputs are arbitrary.
type Program struct {
	Name string
	// Doc says in one sentence what an instance does, and what holds of it.
	Doc  string
	text string
}

// smallest is the least N of an instance: with fewer elements some of the faults do not show.
const smallest = 4

// Programs returns the families of C programs, by name.
func Programs() []Program {
	// The folder is part of the program.
	entries, _ := sources.ReadDir("programs")
	var all []Program
	for _, e := range entries {
		text, _ := sources.ReadFile(path.Join("programs", e.Name()))
		doc, rest, _ := strings.Cut(string(text), "\n")
		all = append(all, Program{Name: strings.TrimSuffix(e.Name(), ".c"), Doc: strings.TrimPrefix(doc, "// "), text: rest})
	}
	return all
}

// ProgramNamed returns the family of C programs of that name.
func ProgramNamed(name string) (Program, error) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, nil
		}
	}
	return Program{}, fmt.Errorf("no family of programs is called %q", name)
}

// Write writes the instance of a size, safe or with the fault. Errors are the writer's, or say that the size is too small.
func (p Program) Write(w io.Writer, n int, bug bool) error {
	if n < smallest {
		return fmt.Errorf("family %s: the size must be at least %d, and not %d", p.Name, smallest, n)
	}
	verdict := "safe"
	if bug {
		verdict = "unsafe"
	}
	text := fmt.Sprintf("// %s\n// verdict: %s\n%s", p.Doc, verdict, p.instance(n, bug))
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write an instance of the family %s: %w", p.Name, err)
	}
	return nil
}

// instance is the program of a size with the lines of one twin.
func (p Program) instance(n int, bug bool) string {
	var out strings.Builder
	keep := true
	for line := range strings.Lines(p.text) {
		switch {
		case strings.HasPrefix(line, "#ifdef BUG"):
			keep = bug
		case strings.HasPrefix(line, "#else"):
			keep = !bug
		case strings.HasPrefix(line, "#endif"):
			keep = true
		case strings.HasPrefix(line, "#define N "):
			fmt.Fprintf(&out, "#define N %d\n", n)
		case keep:
			out.WriteString(line)
		}
	}
	return out.String()
}
