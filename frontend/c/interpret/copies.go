package interpret

import (
	"bytes"
	"strings"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// region is the object, and the offset in it, of n bytes at an address; nil if n is 0.
func (m *machine) region(address, n uint64, at tree.Node) (*object, int64) {
	if n == 0 {
		return nil, 0
	}
	o := m.find(address)
	if o == nil {
		m.nowhere(address, at)
	}
	off := int64(address - o.base)
	if n > uint64(o.size) {
		m.outside(o, off, int64(min(n, 1<<62)), at)
	}
	m.check(o, off, int64(n), at)
	return o, off
}

// character is the byte at an address; an unknown one is chosen.
func (m *machine) character(address uint64, at tree.Node) byte {
	o, off := m.region(address, 1, at)
	m.tick(at)
	if m.accessed != nil {
		m.accessed(Access{Address: o.base + uint64(off), Size: 1})
	}
	b, known := m.byteAt(o, off, at)
	if !known {
		s := shapeOf(charType)
		m.settle(o, off, &s, charType, at)
		b, _ = m.byteAt(o, off, at)
	}
	return b
}

// tick counts a step of a library function.
func (m *machine) tick(at tree.Node) {
	m.steps++
	if m.steps >= m.limits.Steps {
		m.stop(LimitReached, at, "%d steps", m.limits.Steps)
	}
}

// text is a string.
func (m *machine) text(s uint64, at tree.Node) string {
	var b strings.Builder
	for {
		c := m.character(s, at)
		if c == 0 {
			return b.String()
		}
		b.WriteByte(c)
		s++
	}
}

// copy copies bytes, whether known or not, as memmove does.
func (m *machine) copy(to, from, n uint64, at tree.Node) {
	if n == 0 {
		return
	}
	o, off := m.region(from, n, at)
	c := m.readChunk(o, off, int64(n), nil, at)
	if c.unknown != nil {
		c = m.settleChunk(o, off, int64(n), at)
	}
	d, to2 := m.region(to, n, at)
	m.writeChunk(d, to2, c, at)
}

// settleChunk chooses what is unknown in a part of an object that is copied whole, so that the copy has the same. In an
// object of a known type it is chosen scalar by scalar.
func (m *machine) settleChunk(o *object, off, n int64, at tree.Node) chunk {
	if o.declared != nil && off == 0 && n == o.size && o.declared.Size() == n {
		m.settleAll(o, off, o.declared, at)
	}
	if n <= pageBytes {
		for i := range n {
			m.knownByte(o, off+i, at)
		}
	}
	return m.readChunk(o, off, n, nil, at)
}

// memory is memcpy, memset and their likes.
func (m *machine) memory(v *invocation) uint64 {
	n := v.call
	arg := func(i int) uint64 { return m.argumentOf(v, i) }
	size := func(i int) uint64 { return m.sizeArgument(v, i) }
	switch v.fn.special.Name {
	case "memcpy", "mempcpy":
		to, from, length := arg(0), arg(1), size(2)
		if length > 0 && to != from && to < from+length && from < to+length {
			m.undefined(n, "memcpy between pieces of memory that overlap")
		}
		m.copy(to, from, length, n)
		if v.fn.special.Name == "mempcpy" {
			return to + length
		}
		return to
	case "memmove":
		m.copy(arg(0), arg(1), size(2), n)
		return arg(0)
	case "bcopy":
		m.copy(arg(1), arg(0), size(2), n)
		return 0
	case "memset":
		m.set(arg(0), byte(arg(1)), size(2), n)
		return arg(0)
	case "bzero":
		m.set(arg(0), 0, size(1), n)
		return 0
	}
	m.undetermined(n, "%s is not supported", v.fn.decl.Name)
	return 0
}

// set fills memory with a byte.
func (m *machine) set(to uint64, b byte, n uint64, at tree.Node) {
	o, off := m.region(to, n, at)
	if o == nil {
		return
	}
	if o.readonly {
		m.fault(at, []fault.Kind{fault.Dereference}, "%s is written", m.name(o))
	}
	if off == 0 && int64(n) == o.size && b == 0 {
		m.wrote(o, 0, o.size)
		m.steps += o.size / 256
		m.fill(o, true, at)
		return
	}
	m.writeChunk(o, off, chunk{data: bytes.Repeat([]byte{b}, int(n))}, at)
}
