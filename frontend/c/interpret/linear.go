package interpret

import (
	"slices"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/tree"
)

// Where every run is tried, values are followed that are linear: sums of multiples of inputs and a constant, copies of inputs among them.
// Package inputs tells what operations make of them, and what a run depends on that compares them.

// answered says that an answer has become a register's value. It is linear if open says so, and fixed otherwise.
func (m *machine) answered(bits uint64, open bool) {
	if in := m.given.input; !open || in.Value != bits {
		in.Fix()
	}
}

// lastAnswer is what the answer that was asked for last is raised by, where every run is tried.
func (m *machine) lastAnswer() *inputs.Sum {
	if m.given == nil {
		return nil
	}
	return m.given.input.Sum()
}

// use is what a value is for: nothing, to be computed with, or for a consumer that takes what it is raised by.
type use uint8

const (
	leaves use = iota
	computes
	keeps
)

// usedFor says what a linear value is for.
func (m *machine) usedFor(of *inputs.Sum, to use) {
	switch {
	case of == nil || to == leaves:
	case to == computes:
		of.Fix()
	case of.Open():
		m.raised = of
	}
}

// takeSum is what the value that was just computed is raised by.
func (m *machine) takeSum() *inputs.Sum {
	s := m.raised
	m.raised = nil
	return s
}

// integers are those of a type, as package inputs has them.
func (s shape) integers() inputs.Type {
	if s.class == boolean {
		return inputs.Type{Bits: 1}
	}
	return inputs.Type{Bits: s.bits, Signed: s.signed}
}

// integers are those of a type that is computed with.
func (c *compiler) integers(s shape) inputs.Type {
	t := s.integers()
	t.Wraps = !c.p.options.overflows(s.signed)
	return t
}

// follows tells whether results of an operation may be linear.
func follows(o tree.BinaryOp) bool {
	switch o {
	case tree.Add, tree.Sub, tree.Mul, tree.Div, tree.Rem, tree.Shl, tree.Shr, tree.And:
		return true
	}
	return false
}

// linear tells whether a value may be a linear one: that of an object, in another type too, what a call returns, or what is computed from
// those.
func (c *compiler) linear(n tree.Value) bool {
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
		return shapeOf(n.T).class == integer && c.linear(n.X)
	case *tree.Conditional:
		return n.Then != nil && (c.linear(n.Then) || c.linear(n.Else))
	case *tree.Comma:
		return c.linear(n.Second)
	case *tree.Assign:
		m, ok := n.Place.(*tree.Member)
		return (!ok || m.Field.Bits == 0) && c.linear(n.Value)
	case *tree.Unary:
		return (n.Op == tree.Neg || n.Op == tree.Complement) && c.linear(n.X)
	case *tree.Binary:
		// Comparisons are values of type int, too.
		return follows(n.Op) && (c.linear(n.X) || c.linear(n.Y))
	case *tree.Update:
		m, ok := n.Place.(*tree.Member)
		return (!ok || m.Field.Bits == 0) && follows(n.Op) && shapeOf(n.Place.Type()).class == integer && shapeOf(n.Compute).class == integer
	case *tree.Call:
		return n.Function != nil
	}
	return false
}

// kept compiles a value whose consumer takes what it is raised by.
func (c *compiler) kept(n tree.Value) value {
	if !c.linear(n) {
		v := c.value(n)
		if !c.p.every {
			return v
		}
		return func(f *frame) uint64 {
			x := v(f)
			f.m.raised = nil
			return x
		}
	}
	switch n := n.(type) {
	case *tree.Load:
		return c.keptLoad(n)
	case *tree.Convert:
		return c.keptConversion(c.kept(n.X), n.X.Type(), n.T, n)
	case *tree.Conditional:
		return choice(c.decision(n.Test), c.kept(n.Then), c.kept(n.Else))
	case *tree.Comma:
		return sequence(c.effect(n.First), c.kept(n.Second))
	case *tree.Assign:
		return c.assign(n, keeps)
	case *tree.Unary:
		s := shapeOf(n.T)
		from := s.wrap(0)
		if n.Op == tree.Complement {
			from = s.wrap(^from)
		}
		apply := c.unaryOf(n, func(f *frame) uint64 { return f.other })
		x, t := c.kept(n.X), c.integers(s)
		return func(f *frame) uint64 {
			v := x(f)
			of := f.m.takeSum()
			f.other = v
			r := apply(f)
			f.m.raised = t.Operation(tree.Sub, inputs.Operand{Value: from}, inputs.Operand{Value: v, Sum: of}, r)
			return r
		}
	case *tree.Binary:
		x, y := c.kept(n.X), c.kept(n.Y)
		combine := c.keptOperation(n.Op, n.T, shapeOf(n.Y.Type()), n)
		return func(f *frame) uint64 {
			a := x(f)
			of := f.m.takeSum()
			b := y(f)
			return combine(f, inputs.Operand{Value: a, Sum: of}, inputs.Operand{Value: b, Sum: f.m.takeSum()})
		}
	case *tree.Update:
		return c.update(n, keeps)
	case *tree.Call:
		return c.result(n, keeps)
	}
	return c.value(n)
}

// keptOperation compiles an operation on two operands of the type t, whose consumer takes what its result is raised by; y has the shape of its
// own type.
func (c *compiler) keptOperation(o tree.BinaryOp, t tree.Type, ys shape, n tree.Node) func(f *frame, x, y inputs.Operand) uint64 {
	left := func(f *frame) uint64 { return f.kept }
	right := func(f *frame) uint64 { return f.other }
	apply := c.arithmetic(o, t, left, right, ys, n)
	of := c.integers(shapeOf(t))
	quick := c.quick(o, shapeOf(t))
	return func(f *frame, x, y inputs.Operand) uint64 {
		r, ok := quick(x.Value, y.Value)
		if !ok {
			f.kept, f.other = x.Value, y.Value
			r = apply(f)
		}
		if x.Sum != nil || y.Sum != nil {
			f.m.raised = of.Operation(o, x, y, r)
		}
		return r
	}
}

// quick is an operation that is computed at once; it reports false where it may be a fault, and where it takes more than that.
func (c *compiler) quick(o tree.BinaryOp, s shape) func(a, b uint64) (uint64, bool) {
	checked := c.p.options.overflows(s.signed)
	// Results of operations on 32 bits have 64 at most.
	fits := func(r uint64) (uint64, bool) {
		w := s.wrap(r)
		return w, w == r || !checked
	}
	switch {
	case o == tree.And:
		return func(a, b uint64) (uint64, bool) { return a & b, true }
	case s.bits > 32 && checked:
	case o == tree.Add:
		return func(a, b uint64) (uint64, bool) { return fits(a + b) }
	case o == tree.Sub:
		return func(a, b uint64) (uint64, bool) { return fits(a - b) }
	case o == tree.Mul:
		return func(a, b uint64) (uint64, bool) { return fits(a * b) }
	}
	return func(uint64, uint64) (uint64, bool) { return 0, false }
}

// keptConversion compiles a conversion of an integer, whose consumer takes what its result is raised by.
func (c *compiler) keptConversion(x value, from, to tree.Type, n tree.Node) value {
	v, t := c.convert(x, from, to, n), shapeOf(to).integers()
	return func(f *frame) uint64 {
		r := v(f)
		if of := f.m.takeSum(); of != nil {
			f.m.raised = t.Converted(of, r)
		}
		return r
	}
}

// fixed compiles a value that may be linear, for a consumer that computes with it.
func fixed(v value) value {
	return func(f *frame) uint64 {
		x := v(f)
		f.m.takeSum().Fix()
		return x
	}
}

// keptLoad compiles the value of an object, whose consumer takes what it is raised by.
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

// linear is a linear scalar in memory: what it is raised by, and how many bytes it has.
type linear struct {
	sum  *inputs.Sum
	size int64
}

// mostBytes is how many a scalar has.
const mostBytes = 8

// overlapping calls f with the offsets of the linear scalars that have bytes from off on.
func (o *object) overlapping(off, n int64, f func(at int64, c linear)) {
	if n > int64(len(o.linear)) {
		var all []int64
		for at, c := range o.linear {
			if at < off+n && at+c.size > off {
				all = append(all, at)
			}
		}
		slices.Sort(all)
		for _, at := range all {
			f(at, o.linear[at])
		}
		return
	}
	for at := off - mostBytes + 1; at < off+n; at++ {
		if c, ok := o.linear[at]; ok && at+c.size > off {
			f(at, c)
		}
	}
}

// fixLinear says that bytes are read.
func (o *object) fixLinear(off, n int64) {
	o.overlapping(off, n, func(_ int64, c linear) { c.sum.Fix() })
}

// dropLinear says that bytes are written. What is left of a linear scalar of which they are a part is computed with.
func (o *object) dropLinear(off, n int64) {
	o.overlapping(off, n, func(at int64, c linear) {
		if at < off || at+c.size > off+n {
			c.sum.Fix()
		}
		delete(o.linear, at)
	})
}

// hold says that a scalar was written, and what it is raised by.
func (o *object) hold(off, n int64, of *inputs.Sum) {
	o.dropLinear(off, n)
	if of == nil {
		return
	}
	if o.linear == nil {
		o.linear = map[int64]linear{}
	}
	o.linear[off] = linear{of, n}
}

// readLinear says that a scalar was read, with a value.
func (m *machine) readLinear(o *object, off int64, s *shape, bits uint64, keep bool) {
	c, ok := o.linear[off]
	if !keep || !ok || c.size != s.size {
		o.fixLinear(off, s.size)
		return
	}
	// It may be read in another type than it was written in.
	m.raised = s.integers().Read(c.sum, bits)
}

// linearIn are the linear scalars in a part of an object, by their offsets in it.
func (o *object) linearIn(off, n int64) map[int64]linear {
	var out map[int64]linear
	o.overlapping(off, n, func(at int64, c linear) {
		if at < off || at+c.size > off+n {
			c.sum.Fix()
			return
		}
		if out == nil {
			out = map[int64]linear{}
		}
		out[at-off] = c
	})
	return out
}

// holdAll says that a part was written that has linear scalars.
func (o *object) holdAll(off int64, all map[int64]linear) {
	for at, c := range all {
		o.hold(off+at, c.size, c.sum)
	}
}

// comparesLinear compiles a comparison of integers of which one may be linear; nil for others.
func (c *compiler) comparesLinear(n *tree.Binary) truth {
	if !c.linear(n.X) && !c.linear(n.Y) {
		return nil
	}
	x, y := c.kept(n.X), c.kept(n.Y)
	t, o := shapeOf(n.X.Type()).integers(), n.Op
	return func(f *frame) bool {
		a := x(f)
		of := f.m.takeSum()
		b := y(f)
		with := f.m.takeSum()
		if of != nil || with != nil {
			t.Comparison(o, inputs.Operand{Value: a, Sum: of}, inputs.Operand{Value: b, Sum: with})
		}
		return compared(o, a, b, t)
	}
}

// testsLinear compiles whether a value is not zero that may be linear.
func (c *compiler) testsLinear(n tree.Value) truth {
	v, t := c.kept(n), shapeOf(n.Type()).integers()
	return func(f *frame) bool {
		x := v(f)
		if of := f.m.takeSum(); of != nil {
			t.Comparison(tree.Ne, inputs.Operand{Value: x, Sum: of}, inputs.Operand{})
		}
		return x != 0
	}
}

// compared compares integers of a type, as registers have them.
func compared(o tree.BinaryOp, a, b uint64, t inputs.Type) bool {
	switch o {
	case tree.Eq:
		return a == b
	case tree.Ne:
		return a != b
	case tree.Lt:
		return t.Less(a, b)
	case tree.Le:
		return !t.Less(b, a)
	case tree.Gt:
		return t.Less(b, a)
	}
	return !t.Less(a, b)
}

// comparesCases compiles the tag of a switch, which may be linear.
func (c *compiler) comparesCases(tag tree.Value, t *table) value {
	if !c.linear(tag) {
		return c.value(tag)
	}
	v := c.kept(tag)
	return func(f *frame) uint64 {
		x := v(f)
		if of := f.m.takeSum(); of != nil {
			t.limit(of, x)
		}
		return x
	}
}

// limit says that a value decided where the switch goes.
func (t *table) limit(of *inputs.Sum, x uint64) {
	for i, e := range t.entries {
		switch {
		case t.less(e.high, x):
			continue
		case t.less(x, e.low):
			of.Rise(e.low - x - 1)
			if i > 0 {
				of.Fall(x - t.entries[i-1].high - 1)
			}
		default:
			of.Rise(e.high - x)
			of.Fall(x - e.low)
		}
		return
	}
	if n := len(t.entries); n > 0 {
		of.Fall(x - t.entries[n-1].high - 1)
	}
}
