package translate

import (
	"fmt"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/tree"
)

// Track says what a translation keeps of a program's state. What it leaves out has any value wherever it is read, so that the
// translation has more runs than the program.
type Track uint8

// What is kept.
const (
	// TrackMemory keeps everything.
	TrackMemory Track = iota
	// TrackPointers keeps scalars that no pointer leads to, addresses among them, and nothing of what arrays and memory
	// behind pointers hold.
	TrackPointers
	// TrackRegisters keeps numbers only: the values of pointers are open as well.
	TrackRegisters
)

// Tracks are the names of what is kept, in the order of their values, as options have them.
var Tracks = []string{"mem", "ptr", "reg"}

func (t Track) String() string { return Tracks[t] }

// ParseTrack finds what is kept by its name.
func ParseTrack(name string) (Track, error) {
	for i, n := range Tracks {
		if n == name {
			return Track(i), nil
		}
	}
	return 0, fmt.Errorf("there is no level of tracking %s", name)
}

// untracked tells whether a storage is not kept: elements of arrays.
func (f *function) untracked(s *storage) bool { return f.options.Track != TrackMemory && s.keys > 0 }

// openType tells whether a value of the type is not kept wherever it is.
func (f *function) openType(t tree.Type) bool {
	return f.options.Track == TrackRegisters && tree.IsPointer(t)
}

// leaf is a scalar at a place in a storage, if it is kept, or else any value.
func (f *function) leaf(n tree.Node, pl place, s *storage) ast.Expr {
	if f.untracked(s) || f.openType(s.typ) {
		return f.unknown(n, Unspecified, s.typ)
	}
	return pl.variable(n, s)
}
