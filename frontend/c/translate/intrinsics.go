package translate

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// memoryCall is one of the functions that copy or fill memory. They are intrinsics, as a size that is a small constant needs no loop,
// and what is copied is not characters: all others of <string.h> have definitions in C.
func (f *function) memoryCall(v *tree.Call, meaning lib.Function) []ast.Expr {
	if f.memory().regions == nil {
		return f.results(v)
	}
	name := meaning.Name
	want := map[string]int{"memcpy": 3, "memmove": 3, "mempcpy": 3, "memset": 3, "bzero": 2, "bcopy": 3}
	if n, ok := want[name]; !ok || len(v.Arguments) < n {
		f.refuse(v.Pos(), "the function %s", v.Function.Name)
		return f.results(v)
	}
	c := &characters{function: f, call: v, pos: at(v)}
	for n, a := range v.Arguments {
		later := nodes(v.Arguments[n+1:])
		var e ast.Expr
		syntax := machine.Int
		switch a.Type().(type) {
		case *tree.Pointer:
			e, syntax = f.value(a), machine.Ref
		case *tree.Integer:
			e = f.index(a)
		default:
			f.effect(a)
			continue
		}
		if f.changes(e, later...) || !simple(e) {
			e = f.settle(at(a), e, machine.TypeNamed(at(a), syntax))
		}
		c.args = append(c.args, e)
	}
	switch name {
	case "bcopy":
		c.copyBytes(1, 0, 2)
		return nil
	case "memset":
		c.setBytes(c.args[2], c.args[1])
	case "bzero":
		c.setBytes(c.args[1], machine.Number(c.pos, 0))
		return nil
	default:
		c.copyBytes(0, 1, 2)
		if name == "mempcpy" {
			return []ast.Expr{sum(c.pos, ast.Add, c.args[0], c.args[2])}
		}
	}
	return c.result(c.args[0])
}

// characters is a call that goes through memory by characters.
type characters struct {
	*function
	call *tree.Call
	pos  chc.Position
	args []ast.Expr // pointers, and numbers as mathematical integers
}

func (c *characters) result(e ast.Expr) []ast.Expr {
	if tree.IsVoid(c.call.T) {
		return nil
	}
	return []ast.Expr{e}
}

// char is the character at an index from a pointer argument.
func (c *characters) char(n int, i ast.Expr) place {
	return place{
		typ: c.program.Char, address: sum(c.pos, ast.Add, c.args[n], i), location: &region.Location{Pointer: c.call.Arguments[n]},
	}
}

func (c *characters) load(n int, i ast.Expr) ast.Expr { return c.loadMemory(c.call, c.char(n, i)) }

func (c *characters) charType() machine.Type { return machineType(c.program.Char) }

// counter is a mathematical integer that begins with a value.
func (c *characters) counter(from ast.Expr) *ast.Variable {
	v := c.temp(c.pos, machine.Int)
	delete(c.temporary, v) // it changes
	c.assign(c.pos, use(v), from)
	return v
}

func (c *characters) increase(v *ast.Variable) {
	c.assign(c.pos, use(v), sum(c.pos, ast.Add, use(v), machine.Number(c.pos, 1)))
}

// move copies one character.
func (c *characters) move(to, from int, i ast.Expr) {
	var x ast.Expr
	comes := c.from(func() { x = c.load(from, i) })
	c.pending = comes
	c.storeMemory(c.call, c.char(to, i), x)
}

// loop repeats a body while a condition holds, which the body may look at more closely.
func (c *characters) loop(condition func() ast.Expr, body func()) {
	head := c.newLabel(c.call, "loop")
	c.add(head)
	test := condition()
	c.guarded(c.call, test, c.within(func() {
		body()
		c.jump(c.call, head)
	}))
}

func (c *characters) less(x, y ast.Expr) ast.Expr {
	return &ast.Binary{Node: ast.Node{Pos: c.pos}, Op: ast.Less, X: x, Y: y}
}

// whole is where a pointer leads.
func (c *characters) whole(n int) place {
	return place{typ: c.program.Char, address: c.args[n], location: &region.Location{Pointer: c.call.Arguments[n]}}
}

// constant is an argument's value if it is a small constant.
func constant(e ast.Expr) (int64, bool) {
	l, ok := e.(*ast.IntLiteral)
	if !ok || !l.Value.IsInt64() {
		return 0, false
	}
	return l.Value.Int64(), true
}

// copyBytes is memcpy and memmove.
func (c *characters) copyBytes(to, from, size int) {
	c.spans(c.call, to, c.args[to], c.args[size], true)
	c.spans(c.call, from, c.args[from], c.args[size], false)
	if n, ok := constant(c.args[size]); ok && n >= 0 && c.copyMemory(c.call, c.whole(to), c.whole(from), n) {
		return
	}
	if c.oneCell(to) && c.oneCell(from) {
		c.copyLoop(to, from, size)
		return
	}
	c.forget(c.call, c.memory().regions.Target(c.call.Arguments[to]))
}

// oneCell tells whether all that a pointer leads to are characters.
func (c *characters) oneCell(n int) bool {
	r := c.region(c.whole(n).location, 0)
	if r == nil || r.Single || len(r.Group.Regions) != 1 {
		return false
	}
	t, ok := c.memory().typeOf(r).(*tree.Integer)
	return r.Mixed || ok && t.Bits == 8
}

// copyLoop copies characters one by one, from the end that does not overwrite what is still to be read.
func (c *characters) copyLoop(to, from, size int) {
	up := &ast.Binary{Node: ast.Node{Pos: c.pos}, Op: ast.LessEq, X: c.args[to], Y: c.args[from]}
	forward := c.within(func() {
		i := c.counter(machine.Number(c.pos, 0))
		c.loop(func() ast.Expr { return c.less(use(i), c.args[size]) }, func() {
			c.move(to, from, use(i))
			c.increase(i)
		})
	})
	if c.call.Function.Name == "memcpy" {
		c.add(forward...)
		return
	}
	back := c.within(func() {
		i := c.counter(c.args[size])
		c.loop(func() ast.Expr { return c.less(machine.Number(c.pos, 0), use(i)) }, func() {
			c.assign(c.pos, use(i), sum(c.pos, ast.Sub, use(i), machine.Number(c.pos, 1)))
			c.move(to, from, use(i))
		})
	})
	c.add(&ast.If{Pos: c.pos, Guard: up, Then: forward, Else: back})
}

// setBytes is memset.
func (c *characters) setBytes(size, value ast.Expr) {
	n, small := constant(size)
	x, known := constant(value)
	to := c.whole(0)
	c.spans(c.call, 0, c.args[0], size, true)
	if small && known && c.fillObject(n, x) {
		return
	}
	if small && n >= 0 && n <= 8*maxCells && known && !c.cut(to.location, 0) && !c.cut(to.location, n) {
		cells := 0
		c.eachCell(c.call, to, n, func(place) { cells++ })
		if cells <= maxCells {
			c.wrote(c.call, to, 0, n)
			c.quietly(func() {
				c.eachCell(c.call, to, n, func(cell place) { c.storeMemory(c.call, cell, c.repeated(cell.typ, x)) })
			})
			return
		}
	}
	if c.oneCell(0) {
		t := c.program.Int
		byteValue := convertMachine(c.pos, machineType(t), c.charType(), operation(c.pos, machine.Integer, machineType(t), value))
		byteValue = c.settle(c.pos, byteValue, machine.TypeNamed(c.pos, c.charType().String()))
		i := c.counter(machine.Number(c.pos, 0))
		c.loop(func() ast.Expr { return c.less(use(i), size) }, func() {
			c.storeMemory(c.call, c.char(0, use(i)), byteValue)
			c.increase(i)
		})
		return
	}
	c.forget(c.call, c.memory().regions.Target(c.call.Arguments[0]))
}

// fillObject fills an object that the first argument names, if it is the only one of its group and so large, and tells whether it did:
// what else the maps of its regions hold, nothing accesses.
func (c *characters) fillObject(size, x int64) bool {
	v := c.call.Arguments[0]
	for convert, ok := v.(*tree.Convert); ok; convert, ok = v.(*tree.Convert) {
		v = convert.X
	}
	address, ok := v.(*tree.Address)
	if !ok {
		return false
	}
	u, ok := address.Place.(*tree.Use)
	m := c.memory()
	if !ok || !m.alone(u.Object) || !m.once(u.Object) || u.Object.Size() != size {
		return false
	}
	g := m.regions.GroupOfObject(u.Object)
	if g.Unknown {
		return false
	}
	if slices.ContainsFunc(g.Regions, func(r *region.Region) bool { return m.typeOf(r) != nil && tree.IsFloat(m.typeOf(r)) }) {
		return false
	}
	c.wrote(c.call, c.whole(0), 0, size)
	for _, r := range g.Regions {
		e := ast.Expr(machine.Literal(c.pos, byteType.Wrap(machine.Number(c.pos, x).Value)))
		if t := m.typeOf(r); t != nil {
			e = c.repeated(t, x)
		}
		if !r.Single {
			e = machine.Constant(c.pos, machine.Ref, e)
		}
		c.assign(c.pos, use(m.variable(r)), e)
		c.shadeRegion(c.pos, r, false)
	}
	return true
}

// repeated is a scalar all of whose bytes are x.
func (c *characters) repeated(t tree.Type, x int64) ast.Expr {
	format, floating := FormatOf(t)
	if tree.IsFloat(t) && (!floating || x&255 != 0 && format.Word.Bits == 128) {
		return c.float(c.call, t)
	}
	if x&255 == 0 {
		return machine.Number(c.pos, 0)
	}
	bits := machine.Type{Bits: 8}
	e := machine.Literal(c.pos, bits.Wrap(machine.Number(c.pos, x).Value)).Value
	all := machine.Number(c.pos, 0).Value
	for range t.Size() {
		all.Lsh(all, 8)
		all.Or(all, e)
	}
	if i, ok := t.(*tree.Integer); ok {
		all = i.Wrap(all)
	}
	if floating {
		all = format.Ordinal(all)
	}
	return machine.Literal(c.pos, all)
}

// bits is a function of the bits of its argument, of gcc or clang, in the machine's operations. It reports false for what it
// does not know.
func (f *function) bits(v *tree.Call, meaning lib.Function) (ast.Expr, bool) {
	result, ok := v.T.(*tree.Integer)
	if !ok || len(v.Arguments) != 1 {
		return nil, false
	}
	argument, ok := v.Arguments[0].Type().(*tree.Integer)
	if !ok {
		return nil, false
	}
	base, width := lib.BitFunction(meaning.Name, int(8*f.program.Model.PointerBytes))
	if width == 0 || base == "clrsb" {
		return nil, false
	}
	pos := at(v)
	m := machine.Type{Bits: width}
	x := use(f.tempOf(pos, machine.TypeNamed(pos, m.String()), nil))
	f.assign(pos, x, convertMachine(pos, machineType(argument), m, f.value(v.Arguments[0])))
	number := func(n int) ast.Expr { return machine.Number(pos, int64(n)) }
	// part is the size bits of x from the bit low on, moved to the bit to.
	part := func(low, size, to int) ast.Expr {
		e := ast.Expr(x)
		if low > 0 {
			e = operation(pos, machine.Shr, m, e, number(low))
		}
		if size < width {
			e = operation(pos, machine.And, m, e, number(1<<size-1))
		}
		if to > 0 {
			e = operation(pos, machine.Shl, m, e, number(to))
		}
		return e
	}
	joined := func(op machine.Op, size int, to func(low int) int) ast.Expr {
		e := part(0, size, to(0))
		for low := size; low < width; low += size {
			e = operation(pos, op, m, e, part(low, size, to(low)))
		}
		return e
	}
	var e ast.Expr
	switch base {
	case "bswap":
		e = joined(machine.Or, 8, func(low int) int { return width - 8 - low })
	case "bitreverse":
		e = joined(machine.Or, 1, func(low int) int { return width - 1 - low })
	case "popcount":
		e = joined(machine.Add, 1, func(int) int { return 0 })
	case "parity":
		e = operation(pos, machine.And, m, joined(machine.Add, 1, func(int) int { return 0 }), number(1))
	default:
		// The first bit that is set, from below or from above, is found by a choice; of 0 ffs is 0, and the others are undefined.
		zero := number(0)
		if base != "ffs" {
			zero = f.settle(pos, convertMachine(pos, machineType(result), m, f.unknown(v, origin.Unspecified, result)), machine.TypeNamed(pos, m.String()))
		}
		e = zero
		for k := range width {
			bit, value := width-1-k, width-1-k
			switch base {
			case "ffs":
				value++
			case "clz":
				bit = k
				value = width - 1 - k
			}
			e = choose(pos, equal(pos, m.String(), part(bit, 1, 0), number(1)), number(value), e)
		}
	}
	return convertMachine(pos, m, machineType(result), e), true
}
