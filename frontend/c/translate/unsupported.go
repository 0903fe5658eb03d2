package translate

import (
	"fmt"
	"strings"

	"hornbeam/frontend/c/tree"
)

// Place is something in the source that can't be handled.
type Place struct {
	Pos  tree.Pos
	What string
}

func (p Place) String() string { return fmt.Sprintf("%s: %s is not supported", p.Pos, p.What) }

// UnsupportedError says what in a program can't be handled: it is not wrong, but gets no verdict.
type UnsupportedError struct{ Places []Place }

// Error has a line for each place.
func (e *UnsupportedError) Error() string {
	lines := make([]string, len(e.Places))
	for i, p := range e.Places {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// refuse notes, once, that something can't be handled.
func (t *translator) refuse(pos tree.Pos, format string, args ...any) {
	p := Place{pos, fmt.Sprintf(format, args...)}
	if !t.refused[p] {
		t.refused[p] = true
		t.unsupported = append(t.unsupported, p)
	}
}

// noted collects names by kind, each once and in the order in which they came.
type noted struct {
	kinds []string
	names map[string][]string
	seen  map[[2]string]bool
}

func newNoted() *noted { return &noted{names: map[string][]string{}, seen: map[[2]string]bool{}} }

func (n *noted) add(kind, name string) {
	if n.names[kind] == nil {
		n.kinds = append(n.kinds, kind)
		n.names[kind] = []string{}
	}
	if key := [2]string{kind, name}; name != "" && !n.seen[key] {
		n.seen[key] = true
		n.names[kind] = append(n.names[kind], name)
	}
}

func join(names []string) string { return strings.Join(names, ", ") }
