package interpret

import (
	"bytes"
	"math/bits"
	"strings"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// argumentOf is an argument of a library function, as a 64-bit integer or address.
func (m *machine) argumentOf(v *invocation, i int) uint64 {
	if i >= len(v.args) || !shapeOf(v.types[i]).whole() {
		m.undefined(v.call, "%s is called with other arguments than it has", v.fn.decl.Name)
	}
	return v.args[i]
}

// sizeArgument is an argument that is a size_t, whatever it was passed as.
func (m *machine) sizeArgument(v *invocation, i int) uint64 {
	x := m.argumentOf(v, i)
	if m.p.layout.narrow {
		x &= 0xffff_ffff
	}
	return x
}

// allocate is malloc and its likes.
func (m *machine) allocate(v *invocation) uint64 {
	n := v.call
	name := v.fn.special.Name
	if m.p.options.MayFail && !strings.HasSuffix(name, "alloca") &&
		m.choose(Question{Site: Site{Failure, n, nil}, Type: m.p.source.Int, Function: v.fn.decl}) != 0 {
		return 0
	}
	switch name {
	case "malloc", "valloc", "pvalloc", "kmalloc", "__kmalloc":
		return m.newHeap(n, m.sizeArgument(v, 0), false)
	case "kzalloc":
		return m.newHeap(n, m.sizeArgument(v, 0), true)
	case "memalign", "aligned_alloc":
		o := m.newHeap(n, m.sizeArgument(v, 1), false)
		if align := m.sizeArgument(v, 0); align > 16 && o%align != 0 {
			m.undetermined(n, "memory aligned to %d bytes", align)
		}
		return o
	case "calloc":
		return m.newHeap(n, m.product(v, 0, 1), true)
	case "alloca":
		o := &object{asked: Uninitialised, site: n}
		return m.make(&m.stack, o, m.sizeOf(n, m.sizeArgument(v, 0)), false, n).base
	case "realloc":
		return m.reallocate(v, m.argumentOf(v, 0), m.sizeArgument(v, 1))
	case "reallocarray":
		return m.reallocate(v, m.argumentOf(v, 0), m.product(v, 1, 2))
	}
	m.undetermined(n, "%s is not supported", v.fn.decl.Name)
	return 0
}

// product multiplies two sizes.
func (m *machine) product(v *invocation, i, j int) uint64 {
	high, low := bits.Mul64(m.sizeArgument(v, i), m.sizeArgument(v, j))
	if high != 0 {
		m.stop(LimitReached, v.call, "an object of more than 2^64 bytes")
	}
	return low
}

func (m *machine) sizeOf(n tree.Node, size uint64) int64 {
	if size > uint64(m.limits.Memory) {
		m.stop(LimitReached, n, "an object of %d bytes", size)
	}
	return int64(size)
}

func (m *machine) newHeap(n tree.Node, size uint64, zero bool) uint64 {
	o := &object{asked: Uninitialised, site: n, heap: true}
	return m.make(&m.heap, o, m.sizeOf(n, size), zero, n).base
}

// freed is the object that an address was allocated as, which may be freed once.
func (m *machine) freed(address uint64, n tree.Node) *object {
	o := m.find(address)
	switch {
	case o == nil:
		m.fault(n, []fault.Kind{fault.Free}, "free of address 0x%x, where there is no object", address)
	case o.dead:
		m.fault(n, []fault.Kind{fault.Free}, "%s is freed twice", m.name(o))
	case !o.heap:
		m.fault(n, []fault.Kind{fault.Free}, "free of %s, which was not allocated", m.name(o))
	case address != o.base:
		m.fault(n, []fault.Kind{fault.Free}, "free of an address inside %s", m.name(o))
	}
	return o
}

func (m *machine) release(v *invocation) {
	if address := m.argumentOf(v, 0); address != 0 {
		m.kill(m.freed(address, v.call))
	}
}

func (m *machine) reallocate(v *invocation, address, size uint64) uint64 {
	n := v.call
	to := m.newHeap(n, size, false)
	if address == 0 {
		return to
	}
	o := m.freed(address, n)
	m.copy(to, address, min(uint64(o.size), size), n)
	m.kill(o)
	return to
}

// havoc lets the bytes of an object be unknown again.
func (m *machine) havoc(v *invocation) {
	m.forget(v, m.argumentOf(v, 0), m.sizeArgument(v, 1))
}

func (m *machine) forget(v *invocation, address, size uint64) {
	n := v.call
	length := m.sizeOf(n, size)
	o, off := m.region(address, uint64(length), n)
	if o == nil {
		return
	}
	if o.readonly {
		m.fault(n, []fault.Kind{fault.Dereference}, "%s is written", m.name(o))
	}
	m.steps += length
	m.wrote(o, off, length)
	// What is asked for from now on is what the function wrote.
	for i := range length {
		b := byte(m.choose(Question{Site: Site{Written, n, o.decl}, Type: byteType, Function: v.fn.decl, Offset: off + i, Base: o.base}))
		m.setByte(o, off+i, b, true, n)
	}
}

// scan is scanf and its likes, whose format stands before the first argument that they write to.
func (m *machine) scan(v *invocation, first int) uint64 {
	n := v.call
	format := m.text(m.argumentOf(v, first-1), n)
	next := first
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		if i++; i < len(format) && format[i] == '%' {
			continue
		}
		length := ""
		for i < len(format) && strings.ContainsRune("hlLqjzt", rune(format[i])) {
			length += string(format[i])
			i++
		}
		if i >= len(format) {
			break
		}
		t := m.scanned(length, format[i])
		if t == nil {
			m.undetermined(n, "%s with %%%s%c", v.fn.decl.Name, length, format[i])
		}
		s := shapeOf(t)
		o, off := m.region(m.argumentOf(v, next), uint64(s.size), n)
		x := m.choose(Question{Site: Site{Written, n, o.decl}, Type: t, Function: v.fn.decl, Offset: off, Base: o.base})
		m.write(o, off, &s, x, n)
		next++
	}
	return m.ranged(v)
}

// scanned is the type of what a conversion of scanf writes; nil if it is not a number or a character.
func (m *machine) scanned(length string, verb byte) tree.Type {
	long := 64
	if m.p.layout.narrow {
		long = 32
	}
	width := map[string]int{"hh": 8, "h": 16, "": 32, "l": long, "ll": 64, "q": 64, "j": 64, "z": long, "t": long}[length]
	switch verb {
	case 'd', 'i':
		return tree.NewInteger("int", width, true, 4)
	case 'u', 'x', 'o', 'X':
		return tree.NewInteger("unsigned int", width, false, 4)
	case 'c':
		return tree.NewInteger("char", 8, true, 1)
	case 'f', 'g', 'e', 'a':
		switch length {
		case "":
			return tree.NewFloat("float", 4, 4)
		case "l":
			return tree.NewFloat("double", 8, 8)
		}
	}
	return nil
}

// gets is fgets: it fails, or writes some characters.
func (m *machine) gets(v *invocation) uint64 {
	n := v.call
	to, size := m.argumentOf(v, 0), int64(int32(m.argumentOf(v, 1)))
	if size <= 0 || m.ranged(v) == 0 {
		return 0
	}
	o, off := m.region(to, uint64(size), n)
	for i := range size - 1 {
		m.wrote(o, off+i, 1)
		b := byte(m.choose(Question{Site: Site{Written, n, o.decl}, Type: byteType, Function: v.fn.decl, Offset: off + i, Base: o.base}))
		m.setByte(o, off+i, b, true, n)
		if b == 0 {
			return to
		}
	}
	m.wrote(o, off+size-1, 1)
	m.setByte(o, off+size-1, 0, true, n)
	return to
}

// leaks ends a run that ends with memory that is allocated, where that is asked: any, or such that no static object leads to, nor
// what static objects lead to.
func (m *machine) leaks(n tree.Node) {
	kind, asked := m.p.options.Faults.First(fault.Cleanup, fault.Lost)
	if !asked {
		return
	}
	var reached map[*object]bool
	if kind == fault.Lost {
		reached = m.reachable()
	}
	for _, o := range m.heap.objects {
		if o.heap && !o.dead && !reached[o] {
			m.fault(n, []fault.Kind{kind}, "%s of %d bytes is not freed", m.name(o), o.size)
		}
	}
}

// reachable are the objects that static ones lead to.
func (m *machine) reachable() map[*object]bool {
	reached := map[*object]bool{}
	var work []*object
	visit := func(address uint64) {
		if o := m.find(address); o != nil && !o.dead && !reached[o] {
			reached[o] = true
			work = append(work, o)
		}
	}
	for _, s := range m.slots {
		visit(s.value)
	}
	work = append(work, m.statics...)
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, address := range m.addressesIn(int(min(o.size, maxReachedBytes)), func(off int) (byte, bool) { return m.byteAt(o, int64(off), nil) }) {
			visit(address)
		}
	}
	return reached
}

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
