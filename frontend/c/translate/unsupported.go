package translate

import (
	"fmt"
	"strings"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/tree"
)

// Place is something in the source that can't be handled.
type Place struct {
	Pos  tree.Pos
	What string
}

func (p Place) String() string { return fmt.Sprintf("%s: %s is not supported", p.Pos, p.What) }

// UnsupportedError says what in a program can't be handled as a whole: it is not wrong, but gets no verdict. What can't be
// handled at one place is no error, but a stop there.
type UnsupportedError struct{ Places []Place }

// Error has a line for each place.
func (e *UnsupportedError) Error() string {
	lines := make([]string, len(e.Places))
	for i, p := range e.Places {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Stop is the place that can't be handled at a position; nil if there is none.
func (r *Result) Stop(pos tree.Pos) *Place {
	for i := range r.Stops {
		if r.Stops[i].Pos == pos {
			return &r.Stops[i]
		}
	}
	return nil
}

// Stops says what becomes of a run that comes to what can't be handled.
type Stops uint8

// What becomes of runs at stops.
const (
	// StopsFail takes coming there for an error of its own kind: what is proved holds for all runs.
	StopsFail Stops = iota
	// StopsEnd ends such runs silently: what is found elsewhere is found, and what is proved holds for the other runs only.
	StopsEnd
)

// refuse says that what comes next can't be handled: no run goes on from here, and what is translated after it means nothing.
func (f *function) refuse(pos tree.Pos, format string, args ...any) {
	p := Place{pos, fmt.Sprintf(format, args...)}
	if !f.stopped[p] {
		f.stopped[p] = true
		f.result.Stops = append(f.result.Stops, p)
	}
	if f.options.Stops == StopsEnd {
		f.result.Fewer = true
		f.assume(pos, truthLiteral(pos, false))
		return
	}
	a := &ast.Assert{Pos: pos, Cond: truthLiteral(pos, false), Attributes: ast.Attributes{
		{Pos: pos, Name: "unsupported", Args: []ast.Expr{&ast.StringLiteral{Text: p.What}}},
	}}
	f.result.Source.Stops[a] = p
	f.add(a)
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
