// Package states tells whether states of runs are the same, which are written as bytes.
//
// A state is what objects hold, and what these values are raised by where inputs are for which a run may have been given other values. States
// in which the same values are the same sums of inputs that may be the same are the same.
package states

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"hornbeam/frontend/c/interpret/inputs"
)

// Set is the states that runs have come to. They are told apart by their hashes.
type Set struct {
	seen map[[sha256.Size]byte][]ranges
	// numbers tell parts of a program apart.
	numbers map[any]uint64
	buffer  []byte
}

// NewSet returns a set without states.
func NewSet() *Set {
	return &Set{seen: map[[sha256.Size]byte][]ranges{}, numbers: map[any]uint64{}}
}

// Len is how many states there are.
func (s *Set) Len() int { return len(s.seen) }

// mostOpen is how many inputs there may be for which there may have been other values in a state that is not full.
const mostOpen = 64

// Writer writes a state.
type Writer struct {
	set   *Set
	bytes []byte
	most  int
	// open are the inputs for which there may have been other values, in the order in which they were written.
	open []*inputs.Input
	// vague says that one of the values is not told by its sum.
	vague bool
}

// Write begins a state of so many bytes at most. Only one is written at a time.
func (s *Set) Write(most int) *Writer { return &Writer{set: s, bytes: s.buffer[:0], most: most} }

// Full reports whether there is more to the state than is worth to be written.
func (w *Writer) Full() bool { return len(w.bytes) > w.most || len(w.open) > mostOpen }

// Len is how many bytes were written.
func (w *Writer) Len() int { return len(w.bytes) }

// Number writes a number, and Flag a truth value.
func (w *Writer) Number(n uint64) { w.bytes = binary.AppendUvarint(w.bytes, n) }

// Flag writes a truth value.
func (w *Writer) Flag(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	w.Number(n)
}

// Bytes writes bytes, and their number.
func (w *Writer) Bytes(b []byte) {
	w.Number(uint64(len(b)))
	w.bytes = append(w.bytes, b...)
}

// Flags writes bytes that are as if there were none while all of them are zero.
func (w *Writer) Flags(b []byte) {
	if bytes.Count(b, []byte{0}) == len(b) {
		b = nil
	}
	w.Bytes(b)
}

// Part writes which part of the program something is.
func (w *Writer) Part(p any) {
	n, ok := w.set.numbers[p]
	if !ok {
		n = uint64(len(w.set.numbers))
		w.set.numbers[p] = n
	}
	w.Number(n)
}

// Sum writes what a value is raised by where inputs are of which there may have been other values; nil stands for nothing.
func (w *Writer) Sum(s *inputs.Sum) {
	known := s.Terms(func(in *inputs.Input, times uint64) {
		i := slices.Index(w.open, in)
		if i < 0 {
			i = len(w.open)
			w.open = append(w.open, in)
		}
		w.Number(uint64(i) + 1)
		w.Number(times)
	})
	w.vague = w.vague || !known
	w.Number(0)
	if width, low, high := s.Residue(); width != 0 {
		w.Number(uint64(width))
		w.Number(uint64(low))
		w.Number(uint64(high))
		return
	}
	w.Number(0)
}

// Add adds the state that was written. It reports false if it is part of one in the set, and as known if that can be told: not where what one
// of its inputs may have been depends on others, or a value is not told by its sum.
func (w *Writer) Add() (added, known bool) {
	if w.vague {
		return false, false
	}
	var all ranges
	for _, in := range w.open {
		least, most, step, alone := in.Range()
		if !alone {
			return false, false
		}
		all = append(all, raised{most - least, step})
	}
	w.set.buffer = w.bytes
	key := sha256.Sum256(w.bytes)
	seen := w.set.seen[key]
	if slices.ContainsFunc(seen, all.within) {
		return false, true
	}
	w.set.seen[key] = append(slices.DeleteFunc(seen, func(r ranges) bool { return r.within(all) }), all)
	return true, true
}

// ranges are by how much inputs may be raised from the values in a state, in the order in which they were written.
type ranges []raised

// raised is any multiple of step up to most.
type raised struct{ most, step uint64 }

// within reports whether all values of a state are among those of another one that has the same bytes.
func (r ranges) within(of ranges) bool {
	for i, x := range r {
		if x.most > of[i].most || x.step%of[i].step != 0 {
			return false
		}
	}
	return true
}
