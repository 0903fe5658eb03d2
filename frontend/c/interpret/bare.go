package interpret

import (
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// What reads of objects without values are, where faults of the kind Uninitialised are asked for: a value that is computed from
// such an object is followed wherever it is stored, bit by bit in memory, and it is a fault if it decides something, such as
// which way the run goes or where memory is accessed.

// source is an object that nobody has given a value.
type source struct{ name string }

// first is the first of two sources.
func first(a, b *source) *source {
	if a != nil {
		return a
	}
	return b
}

// looks tells whether values that come from nothing are followed.
func (c *compiler) looks() bool { return c.p.options.Faults.Has(fault.Uninitialised) }

// decided ends the run if the value that was just computed comes from an object without a value.
func (m *machine) decided(n tree.Node, what string) {
	if s := m.from; s != nil {
		name := s.name
		if name == "" {
			name = "an object"
		}
		m.fault(n, []fault.Kind{fault.Uninitialised}, "the value of %s, which nobody has set, decides %s", name, what)
	}
}

// decides compiles a value that decides something.
func (c *compiler) decides(v value, n tree.Node, what string) value {
	if !c.looks() {
		return v
	}
	return deciding(v, n, what)
}

// deciding evaluates what decides something apart from what it is a part of.
func deciding[T any](v func(f *frame) T, n tree.Node, what string) func(f *frame) T {
	return func(f *frame) T {
		outer := f.m.from
		f.m.from = nil
		x := v(f)
		f.m.decided(n, what)
		f.m.from = outer
		return x
	}
}

// decision compiles a condition that decides which way a run goes.
func (c *compiler) decision(n tree.Value) truth {
	t := c.truth(n)
	if !c.looks() {
		return t
	}
	return deciding(t, n, "which way the run goes")
}

// operand compiles the right operand of an operation: a divisor decides whether there is a result.
func (c *compiler) operand(o tree.BinaryOp, s shape, n tree.Value) value {
	v := c.value(n)
	switch {
	case s.class == pointer:
		return c.decides(v, n, "an index")
	case s.class == integer && (o == tree.Div || o == tree.Rem):
		return c.decides(v, n, "a division")
	}
	return v
}

// storedValue compiles a value that is stored right after it is computed, by something that takes its source.
func (c *compiler) storedValue(n tree.Value) value {
	v := c.value(n)
	if !c.looks() {
		return v
	}
	return func(f *frame) uint64 {
		outer := f.m.from
		f.m.from = nil
		x := v(f)
		f.m.stored = f.m.from
		f.m.from = first(outer, f.m.from)
		return x
	}
}

// taken is the source of what is stored now.
func (m *machine) taken() *source {
	s := m.stored
	m.stored = nil
	return s
}

// keeping lets a call be of no influence on where the value comes from in which it is an operand, but for its result.
func keeping(call func(f *frame) called) func(f *frame) called {
	return func(f *frame) called {
		outer := f.m.from
		r := call(f)
		f.m.from = outer
		return r
	}
}

// begunBare tells whether an object has no value when it is made.
func (m *machine) begunBare(o *object) bool {
	return m.follows && o.asked == Uninitialised
}

// bareAt has the bits of a byte that come from nothing; nil if there are none.
func (m *machine) bareAt(o *object, off int64) *byte {
	switch {
	case o.bare != nil:
		return &o.bare[off]
	case o.pages != nil:
		if !m.follows {
			return nil
		}
		if p := m.page(o, off, nil); p.bare != nil {
			return &p.bare[off%pageBytes]
		}
	}
	return nil
}

// meet notes that a value is read.
func (m *machine) meet(o *object, off, n int64) {
	for i := range n {
		if b := m.bareAt(o, off+i); b != nil && *b != 0 {
			m.from = &source{m.name(o)}
			return
		}
	}
}

// setBits notes that bits of a byte have a value from now on, or one that comes from nothing.
func (m *machine) setBits(o *object, off int64, mask byte, bare bool) {
	b := m.bareAt(o, off)
	if b == nil {
		if !bare {
			return
		}
		if o.pages != nil {
			m.page(o, off, nil).bare = make([]byte, pageBytes)
		} else {
			o.bare = make([]byte, o.size)
		}
		b = m.bareAt(o, off)
	}
	*b &^= mask
	if bare {
		*b |= mask
	}
}

// setBytes is setBits for bytes.
func (m *machine) setBytes(o *object, off, n int64, bare bool) {
	for i := range n {
		m.setBits(o, off+i, 0xff, bare)
	}
}

// bareIn are the bits of a part of an object that come from nothing.
func (m *machine) bareIn(o *object, off, n int64) []byte {
	if !m.follows || o.bare == nil && o.pages == nil {
		return nil
	}
	out := make([]byte, n)
	for i := range n {
		if b := m.bareAt(o, off+i); b != nil {
			out[i] = *b
		}
	}
	if !slices.ContainsFunc(out, func(b byte) bool { return b != 0 }) {
		return nil
	}
	return out
}

// copyBare gives a part of an object the bits that come from nothing.
func (m *machine) copyBare(o *object, off, n int64, bare []byte) {
	if bare == nil && o.bare == nil && o.pages == nil {
		return
	}
	for i := range n {
		m.setBits(o, off+i, 0xff, false)
		if bare != nil && bare[i] != 0 {
			m.setBits(o, off+i, bare[i], true)
		}
	}
}
