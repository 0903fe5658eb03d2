package interpret

import (
	"math/bits"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/tree"
)

// answered says that an answer has become a register's value. It may be raised if it is copied, which open says.
func (m *machine) answered(bits uint64, open bool) {
	if in := m.given.input; !open || in.Value != bits {
		in.Fix()
	}
}

// lastAnswer is the input that was asked for last, where every run is tried.
func (m *machine) lastAnswer() *inputs.Input {
	if m.given == nil {
		return nil
	}
	return m.given.input
}

// use is what a value is for: nothing, to be computed with, or for a consumer that takes what it is a copy of.
type use uint8

const (
	leaves use = iota
	computes
	keeps
)

// usedFor says what a value is for that may be a copy.
func (m *machine) usedFor(of *inputs.Input, to use) {
	switch {
	case of == nil || to == leaves:
	case to == computes:
		of.Fix()
	default:
		m.copied = of
	}
}

// takeCopy is the input that the value that was just read is a copy of; nil if it is none of any.
func (m *machine) takeCopy() *inputs.Input {
	in := m.copied
	m.copied = nil
	return in
}

// copies tells whether a value is what it copies: the value of an object in a slot, in another type too, or what a call returns.
func (c *compiler) copies(n tree.Value) bool {
	if !c.p.every || c.p.options.Faults.Has(fault.Conversion) {
		return false
	}
	if s := shapeOf(n.Type()); s.class != integer && s.class != boolean {
		return false
	}
	switch n := n.(type) {
	case *tree.Load:
		m, ok := n.Place.(*tree.Member)
		return !ok || m.Field.Bits == 0
	case *tree.Convert:
		return shapeOf(n.T).class == integer && c.copies(n.X)
	case *tree.Conditional:
		return n.Then != nil && (c.copies(n.Then) || c.copies(n.Else))
	case *tree.Comma:
		return c.copies(n.Second)
	case *tree.Assign:
		m, ok := n.Place.(*tree.Member)
		return (!ok || m.Field.Bits == 0) && c.copies(n.Value)
	case *tree.Binary:
		// Comparisons are values of type int, too.
		_, constant := n.Y.(*tree.Constant)
		return constant && (n.Op == tree.Add || n.Op == tree.Sub) && c.copies(n.X)
	case *tree.Call:
		return n.Function != nil
	}
	return false
}

// kept compiles a value that is put into a slot, and whose consumer takes what it is a copy of.
func (c *compiler) kept(n tree.Value) value {
	if !c.copies(n) {
		v := c.value(n)
		if !c.p.every {
			return v
		}
		return func(f *frame) uint64 {
			x := v(f)
			f.m.copied = nil
			return x
		}
	}
	switch n := n.(type) {
	case *tree.Load:
		return c.keptLoad(n)
	case *tree.Convert:
		return bounded(c.convert(c.kept(n.X), n.X.Type(), n.T, n), n.T)
	case *tree.Conditional:
		return choice(c.decision(n.Test), c.kept(n.Then), c.kept(n.Else))
	case *tree.Comma:
		return sequence(c.effect(n.First), c.kept(n.Second))
	case *tree.Assign:
		return c.assign(n, keeps)
	case *tree.Binary:
		// Up to the last value of the type, the sum is raised as the copy is.
		return bounded(c.arithmetic(n.Op, n.T, c.kept(n.X), c.value(n.Y), shapeOf(n.Y.Type()), n), n.T)
	case *tree.Call:
		return c.result(n, keeps)
	}
	return c.value(n)
}

// bounded lets a copy in a type be raised up to the last value of the type.
func bounded(v value, t tree.Type) value {
	_, last := shapeOf(t).borders()
	return func(f *frame) uint64 {
		x := v(f)
		if in := f.m.copied; in != nil {
			in.Limit(last - x)
		}
		return x
	}
}

// modulo compiles an operation on a copy whose result is that of what the copy leaves when it is divided: % and & with a constant. It is nil
// for others.
func (c *compiler) modulo(n *tree.Binary) value {
	k, ok := n.Y.(*tree.Constant)
	s := shapeOf(n.T)
	if !ok || !c.copies(n.X) || s.class != integer {
		return nil
	}
	by := s.wrap(bitsOf(k.Int))
	switch {
	case n.Op == tree.And && !less(by, 0, s.signed):
		by = 1 << bits.Len64(by) // 0 for what has all bits
	case n.Op == tree.Rem && s.signed && int64(by) < 0:
		by = -by
	case n.Op != tree.Rem:
		return nil
	}
	if by == 0 {
		return nil
	}
	kept := c.kept(n.X)
	x := func(f *frame) uint64 {
		x := kept(f)
		if of := f.m.takeCopy(); of != nil {
			of.Modulo(by)
			if n.Op == tree.Rem && less(x, 0, s.signed) {
				// The remainder of what is negative is another one.
				of.Limit(-x - 1)
			}
		}
		return x
	}
	return c.arithmetic(n.Op, n.T, x, c.operand(n.Op, s, n.Y), shapeOf(n.Y.Type()), n)
}

// keptLoad compiles the value of an object, whose consumer takes what it is a copy of.
func (c *compiler) keptLoad(n *tree.Load) value {
	p := c.place(n.Place)
	if p.kind == inSlot {
		return c.loadSlot(p, keeps)
	}
	s, t := shapeOf(p.t), p.t
	find := p.find(s.size)
	return func(f *frame) uint64 {
		o, off := find(f)
		f.m.keeps = true
		return f.m.read(o, off, &s, t, n)
	}
}

// copied is a scalar in memory that is a copy of an input.
type copied struct {
	input *inputs.Input
	size  int64
}

// mostBytes is how many a scalar has.
const mostBytes = 8

// overlapping calls f with the offsets of the copies that have bytes from off on.
func (o *object) overlapping(off, n int64, f func(at int64, c copied)) {
	if n > int64(len(o.copies)) {
		for at, c := range o.copies {
			if at < off+n && at+c.size > off {
				f(at, c)
			}
		}
		return
	}
	for at := off - mostBytes + 1; at < off+n; at++ {
		if c, ok := o.copies[at]; ok && at+c.size > off {
			f(at, c)
		}
	}
}

// fixCopies says that bytes are read.
func (o *object) fixCopies(off, n int64) {
	o.overlapping(off, n, func(_ int64, c copied) { c.input.Fix() })
}

// dropCopies says that bytes are written. What is left of a copy of which they are a part is computed with.
func (o *object) dropCopies(off, n int64) {
	o.overlapping(off, n, func(at int64, c copied) {
		if at < off || at+c.size > off+n {
			c.input.Fix()
		}
		delete(o.copies, at)
	})
}

// hold says that a scalar was written that is a copy of an input; of none if that is nil.
func (o *object) hold(off, n int64, of *inputs.Input) {
	o.dropCopies(off, n)
	if of == nil {
		return
	}
	if o.copies == nil {
		o.copies = map[int64]copied{}
	}
	o.copies[off] = copied{of, n}
}

// readCopy says that a scalar was read, with a value.
func (m *machine) readCopy(o *object, off int64, s *shape, bits uint64, keep bool) {
	c, ok := o.copies[off]
	if !keep || !ok || c.size != s.size {
		o.fixCopies(off, s.size)
		return
	}
	// It may be read in another type than it was written in.
	_, last := s.borders()
	c.input.Limit(last - bits)
	m.copied = c.input
}

// copiesIn are the copies in a part of an object, by their offsets in it.
func (o *object) copiesIn(off, n int64) map[int64]copied {
	var out map[int64]copied
	o.overlapping(off, n, func(at int64, c copied) {
		if at < off || at+c.size > off+n {
			c.input.Fix()
			return
		}
		if out == nil {
			out = map[int64]copied{}
		}
		out[at-off] = c
	})
	return out
}

// holdAll says that a part was written that has copies.
func (o *object) holdAll(off int64, copies map[int64]copied) {
	for at, c := range copies {
		o.hold(off+at, c.size, c.input)
	}
}

// comparesCopies compiles a comparison of integers of which one is a copy, or both are; nil if none is.
func (c *compiler) comparesCopies(n *tree.Binary) truth {
	if !c.copies(n.X) && !c.copies(n.Y) {
		return nil
	}
	x, y := c.kept(n.X), c.kept(n.Y)
	o, signed := n.Op, shapeOf(n.X.Type()).signed
	return func(f *frame) bool {
		a := x(f)
		of := f.m.takeCopy()
		b := y(f)
		with := f.m.takeCopy()
		// Copies of one input are raised together.
		if of == with {
			return compared(o, a, b, signed)
		}
		if of != nil {
			limit(of, with, o, a, b, signed)
		}
		if with != nil {
			limit(with, of, mirrored(o), b, a, signed)
		}
		return compared(o, a, b, signed)
	}
}

// testsCopy compiles whether a copy is not zero.
func (c *compiler) testsCopy(n tree.Value) truth {
	v, signed := c.kept(n), shapeOf(n.Type()).signed
	return func(f *frame) bool {
		x := v(f)
		if of := f.m.takeCopy(); of != nil {
			limit(of, nil, tree.Ne, x, 0, signed)
		}
		return x != 0
	}
}

// mirrored is the comparison of the operands the other way round.
func mirrored(o tree.BinaryOp) tree.BinaryOp {
	switch o {
	case tree.Lt:
		return tree.Gt
	case tree.Le:
		return tree.Ge
	case tree.Gt:
		return tree.Lt
	case tree.Ge:
		return tree.Le
	}
	return o
}

// less compares integers, as registers have them.
func less(a, b uint64, signed bool) bool {
	if signed {
		return int64(a) < int64(b)
	}
	return a < b
}

func compared(o tree.BinaryOp, a, b uint64, signed bool) bool {
	switch o {
	case tree.Eq:
		return a == b
	case tree.Ne:
		return a != b
	case tree.Lt:
		return less(a, b, signed)
	case tree.Le:
		return !less(b, a, signed)
	case tree.Gt:
		return less(b, a, signed)
	}
	return !less(a, b, signed)
}

// limit says that the comparison of a copy, with the value a, and another value b had its result. That is a copy of by, or of none if by is
// nil.
func limit(in, by *inputs.Input, o tree.BinaryOp, a, b uint64, signed bool) {
	var room uint64
	switch {
	case less(b, a, signed): // it stays greater
		return
	case o == tree.Le || o == tree.Gt:
		room = b - a
	case less(a, b, signed):
		room = b - a - 1
	case o == tree.Lt || o == tree.Ge:
		return
	}
	if by == nil {
		in.Limit(room)
	} else {
		in.LimitTo(by, room)
	}
}

// comparesCases compiles the tag of a switch, which may be a copy.
func (c *compiler) comparesCases(tag tree.Value, t *table) value {
	if !c.copies(tag) {
		return c.value(tag)
	}
	v := c.kept(tag)
	return func(f *frame) uint64 {
		x := v(f)
		if in := f.m.takeCopy(); in != nil {
			t.limit(in, x)
		}
		return x
	}
}

// limit says that the value of a copy decided where the switch goes.
func (t *table) limit(in *inputs.Input, x uint64) {
	for _, e := range t.entries {
		switch {
		case t.less(x, e.low):
			in.Limit(e.low - x - 1)
			return
		case !t.less(e.high, x):
			in.Limit(e.high - x)
			return
		}
	}
}
