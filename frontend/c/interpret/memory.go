package interpret

import (
	"bytes"
	"fmt"
	"slices"
	"sort"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// object is an object of the program in memory. Its bytes are little-endian; which of them nobody wrote yet is known for each.
type object struct {
	base uint64
	size int64
	// low and high are the object's territory: addresses in it are taken as derived from the object's, so that arithmetic
	// that leads out of the object is told from an address of another one.
	low, high uint64
	data      []byte
	// unknown has a 1 for each byte that nobody wrote yet, and missing counts them; nil if there are none.
	unknown []byte
	missing int64
	// linear are, where every run is tried, the linear scalars in it, by their offsets; they do not overlap.
	linear map[int64]linear
	// bare has a 1 for each bit whose value comes from nothing that the program has set; nil if there are none. Of a large object its
	// pages have it.
	bare []byte
	// pages has the bytes of a large object by page number; what is in no page is unknown, or zero if zero is set.
	pages map[int64]*page
	zero  bool
	last  *page
	index int64

	decl *tree.Object
	// asked, site and declared say how to ask for what the object holds.
	asked    Asked
	site     tree.Node
	declared tree.Type
	heap     bool
	dead     bool
	// ended says that it is dead because a block has ended: it lives again when that begins again.
	ended    bool
	readonly bool
	serial   int
	track    track
	// as is the struct that an allocated object was last accessed as, nil for none; it is noted for observers only.
	as *tree.Struct
}

type page struct {
	data    [pageBytes]byte
	unknown [pageBytes]byte
	bare    []byte
}

// area is a range of addresses that are given out in their order.
type area struct {
	begin, end, next uint64
	objects          []*object
	// reuse lets the addresses of dead objects be given again, and reused says that some were. The stack's list has to stay as it is, for
	// its frames.
	reuse, reused bool
}

// find finds the object whose territory has the address.
func (a *area) find(address uint64) *object {
	i := sort.Search(len(a.objects), func(i int) bool { return a.objects[i].low > address })
	if i == 0 {
		return nil
	}
	if o := a.objects[i-1]; address < o.high {
		return o
	}
	return nil
}

// place gives an object its addresses. Those of dead objects are given again only when no others are left, so that what
// dangles is noticed.
func (a *area) place(o *object, narrow bool) bool {
	gap := min(max(uint64(o.size), 64), 1<<16)
	if !narrow {
		gap = min(max(uint64(o.size), 4096), 1<<30)
	}
	gap = (gap + 15) &^ 15
	size := (2*gap + uint64(o.size) + 15) &^ 15
	at := len(a.objects)
	o.low = a.next
	if uint64(o.size) > a.end-a.begin || size > a.end-a.next {
		if !a.reuse {
			return false
		}
		var ok bool
		if at, o.low, ok = a.hole(size); !ok {
			return false
		}
	} else {
		a.next = o.low + size
	}
	o.base, o.high = o.low+gap, o.low+size
	a.objects = slices.Insert(a.objects, at, o)
	return true
}

// hole finds so many addresses that only dead objects had, and where in the list an object there belongs. All dead objects
// are forgotten.
func (a *area) hole(size uint64) (int, uint64, bool) {
	a.reused = true
	a.objects = slices.DeleteFunc(a.objects, func(o *object) bool { return o.dead })
	low := a.begin
	for i, o := range a.objects {
		if o.low-low >= size {
			return i, low, true
		}
		low = o.high
	}
	return len(a.objects), low, a.end-low >= size
}

// layout is where the areas lie.
type layout struct {
	narrow                       bool
	functions                    uint64
	globals, heap, stack, beyond uint64
}

func layoutOf(m tree.Model) layout {
	if m.PointerBytes == 4 {
		// No address needs the top bit, so that none is negative as an int.
		return layout{true, 0x1000, 0x0100_0000, 0x3000_0000, 0x6000_0000, 0x8000_0000}
	}
	return layout{false, 0x40_1000, 0x1000_0000_0000, 0x2000_0000_0000, 0x6000_0000_0000, 0x7fff_0000_0000}
}

const functionBytes = 16

// make gives a new object its addresses and its bytes: all zero, or all unknown.
func (m *machine) make(a *area, o *object, size int64, zero bool, at tree.Node) *object {
	o.size = size
	m.serial++
	o.serial = m.serial
	if size < 0 || size > m.limits.Memory {
		m.stop(LimitReached, at, "an object of %d bytes", size)
	}
	m.born(o)
	m.fill(o, zero, at)
	if !a.place(o, m.p.layout.narrow) {
		m.stop(LimitReached, at, "no addresses are left")
	}
	return o
}

// fill makes all bytes of an object zero, or unknown.
func (m *machine) fill(o *object, zero bool, at tree.Node) {
	o.linear = nil
	if o.size > flatBytes {
		m.used -= int64(len(o.pages)) * pageBytes
		o.pages, o.zero, o.last = map[int64]*page{}, zero, nil
		return
	}
	if o.bare = nil; !zero && m.begunBare(o) {
		o.bare = bytes.Repeat([]byte{0xff}, int(o.size))
	}
	if o.data == nil {
		m.use(o.size, at)
		o.data = make([]byte, o.size)
	} else {
		clear(o.data)
	}
	switch {
	case zero:
		o.unknown, o.missing = nil, 0
	case o.unknown != nil:
		setAll(o.unknown)
		o.missing = o.size
	case o.size > 0:
		o.unknown = make([]byte, o.size)
		setAll(o.unknown)
		o.missing = o.size
	}
}

func setAll(b []byte) {
	for i := range b {
		b[i] = 1
	}
}

func (m *machine) use(n int64, at tree.Node) {
	m.used += n
	if m.used > m.limits.Memory {
		m.stop(LimitReached, at, "more than %d bytes of memory", m.limits.Memory)
	}
}

// kill ends an object's life.
func (m *machine) kill(o *object) {
	if o.dead && !o.ended {
		return
	}
	o.dead, o.ended = true, false
	if o.data != nil {
		m.used -= o.size
	}
	m.used -= int64(len(o.pages)) * pageBytes
	o.data, o.pages, o.unknown, o.last, o.bare = nil, nil, nil, nil, nil
	if o.heap {
		m.deadHeap++
		// The dead are kept as long as they are few, to say of an access what is wrong with it.
		if m.deadHeap > 1<<14 && 2*m.deadHeap > len(m.heap.objects) {
			m.heap.objects = slices.DeleteFunc(m.heap.objects, func(o *object) bool { return o.dead })
			m.deadHeap = 0
		}
	}
}

// find finds the object whose territory has the address; nil if there is none.
func (m *machine) find(address uint64) *object {
	l := &m.p.layout
	switch {
	case address < l.globals:
		return nil
	case address < l.heap:
		return m.globals.find(address)
	case address < l.stack:
		return m.heap.find(address)
	}
	return m.stack.find(address)
}

// access is a place in the program that reads, writes or computes with addresses: it remembers the object it met last.
type access struct {
	id   int
	node tree.Node
}

// at is the object, and the offset in it, that n bytes at an address are in.
func (m *machine) at(address uint64, n int64, a *access) (*object, int64) {
	o := m.cache[a.id]
	if o == nil || address-o.base >= uint64(o.size) || o.dead {
		if o = m.find(address); o == nil {
			m.nowhere(address, a.node)
		}
		m.cache[a.id] = o
	}
	off := int64(address - o.base)
	if o.dead || off < 0 || off+n > o.size {
		m.outside(o, off, n, a.node)
	}
	return o, off
}

// nowhere ends a run that uses an address where there is nothing.
func (m *machine) nowhere(address uint64, n tree.Node) {
	switch {
	case address == 0:
		m.fault(n, []fault.Kind{fault.Dereference}, "null pointer dereference")
	case m.p.functionAt(address) != nil:
		m.fault(n, []fault.Kind{fault.Dereference}, "the code of function %s is accessed", m.p.functionAt(address).decl.Name)
	case address >= m.p.layout.stack && address < m.stack.next:
		m.fault(n, []fault.Kind{fault.Dereference}, "use of an object after its function returned")
	}
	m.fault(n, []fault.Kind{fault.Dereference}, "access to address 0x%x, where there is no object", address)
}

// outside ends a run that uses bytes that an object doesn't have, or has no more.
func (m *machine) outside(o *object, off, n int64, at tree.Node) {
	switch {
	case o.dead && o.heap:
		m.fault(at, []fault.Kind{fault.Dereference}, "use of %s after it is freed", m.name(o))
	case o.dead:
		m.fault(at, []fault.Kind{fault.Dereference}, "use of %s after its end", m.name(o))
	}
	m.fault(at, []fault.Kind{fault.Dereference}, "access to bytes %d to %d of %s, which has %d", off, off+n-1, m.name(o), o.size)
}

// name is an object in the terms of C.
func (m *machine) name(o *object) string {
	switch {
	case o.decl != nil && o.decl.Name != "":
		return o.decl.Name
	case o.decl != nil && o.decl.Storage == tree.Literal:
		return "a literal"
	case o.asked == Contents:
		return fmt.Sprintf("external object %d", o.serial)
	case o.heap:
		return fmt.Sprintf("allocated object %d", o.serial)
	}
	return "an object"
}

// page finds, or makes, the page of a byte of a large object.
func (m *machine) page(o *object, off int64, at tree.Node) *page {
	index := off / pageBytes
	if o.last != nil && o.index == index {
		return o.last
	}
	p := o.pages[index]
	if p == nil {
		m.use(pageBytes, at)
		p = new(page)
		if !o.zero {
			setAll(p.unknown[:])
			if m.begunBare(o) {
				p.bare = bytes.Repeat([]byte{0xff}, pageBytes)
			}
		}
		o.pages[index] = p
	}
	o.last, o.index = p, index
	return p
}

// byteAt is a byte of an object, and whether it is known. The offset is one that the object has.
func (m *machine) byteAt(o *object, off int64, at tree.Node) (byte, bool) {
	if o.linear != nil {
		o.fixLinear(off, 1)
	}
	return m.peek(o, off, at)
}

// peek is byteAt for a byte of which it is said elsewhere what is done with it.
func (m *machine) peek(o *object, off int64, at tree.Node) (byte, bool) {
	if o.pages != nil {
		p := m.page(o, off, at)
		return p.data[off%pageBytes], p.unknown[off%pageBytes] == 0
	}
	return o.data[off], o.unknown == nil || o.unknown[off] == 0
}

// setByte writes a byte of an object, known or not.
func (m *machine) setByte(o *object, off int64, b byte, known bool, at tree.Node) {
	if o.linear != nil {
		o.dropLinear(off, 1)
	}
	if o.pages != nil {
		p := m.page(o, off, at)
		p.data[off%pageBytes] = b
		p.unknown[off%pageBytes] = 1
		if known {
			p.unknown[off%pageBytes] = 0
		}
		return
	}
	o.data[off] = b
	switch {
	case known:
		if o.unknown != nil && o.unknown[off] != 0 {
			o.unknown[off] = 0
			if o.missing--; o.missing == 0 {
				o.unknown = nil
			}
		}
	default:
		if o.unknown == nil {
			o.unknown = make([]byte, o.size)
		}
		if o.unknown[off] == 0 {
			o.unknown[off] = 1
			o.missing++
		}
	}
}

// territory is the object that an address was derived from; nil if it is no object's.
func (m *machine) territory(address uint64, a *access) *object {
	o := m.cache[a.id]
	if o != nil && address >= o.low && address < o.high {
		return o
	}
	if o = m.find(address); o != nil {
		m.cache[a.id] = o
	}
	return o
}

// external makes the object that an answered address points to.
func (m *machine) external(q Question) uint64 {
	o := &object{asked: Contents, site: q.Node, decl: nil}
	if p, ok := q.Type.(*tree.Pointer); ok {
		o.declared = p.Elem
	}
	m.make(&m.heap, o, externalBytes, false, q.Node)
	return o.base
}
