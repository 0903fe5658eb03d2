package interpret

import (
	"fmt"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// place is a compiled place: an object's slot, an offset in an object that is known when it is reached, or an address.
type place struct {
	kind   placeKind
	t      tree.Type
	decl   *tree.Object // of a slot
	slot   int
	global bool
	// object and offset: the object, and how far in it the place is, without the constant plus.
	object func(f *frame) (*object, int64)
	// address is the address, without the constant plus.
	address value
	plus    int64
	field   *tree.Field // of a bit-field
	// packed says that it is a field of a struct that does not align it.
	packed bool
	access *access
	node   tree.Node
}

type placeKind uint8

const (
	inSlot placeKind = iota
	inObject
	atAddress
)

// deeper notes that an expression is inside another one.
func (c *compiler) deeper() func() {
	c.depth++
	c.fn.nest = max(c.fn.nest, c.depth)
	return func() { c.depth-- }
}

func (c *compiler) access(n tree.Node) *access {
	c.p.accesses++
	return &access{c.p.accesses - 1, n}
}

// place compiles a place.
func (c *compiler) place(n tree.Place) *place {
	defer c.deeper()()
	switch n := n.(type) {
	case *tree.Use:
		return c.use(n.Object, n)
	case *tree.Dereference:
		return &place{kind: atAddress, t: n.Type(), address: c.decides(c.value(n.Pointer), n.Pointer, "where memory is accessed"), access: c.access(n), node: n}
	case *tree.Member:
		p := *c.place(n.Struct)
		p.t, p.node = n.Field.Type, n
		p.plus += n.Field.Offset
		p.packed = p.packed || !n.Field.Aligned()
		if n.Field.Bits > 0 {
			p.field = n.Field
		}
		return &p
	case *tree.Element:
		p := *c.place(n.Array)
		p.t, p.node = n.Type(), n
		size, sizeOf := c.size(p.t)
		if k, ok := n.Index.(*tree.Constant); ok && sizeOf == nil {
			p.plus += k.Int.Int64() * size
			return &p
		}
		index := c.decides(c.value(n.Index), n.Index, "an index")
		scale := func(f *frame) int64 { return int64(index(f)) * size }
		if sizeOf != nil {
			scale = func(f *frame) int64 { return int64(index(f)) * sizeOf(f) }
		}
		if p.kind == inObject {
			object := p.object
			p.object = func(f *frame) (*object_, int64) {
				o, off := object(f)
				return o, off + scale(f)
			}
			return &p
		}
		address := p.address
		p.address = func(f *frame) uint64 {
			a := address(f)
			return a + uint64(scale(f))
		}
		return &p
	case *tree.Temporary:
		init := c.bulk(n.Init)
		t := n.Type()
		number := c.inMemory(&tree.Object{Type: t, Storage: tree.Automatic, Function: c.fn.decl, Pos: n.Pos()})
		return &place{kind: inObject, t: t, node: n, object: func(f *frame) (*object_, int64) {
			b := init(f)
			o := f.object(number)
			f.m.writeChunk(o, 0, b, n)
			return o, 0
		}}
	case *tree.CompoundLiteral:
		declare := c.declare(n.Declaration)
		p := c.use(n.Declaration.Object, n)
		if p.kind != inObject {
			panic(fmt.Sprintf("%s: a literal that is not in memory", n.Pos()))
		}
		object := p.object
		p.object = func(f *frame) (*object_, int64) {
			declare(f)
			return object(f)
		}
		return p
	}
	panic(fmt.Sprintf("%s: a place %T", n.Pos(), n))
}

// object_ is object, where that is the name of a variable.
type object_ = object

// use compiles an object by its name.
func (c *compiler) use(o *tree.Object, n tree.Node) *place {
	p := &place{kind: inObject, t: o.Type, node: n, decl: o}
	switch o.Storage {
	case tree.Automatic, tree.Parameter:
		if slot, ok := c.slots[o]; ok {
			p.kind, p.slot = inSlot, slot
			return p
		}
		number := c.inMemory(o)
		if c.scoped() {
			p.object = func(f *frame) (*object_, int64) {
				o := f.object(number)
				if o.ended {
					o.dead, o.ended = false, false
				}
				return o, 0
			}
			return p
		}
		p.object = func(f *frame) (*object_, int64) {
			if o := f.objects[number]; o != nil {
				return o, 0
			}
			return f.object(number), 0
		}
	default:
		s := c.p.global(o)
		if s.slot >= 0 {
			p.kind, p.slot, p.global = inSlot, s.slot, true
			return p
		}
		number := s.number
		p.object = func(f *frame) (*object_, int64) { return f.m.statics[number], 0 }
	}
	return p
}

// find is the object, and the offset in it, that a place of n bytes is.
func (p *place) find(n int64) func(f *frame) (*object_, int64) {
	plus := p.plus
	if p.kind == inObject {
		object := p.object
		if plus == 0 {
			return object
		}
		return func(f *frame) (*object_, int64) {
			o, off := object(f)
			return o, off + plus
		}
	}
	address, access := p.address, p.access
	narrow := p.narrow
	if align := p.t.Align(); align > 1 && !p.packed && p.field == nil {
		return func(f *frame) (*object_, int64) {
			o, off := f.m.at(narrow(f, address(f)+uint64(plus)), n, access)
			if off%align != 0 && f.m.p.options.Faults.Has(fault.Dereference) {
				f.m.fault(access.node, []fault.Kind{fault.Dereference}, "%s is accessed at byte %d, which is not aligned to %d", f.m.name(o), off, align)
			}
			return o, off
		}
	}
	return func(f *frame) (*object_, int64) {
		return f.m.at(narrow(f, address(f)+uint64(plus)), n, access)
	}
}

// narrow cuts an address to the width of addresses.
func (p *place) narrow(f *frame, address uint64) uint64 {
	if f.m.p.layout.narrow {
		return address & 0xffff_ffff
	}
	return address
}

// addressOf compiles the address of a place.
func (c *compiler) addressOf(p *place, n tree.Node) value {
	plus := uint64(p.plus)
	switch p.kind {
	case inObject:
		object := p.object
		return func(f *frame) uint64 {
			o, off := object(f)
			return p.narrow(f, o.base+uint64(off)+plus)
		}
	case atAddress:
		address, access := p.address, p.access
		if plus == 0 {
			if _, ok := n.(*tree.Address).Place.(*tree.Dereference); ok {
				return address
			}
		}
		return func(f *frame) uint64 {
			a := address(f)
			return f.m.moved(a, a+plus, access)
		}
	}
	panic(fmt.Sprintf("%s: the address of what is not in memory", n.Pos()))
}

// load compiles the value of a scalar place.
func (c *compiler) load(p *place, n tree.Node) value {
	s := shapeOf(p.t)
	if s.class == wide || s.class == none {
		t := p.t
		return func(f *frame) uint64 {
			f.m.undetermined(n, "a value of type %s", t)
			return 0
		}
	}
	if p.kind == inSlot {
		return c.loadSlot(p, computes)
	}
	t := p.t
	if p.field != nil {
		field, find := p.field, p.find(0)
		return func(f *frame) uint64 {
			o, off := find(f)
			return f.m.readField(o, off, field, &s, n)
		}
	}
	find := p.find(s.size)
	return func(f *frame) uint64 {
		o, off := find(f)
		return f.m.read(o, off, &s, t, n)
	}
}

// loadSlot compiles the value of an object that is only used by name. Where every run is tried, to says what the value is for.
func (c *compiler) loadSlot(p *place, to use) value {
	slot, o, t := p.slot, p.decl, p.t
	if p.global {
		return func(f *frame) uint64 {
			s := &f.m.slots[slot]
			if !s.known {
				s.value = f.m.choose(Question{Site: Site{External, nil, o}, Type: t, open: true})
				s.known, s.sum = true, f.m.lastAnswer()
			}
			if s.from != nil {
				f.m.from = s.from
			}
			if s.sum != nil {
				f.m.usedFor(s.sum, to)
			}
			return s.value
		}
	}
	fn, looks := c.fn, c.looks()
	return func(f *frame) uint64 {
		s := &f.slots[slot]
		if !s.known {
			if looks {
				s.from = &source{o.Name}
			}
			site := Site{Asked: Uninitialised, Object: o}
			if d := fn.declares[o]; d != nil {
				site.Node = d
			}
			s.value = f.m.choose(Question{Site: site, Type: t, open: true})
			s.known, s.sum = true, f.m.lastAnswer()
		}
		if s.from != nil {
			f.m.from = s.from
		}
		if s.sum != nil {
			f.m.usedFor(s.sum, to)
		}
		return s.value
	}
}

// storing stores a scalar, and yields what the place then has.
type storing func(f *frame, x uint64) uint64

// store compiles a store to a scalar place. Its closure finds the place; where the place has to be found before the value,
// storeAfter does it.
func (c *compiler) store(p *place, n tree.Node) storing {
	find, put := c.split(p, n)
	return func(f *frame, x uint64) uint64 {
		o, off := find(f)
		return put(f, o, off, x)
	}
}

// split compiles a place in two halves: finding it, and storing to what was found.
func (c *compiler) split(p *place, n tree.Node) (find func(f *frame) (*object_, int64), put func(f *frame, o *object_, off int64, x uint64) uint64) {
	s := shapeOf(p.t)
	t := p.t
	switch {
	case s.class == wide || s.class == none:
		return func(f *frame) (*object_, int64) { return nil, 0 }, func(f *frame, _ *object_, _ int64, _ uint64) uint64 {
			f.m.undetermined(n, "a value of type %s", t)
			return 0
		}
	case p.kind == inSlot:
		slot, decl := p.slot, p.decl
		find = func(f *frame) (*object_, int64) { return nil, 0 }
		if p.global {
			return find, func(f *frame, _ *object_, _ int64, x uint64) uint64 {
				f.m.slots[slot] = f.m.holding(x)
				if f.m.observe != nil {
					f.m.assigned(n, decl, t, x)
				}
				return x
			}
		}
		return find, func(f *frame, _ *object_, _ int64, x uint64) uint64 {
			f.slots[slot] = f.m.holding(x)
			if f.m.observe != nil {
				f.m.assigned(n, decl, t, x)
			}
			return x
		}
	case p.field != nil:
		field := p.field
		return p.find(0), func(f *frame, o *object_, off int64, x uint64) uint64 {
			x = f.m.writeField(o, off, field, &s, x, n)
			if f.m.observe != nil {
				f.m.assignedAt(n, o, off, t, field, x)
			}
			return x
		}
	}
	return p.find(s.size), func(f *frame, o *object_, off int64, x uint64) uint64 {
		f.m.write(o, off, &s, x, n)
		if f.m.observe != nil {
			f.m.assignedAt(n, o, off, t, nil, x)
		}
		return x
	}
}

// size compiles the size of a type: the constant, or, if the function is not nil, what that yields. Of void and functions
// it is 1, as GNU's C says.
func (c *compiler) size(t tree.Type) (int64, func(f *frame) int64) {
	switch t := t.(type) {
	case *tree.Array:
		if variable(t) {
			measure := c.measure(t, nil)
			return 0, func(f *frame) int64 {
				measure(f)
				return f.size(t, nil)
			}
		}
	case *tree.Void, *tree.FunctionType:
		return 1, nil
	}
	return t.Size(), nil
}

// variable tells whether the size of a type is computed.
func variable(t tree.Type) bool {
	a, ok := t.(*tree.Array)
	return ok && (a.Count != nil || variable(a.Elem))
}

// size is the size of a type, of which the lengths that are computed are known.
func (f *frame) size(t tree.Type, at tree.Node) int64 {
	a, ok := t.(*tree.Array)
	if !ok || !variable(a) {
		return t.Size()
	}
	n := a.Len
	if a.Count != nil {
		if n, ok = f.lengths[a]; !ok {
			f.m.undetermined(at, "the length of a type %s", t)
		}
	}
	return n * f.size(a.Elem, at)
}

// measured tells whether all lengths of a type are known.
func (f *frame) measured(t tree.Type) bool {
	a, ok := t.(*tree.Array)
	if !ok {
		return true
	}
	if a.Count != nil {
		if _, known := f.lengths[a]; !known {
			return false
		}
	}
	return f.measured(a.Elem)
}

// measure computes the lengths of a type. The objects in which they are kept may have other values each time that control
// comes by.
func (c *compiler) measure(t tree.Type, at tree.Node) effect {
	a, ok := t.(*tree.Array)
	if !ok {
		if p, isPointer := t.(*tree.Pointer); isPointer && variable(p.Elem) {
			return c.measure(p.Elem, at)
		}
		return nil
	}
	if !variable(a) {
		return nil
	}
	inner := c.measure(a.Elem, at)
	if a.Count == nil {
		return inner
	}
	count := c.value(a.Count)
	// A length that was negative is in the upper half of what a size can be.
	bits := shapeOf(a.Count.Type()).bits
	return func(f *frame) {
		n := count(f)
		if n == 0 || n>>(bits-1) != 0 {
			f.m.fault(at, []fault.Kind{fault.Dereference}, "an array of %d elements", int64(n<<(64-bits))>>(64-bits))
		}
		if f.lengths == nil {
			f.lengths = map[*tree.Array]int64{}
		}
		f.lengths[a] = int64(min(n, 1<<40))
		if inner != nil {
			inner(f)
		}
	}
}
