// Package states tells whether states of runs are the same, which are written as bytes.
//
// A state is what objects hold, and what these values are copies of: an input for which a run may have been given another value, in which case
// they would be others, too. States in which the same values are copies of inputs that may be the same are the same.
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
	seen map[[sha256.Size]byte]struct{}
	// numbers tell parts of a program apart.
	numbers map[any]uint64
	buffer  []byte
}

// NewSet returns a set without states.
func NewSet() *Set {
	return &Set{seen: map[[sha256.Size]byte]struct{}{}, numbers: map[any]uint64{}}
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
	// open are the inputs for which there may have been other values, in the order of their first copies.
	open []*inputs.Input
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

// Copy writes what a value is a copy of, if that may have been another one; nil stands for none.
func (w *Writer) Copy(of *inputs.Input) {
	if of == nil || !of.Open() {
		w.Number(0)
		return
	}
	i := slices.Index(w.open, of)
	if i < 0 {
		i = len(w.open)
		w.open = append(w.open, of)
	}
	w.Number(uint64(i) + 1)
}

// Add adds the state that was written. It reports false if it was in the set, and as known if that can be told: not where what one of its
// inputs may have been depends on others.
func (w *Writer) Add() (added, known bool) {
	for _, in := range w.open {
		least, most, step, alone := in.Range()
		if !alone {
			return false, false
		}
		w.Number(least)
		w.Number(most)
		w.Number(step)
	}
	w.set.buffer = w.bytes
	key := sha256.Sum256(w.bytes)
	_, found := w.set.seen[key]
	w.set.seen[key] = struct{}{}
	return !found, true
}
