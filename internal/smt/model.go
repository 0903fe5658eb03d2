package smt

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"hornbeam/chc/term"
)

// Model gives values to constants, and to uninterpreted functions applied to values. It implements term.Assignment; what
// it lacks, the solver left open. The zero Model is empty and ready to use. It is not for concurrent writing.
type Model struct {
	index  map[*term.Term]int
	vars   []*term.Term
	values []term.Value
	// elsewhere has the functions' values at arguments that have no entry of their own.
	elsewhere map[*term.Func]term.Value
}

// NewModel returns an empty model with room for n constants.
func NewModel(n int) *Model {
	return &Model{index: make(map[*term.Term]int, n), vars: make([]*term.Term, 0, n), values: make([]term.Value, 0, n)}
}

// Lookup returns the value of the constant, or of the function applied to value terms, v, and whether there is one. A nil
// model is empty.
func (m *Model) Lookup(v *term.Term) (term.Value, bool) {
	if m == nil {
		return term.Value{}, false
	}
	if i, ok := m.index[v]; ok {
		return m.values[i], true
	}
	if f := v.Func(); f != nil {
		x, ok := m.elsewhere[f]
		return x, ok
	}
	return term.Value{}, false
}

// Set gives v, a constant or a function applied to value terms, a value of its sort, replacing one that it had.
func (m *Model) Set(v *term.Term, x term.Value) {
	if i, ok := m.index[v]; ok {
		m.values[i] = x
		return
	}
	if m.index == nil {
		m.index = map[*term.Term]int{}
	}
	m.index[v] = len(m.vars)
	m.vars = append(m.vars, v)
	m.values = append(m.values, x)
}

// SetElsewhere gives f the value x at all arguments that were not Set.
func (m *Model) SetElsewhere(f *term.Func, x term.Value) {
	if m.elsewhere == nil {
		m.elsewhere = map[*term.Func]term.Value{}
	}
	m.elsewhere[f] = x
}

// Len is the number of constants and applications that were Set.
func (m *Model) Len() int {
	if m == nil {
		return 0
	}
	return len(m.vars)
}

// All yields the constants and applications with their values, in the order of their first Set. m must not be changed
// meanwhile.
func (m *Model) All() iter.Seq2[*term.Term, term.Value] {
	return func(yield func(*term.Term, term.Value) bool) {
		if m == nil {
			return
		}
		for i, v := range m.vars {
			if !yield(v, m.values[i]) {
				return
			}
		}
	}
}

// Clone returns a copy that shares nothing that changes.
func (m *Model) Clone() *Model {
	if m == nil {
		return NewModel(0)
	}
	c := &Model{
		index: make(map[*term.Term]int, len(m.vars)), vars: slices.Clone(m.vars), values: slices.Clone(m.values),
		elsewhere: maps.Clone(m.elsewhere),
	}
	for i, v := range c.vars {
		c.index[v] = i
	}
	return c
}

// String lists what was Set, one a line, in the order of All.
func (m *Model) String() string {
	var b strings.Builder
	for v, x := range m.All() {
		fmt.Fprintf(&b, "%v = %v\n", v, x)
	}
	return b.String()
}
