package interpret

import (
	"fmt"
	"math"

	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/interpret/inputs"
	"hornbeam/frontend/c/tree"
)

// value compiles a scalar.
func (c *compiler) value(n tree.Value) value {
	defer c.deeper()()
	switch n := n.(type) {
	case *tree.Constant:
		return c.constant(n)
	case *tree.FloatConstant:
		if !n.Exact() {
			return undetermined[uint64](n, "a long double that no double is equal to")
		}
		x := n.Float
		if shapeOf(n.T).class == float32Class {
			x = float64(float32(x))
		}
		bits := math.Float64bits(x)
		return func(*frame) uint64 { return bits }
	case *tree.Load:
		return c.load(c.place(n.Place), n)
	case *tree.Address:
		if n.Decay || n.T != nil {
			return c.address(n)
		}
	case *tree.FunctionAddress:
		address := c.p.function(n.Function).address
		return func(*frame) uint64 { return address }
	case *tree.Unary:
		return c.unary(n)
	case *tree.Binary:
		if n.Op.Comparison() {
			return truthValue(c.comparison(n))
		}
		return c.binary(n)
	case *tree.PointerSum:
		return c.pointerSum(n)
	case *tree.PointerDifference:
		return c.pointerDifference(n)
	case *tree.Logical:
		return truthValue(c.truth(n))
	case *tree.Conditional:
		return c.conditional(n)
	case *tree.Comma:
		return sequence(c.effect(n.First), c.value(n.Second))
	case *tree.Assign:
		return c.assign(n, computes)
	case *tree.Update:
		return c.update(n, computes)
	case *tree.Call:
		return c.result(n, computes)
	case *tree.Convert:
		if shapeOf(n.T).class == none {
			break
		}
		return c.convert(c.value(n.X), n.X.Type(), n.T, n)
	case *tree.StatementValue:
		return c.statementValue(n)
	case *tree.SizeOf:
		size, sizeOf := c.size(n.Of)
		if sizeOf == nil {
			return func(*frame) uint64 { return uint64(size) }
		}
		return func(f *frame) uint64 { return uint64(sizeOf(f)) }
	case *tree.UnsupportedValue:
		return undetermined[uint64](n, "%s is not supported", n.What)
	}
	panic(fmt.Sprintf("%s: a value %T of type %s", n.Pos(), n, n.Type()))
}

func (c *compiler) constant(n *tree.Constant) value {
	bits := shapeOf(n.T).wrap(bitsOf(n.Int))
	if shapeOf(n.T).class == wide {
		return undetermined[uint64](n, "a value of type %s", n.T)
	}
	c.p.constant(int64(bits))
	return func(*frame) uint64 { return bits }
}

func (c *compiler) address(n *tree.Address) value {
	p := c.place(n.Place)
	return c.addressOf(p, n)
}

func truthValue(t truth) value {
	return func(f *frame) uint64 { return bit(t(f)) }
}

// bit is 1 for true and 0 for false.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// sequence compiles an effect, and then a result.
func sequence[T uint64 | chunk](first effect, second func(*frame) T) func(*frame) T {
	return func(f *frame) T {
		first(f)
		return second(f)
	}
}

// choice compiles one of two results.
func choice[T uint64 | chunk](test truth, yes, no func(*frame) T) func(*frame) T {
	return func(f *frame) T {
		if test(f) {
			return yes(f)
		}
		return no(f)
	}
}

// undetermined compiles the end of a run that comes here.
func undetermined[T uint64 | chunk](n tree.Node, format string, args ...any) func(*frame) T {
	return func(f *frame) (none T) {
		f.m.undetermined(n, format, args...)
		return none
	}
}

// truth compiles whether a scalar is not zero.
func (c *compiler) truth(n tree.Value) truth {
	defer c.deeper()()
	switch n := n.(type) {
	case *tree.Binary:
		if n.Op.Comparison() {
			return c.comparison(n)
		}
		if s := shapeOf(n.T); n.Op == tree.Sub && s.class == integer && !c.p.options.overflows(s.signed) {
			// A difference is not zero, wrapped or not, if the operands differ.
			return equal(c.value(n.X), c.value(n.Y), true)
		}
	case *tree.Unary:
		if n.Op == tree.Not {
			x := c.truth(n.X)
			return func(f *frame) bool { return !x(f) }
		}
	case *tree.Logical:
		// That a condition was true in part is as new as a test's other way.
		x, y := c.decision(n.X), c.counted(c.truth(n.Y))
		if n.Or {
			return func(f *frame) bool { return x(f) || y(f) }
		}
		return func(f *frame) bool { return x(f) && y(f) }
	case *tree.Convert:
		// A truth value stays what it is in any integer type.
		if to := shapeOf(n.T); (to.class == integer || to.class == boolean) && isTruth(n.X) {
			return c.truth(n.X)
		}
	}
	if c.linear(n) {
		return c.testsLinear(n)
	}
	x := c.value(n)
	if shapeOf(n.Type()).floating() {
		return func(f *frame) bool { return math.Float64frombits(x(f)) != 0 }
	}
	return func(f *frame) bool { return x(f) != 0 }
}

// counted counts for searches how often a condition is evaluated.
func (c *compiler) counted(t truth) truth {
	number := c.p.ops
	c.p.ops++
	return func(f *frame) bool {
		if f.m.coverage != nil {
			f.m.coverage.Hit(number)
		}
		return t(f)
	}
}

// isTruth tells whether a value is 0 or 1 because of what it is.
func isTruth(n tree.Value) bool {
	switch n := n.(type) {
	case *tree.Binary:
		return n.Op.Comparison()
	case *tree.Unary:
		return n.Op == tree.Not
	case *tree.Logical:
		return true
	}
	return false
}

// effect compiles what is evaluated for what it does.
func (c *compiler) effect(n tree.Value) effect {
	defer c.deeper()()
	switch n := n.(type) {
	case *tree.Convert:
		if shapeOf(n.T).class == none {
			return c.effect(n.X)
		}
	case *tree.Comma:
		first, second := c.effect(n.First), c.effect(n.Second)
		return func(f *frame) {
			first(f)
			second(f)
		}
	case *tree.Conditional:
		if n.Then == nil {
			break
		}
		test, yes, no := c.decision(n.Test), c.effect(n.Then), c.effect(n.Else)
		return func(f *frame) {
			if test(f) {
				yes(f)
			} else {
				no(f)
			}
		}
	case *tree.Assign:
		if _, structure := n.Type().(*tree.Struct); !structure {
			v := c.assign(n, leaves)
			return func(f *frame) { v(f) }
		}
	case *tree.Update:
		v := c.update(n, leaves)
		return func(f *frame) { v(f) }
	case *tree.Call:
		return c.callEffect(n)
	case *tree.StatementValue:
		return c.statementEffect(n)
	case *tree.UnsupportedValue:
		return func(f *frame) { f.m.undetermined(n, "%s is not supported", n.What) }
	}
	switch t := n.Type().(type) {
	case *tree.Struct:
		b := c.bulk(n)
		return func(f *frame) { b(f) }
	case *tree.Void, *tree.Array, *tree.FunctionType:
		panic(fmt.Sprintf("%s: a value %T of type %s", n.Pos(), n, t))
	}
	v := c.value(n)
	return func(f *frame) { v(f) }
}

// bulk compiles a struct.
func (c *compiler) bulk(n tree.Value) bulk {
	defer c.deeper()()
	switch n := n.(type) {
	case *tree.Load:
		p := c.place(n.Place)
		t := n.Type()
		find := p.find(t.Size())
		return func(f *frame) chunk {
			o, off := find(f)
			return f.m.readChunk(o, off, t.Size(), t, n)
		}
	case *tree.Assign:
		p := c.place(n.Place)
		t := n.Place.Type()
		find := p.find(t.Size())
		v := c.bulk(n.Value)
		return func(f *frame) chunk {
			o, off := find(f)
			b := v(f)
			f.m.writeChunk(o, off, b, n)
			if f.m.observe != nil {
				f.m.assignedChunk(n, o, off, t)
			}
			return b
		}
	case *tree.Call:
		return c.callBulk(n)
	case *tree.Conditional:
		if n.Then == nil {
			break
		}
		test, yes, no := c.decision(n.Test), c.bulk(n.Then), c.bulk(n.Else)
		return choice(test, yes, no)
	case *tree.Comma:
		return sequence(c.effect(n.First), c.bulk(n.Second))
	case *tree.StatementValue:
		run, result := c.inner(n)
		return sequence(run, result.(bulk))
	case *tree.Convert:
		if tree.Same(n.T, n.X.Type()) {
			return c.bulk(n.X)
		}
	case *tree.UnsupportedValue:
		return undetermined[chunk](n, "%s is not supported", n.What)
	}
	return undetermined[chunk](n, "a value of type %s", n.Type())
}

func (c *compiler) conditional(n *tree.Conditional) value {
	if n.Then == nil {
		test := c.decides(c.value(n.Test), n.Test, "which way the run goes")
		then := c.convert(func(f *frame) uint64 { return f.kept }, n.Test.Type(), n.T, n)
		other := c.value(n.Else)
		floating := shapeOf(n.Test.Type()).floating()
		return func(f *frame) uint64 {
			x := test(f)
			if floating && math.Float64frombits(x) != 0 || !floating && x != 0 {
				f.kept = x
				return then(f)
			}
			return other(f)
		}
	}
	test, yes, no := c.decision(n.Test), c.value(n.Then), c.value(n.Else)
	return choice(test, yes, no)
}

// assign compiles an assignment, whose value is used in some way.
func (c *compiler) assign(n *tree.Assign, to use) value {
	p := c.place(n.Place)
	find, put := c.split(p, n)
	if p.kind == inSlot {
		v := c.heldValue(n.Value)
		slot := p.slot
		decl, t := p.decl, p.t
		if p.global {
			return func(f *frame) uint64 {
				x := v(f)
				of := f.m.raised
				x = put(f, nil, 0, x)
				f.m.usedFor(of, to)
				return x
			}
		}
		return func(f *frame) uint64 {
			x := v(f)
			of := f.m.raised
			f.slots[slot] = f.m.holding(x)
			if f.m.observe != nil {
				f.m.assigned(n, decl, t, x)
			}
			f.m.usedFor(of, to)
			return x
		}
	}
	stored := c.heldValue
	if p.field != nil {
		stored = c.storedValue
	}
	v := stored(n.Value)
	return func(f *frame) uint64 {
		o, off := find(f)
		x := v(f)
		of := f.m.raised
		x = put(f, o, off, x)
		f.m.usedFor(of, to)
		return x
	}
}

// update compiles op= and its likes, whose value is used in some way: the place is found, the operand evaluated, then what the place has is
// read.
func (c *compiler) update(n *tree.Update, to use) value {
	p := c.place(n.Place)
	s := shapeOf(p.t)
	if c.linear(n) {
		return c.keptUpdate(n, p, to)
	}
	if s.class == wide || s.class == none {
		return c.load(p, n)
	}
	find, put := c.split(p, n)
	operand := c.operand(n.Op, shapeOf(n.Compute), n.Operand)
	var combined value
	left := func(f *frame) uint64 { return f.kept }
	right := func(f *frame) uint64 { return f.other }
	if s.class == pointer {
		size, sizeOf := c.size(p.t.(*tree.Pointer).Elem)
		combined = c.sum(left, right, size, sizeOf, n.Op == tree.Sub, n)
	} else {
		in := c.convert(left, p.t, n.Compute, n)
		op := c.arithmetic(n.Op, n.Compute, in, right, shapeOf(n.Operand.Type()), n)
		combined = c.convert(op, n.Compute, p.t, n)
	}
	var get func(f *frame, o *object, off int64) uint64
	switch {
	case p.kind == inSlot:
		load := c.loadSlot(p, computes)
		get = func(f *frame, _ *object, _ int64) uint64 { return load(f) }
		if k, ok := n.Operand.(*tree.Constant); ok && !p.global && s.class == integer && !c.looks() && !c.p.options.overflows(true) && !c.p.options.overflows(false) && !c.p.options.Faults.Has(fault.Conversion) &&
			(n.Op == tree.Add || n.Op == tree.Sub) && shapeOf(n.Compute).class == integer {
			return c.count(p, n, load, s, bitsOf(k.Int))
		}
	case p.field != nil:
		field := p.field
		get = func(f *frame, o *object, off int64) uint64 { return f.m.readField(o, off, field, &s, n) }
	default:
		t := p.t
		get = func(f *frame, o *object, off int64) uint64 { return f.m.read(o, off, &s, t, n) }
	}
	post, looks := n.Post, c.looks()
	return func(f *frame) uint64 {
		o, off := find(f)
		if outer := f.m.from; looks {
			f.m.from = nil
			defer func() { f.m.from = first(outer, f.m.from) }()
		}
		y := operand(f)
		x := get(f, o, off)
		f.kept, f.other = x, y
		r := combined(f)
		f.m.stored = f.m.from
		r = put(f, o, off, r)
		if post {
			return x
		}
		return r
	}
}

// keptUpdate compiles an update for which it is followed what values are raised by.
func (c *compiler) keptUpdate(n *tree.Update, p *place, to use) value {
	find, put := c.split(p, n)
	operand := c.kept(n.Operand)
	in := c.keptConversion(func(f *frame) uint64 { return f.kept }, p.t, n.Compute, n)
	combine := c.keptOperation(n.Op, n.Compute, shapeOf(n.Operand.Type()), n)
	out := c.keptConversion(func(f *frame) uint64 { return f.kept }, n.Compute, p.t, n)
	var get func(f *frame, o *object, off int64) uint64
	if p.kind == inSlot {
		load := c.loadSlot(p, keeps)
		get = func(f *frame, _ *object, _ int64) uint64 { return load(f) }
	} else {
		s, t := shapeOf(p.t), p.t
		get = func(f *frame, o *object, off int64) uint64 {
			f.m.keeps = true
			return f.m.read(o, off, &s, t, n)
		}
	}
	return func(f *frame) uint64 {
		o, off := find(f)
		y := inputs.Operand{Value: operand(f)}
		y.Sum = f.m.takeSum()
		x := get(f, o, off)
		before := f.m.raised
		f.kept = x
		left := inputs.Operand{Value: in(f)}
		left.Sum = f.m.takeSum()
		f.kept = combine(f, left, y)
		r := out(f)
		after := f.m.raised
		r = put(f, o, off, r)
		if n.Post {
			f.m.usedFor(before, to)
			return x
		}
		f.m.usedFor(after, to)
		return r
	}
}

// count is an update of an integer in a slot by a constant.
func (c *compiler) count(p *place, n *tree.Update, load value, s shape, by uint64) value {
	if n.Op == tree.Sub {
		by = -by
	}
	slot, decl, t, post := p.slot, p.decl, p.t, n.Post
	return func(f *frame) uint64 {
		x := load(f)
		r := s.wrap(x + by)
		f.slots[slot].value = r
		if f.m.observe != nil {
			f.m.assigned(n, decl, t, r)
		}
		if post {
			return x
		}
		return r
	}
}

// inner compiles a statement expression: what executes its block, and then its result, a value or a bulk; nil if it has
// none.
func (c *compiler) inner(n *tree.StatementValue) (effect, any) {
	// The instructions stand where the expression is compiled, and control goes past them.
	skip := c.jump(0)
	outer := c.region
	c.regions++
	c.region = c.regions
	region := c.region
	start := c.here()
	c.block(n.Block)
	c.emit(op{kind: leaveOp})
	c.region = outer
	c.fn.code[skip].yes = c.here()
	fn := c.fn
	run := func(f *frame) {
		if fn.unwinds {
			f.m.execUnwinding(f, start, region)
		} else {
			f.m.exec(f, start)
		}
	}
	if n.Result == nil {
		return run, nil
	}
	switch n.Result.Type().(type) {
	case *tree.Struct:
		return run, c.bulk(n.Result)
	case *tree.Void:
		return run, c.effect(n.Result)
	}
	return run, c.value(n.Result)
}

func (c *compiler) statementValue(n *tree.StatementValue) value {
	run, result := c.inner(n)
	v, ok := result.(value)
	if !ok {
		panic(fmt.Sprintf("%s: a statement expression without a value", n.Pos()))
	}
	return sequence(run, v)
}

func (c *compiler) statementEffect(n *tree.StatementValue) effect {
	run, result := c.inner(n)
	switch r := result.(type) {
	case value:
		return func(f *frame) { run(f); r(f) }
	case bulk:
		return func(f *frame) { run(f); r(f) }
	case effect:
		return func(f *frame) { run(f); r(f) }
	}
	return run
}
