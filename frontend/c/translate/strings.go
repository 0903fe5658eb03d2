package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/library"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

// memoryCall is a function of <string.h> or its kin, as a loop over characters, or element by element where the size is a
// small constant.
func (f *function) memoryCall(v *tree.Call, meaning library.Function) []ast.Expr {
	if f.memory().regions == nil {
		return f.results(v)
	}
	name := meaning.Name
	want := map[string]int{
		"memcpy": 3, "memmove": 3, "mempcpy": 3, "memset": 3, "bzero": 2, "bcopy": 3, "memcmp": 3, "bcmp": 3,
		"strlen": 1, "strnlen": 2, "strcmp": 2, "strcoll": 2, "strncmp": 3, "strcpy": 2, "strncpy": 3, "strcat": 2, "strncat": 3,
		"stpcpy": 2, "strchr": 2, "index": 2, "strrchr": 2, "rindex": 2, "memchr": 3, "strchrnul": 2,
		"strstr": 2, "strspn": 2, "strcspn": 2, "strpbrk": 2, "strcasecmp": 2, "strncasecmp": 3,
	}
	switch name {
	case "atoi", "atol", "atoll", "strtol", "strtoul", "strtoll", "strtoull":
		if len(v.Arguments) == 1 || len(v.Arguments) == 3 && isZero(v.Arguments[1]) {
			f.approximate(v, "the function %s", name)
			return f.open(v)
		}
	}
	if n, ok := want[name]; !ok || len(v.Arguments) < n {
		f.refuse(v.Pos(), "the function %s", v.Function.Name)
		return f.results(v)
	}
	c := &characters{function: f, call: v, pos: at(v)}
	for n, a := range v.Arguments {
		var later []tree.Node
		for _, b := range v.Arguments[n+1:] {
			later = append(later, b)
		}
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
	case "memcpy", "memmove", "mempcpy":
		c.copyBytes(0, 1, 2)
		if name == "mempcpy" {
			return []ast.Expr{sum(c.pos, ast.Add, c.args[0], c.args[2])}
		}
		return c.result(c.args[0])
	case "bcopy":
		c.copyBytes(1, 0, 2)
		return nil
	case "memset":
		c.setBytes(c.args[2], c.args[1])
		return c.result(c.args[0])
	case "bzero":
		c.setBytes(c.args[1], machine.Number(c.pos, 0))
		return nil
	case "strlen", "strnlen":
		return c.length(name == "strnlen")
	case "strcmp", "strcoll":
		return c.compare(nil, true, asItIs)
	case "strncmp":
		return c.compare(c.args[2], true, asItIs)
	case "strcasecmp":
		return c.compare(nil, true, c.lower)
	case "strncasecmp":
		return c.compare(c.args[2], true, c.lower)
	case "memcmp", "bcmp":
		return c.compare(c.args[2], false, asItIs)
	case "strcpy", "stpcpy":
		i := c.copyText(machine.Number(c.pos, 0), nil)
		if name == "stpcpy" {
			return c.result(sum(c.pos, ast.Add, c.args[0], i))
		}
		return c.result(c.args[0])
	case "strncpy":
		c.copyPadded()
		return c.result(c.args[0])
	case "strcat":
		c.copyText(c.end(), nil)
		return c.result(c.args[0])
	case "strncat":
		c.copyText(c.end(), c.args[2])
		return c.result(c.args[0])
	case "strspn", "strcspn", "strpbrk":
		return c.span(name)
	case "strstr":
		return c.findText()
	}
	return c.find(name)
}

// characters is a call that goes through memory by characters.
type characters struct {
	*function
	call *tree.Call
	pos  chc.Position
	args []ast.Expr // pointers, and numbers as mathematical integers
}

func (c *characters) result(e ast.Expr) []ast.Expr {
	if _, void := c.call.T.(*tree.Void); void {
		return nil
	}
	return []ast.Expr{e}
}

// char is the character at an index from a pointer argument.
func (c *characters) char(n int, i ast.Expr) place {
	return place{
		typ: c.program.Char, address: sum(c.pos, ast.Add, c.args[n], i), lies: &lies{pointer: c.call.Arguments[n]},
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

func (c *characters) isEnd(e ast.Expr) ast.Expr {
	return equal(c.pos, c.charType().String(), e, machine.Number(c.pos, 0))
}

// length is strlen or strnlen.
func (c *characters) length(bounded bool) []ast.Expr {
	n := c.counter(machine.Number(c.pos, 0))
	c.loop(func() ast.Expr {
		test := not(c.isEnd(c.load(0, use(n))))
		if bounded {
			test = both(c.pos, c.less(use(n), c.args[1]), test)
		}
		return test
	}, func() { c.increase(n) })
	i, ok := c.call.T.(*tree.Integer)
	if !ok {
		return c.results(c.call)
	}
	return []ast.Expr{operation(c.pos, machine.Integer, machineType(i), use(n))}
}

// end is the index of the first argument's end.
func (c *characters) end() ast.Expr {
	n := c.counter(machine.Number(c.pos, 0))
	c.loop(func() ast.Expr { return not(c.isEnd(c.load(0, use(n)))) }, func() { c.increase(n) })
	return use(n)
}

// copyText copies the second argument's characters behind some of the first's, with its end, and says where that is. With a
// limit it copies no more than that many, and an end after them.
func (c *characters) copyText(behind, limit ast.Expr) ast.Expr {
	i := c.counter(machine.Number(c.pos, 0))
	to := func() place { return c.char(0, sum(c.pos, ast.Add, behind, use(i))) }
	c.loop(func() ast.Expr {
		test := not(c.isEnd(c.load(1, use(i))))
		if limit != nil {
			test = both(c.pos, c.less(use(i), limit), test)
		}
		return test
	}, func() {
		c.storeMemory(c.call, to(), c.load(1, use(i)))
		c.increase(i)
	})
	c.storeMemory(c.call, to(), machine.Number(c.pos, 0))
	return sum(c.pos, ast.Add, behind, use(i))
}

// copyPadded is strncpy.
func (c *characters) copyPadded() {
	i := c.counter(machine.Number(c.pos, 0))
	c.loop(func() ast.Expr {
		return both(c.pos, c.less(use(i), c.args[2]), not(c.isEnd(c.load(1, use(i)))))
	}, func() {
		c.storeMemory(c.call, c.char(0, use(i)), c.load(1, use(i)))
		c.increase(i)
	})
	c.loop(func() ast.Expr { return c.less(use(i), c.args[2]) }, func() {
		c.storeMemory(c.call, c.char(0, use(i)), machine.Number(c.pos, 0))
		c.increase(i)
	})
}

func asItIs(x ast.Expr) ast.Expr { return x }

// lower is a character without what tells an upper case letter from a lower case one.
func (c *characters) lower(x ast.Expr) ast.Expr {
	m := c.charType()
	upper := both(c.pos, operation(c.pos, machine.Le, m, machine.Number(c.pos, 'A'), x), operation(c.pos, machine.Le, m, x, machine.Number(c.pos, 'Z')))
	return choose(c.pos, upper, operation(c.pos, machine.Add, m, x, machine.Number(c.pos, 'a'-'A')), x)
}

// compare is strcmp, strncmp or memcmp, or, with characters folded, strcasecmp: of the result only the sign is defined.
func (c *characters) compare(limit ast.Expr, text bool, fold func(ast.Expr) ast.Expr) []ast.Expr {
	i := c.counter(machine.Number(c.pos, 0))
	m, u := c.charType(), byteType
	within := truthLiteral(c.pos, true)
	if limit != nil {
		within = c.less(use(i), limit)
	}
	c.loop(func() ast.Expr {
		x, y := fold(c.load(0, use(i))), fold(c.load(1, use(i)))
		test := both(c.pos, within, equal(c.pos, m.String(), x, y))
		if text {
			test = both(c.pos, test, not(c.isEnd(x)))
		}
		return test
	}, func() { c.increase(i) })
	t, ok := c.call.T.(*tree.Integer)
	if !ok {
		return c.results(c.call)
	}
	x := convertMachine(c.pos, m, u, fold(c.load(0, use(i))))
	y := convertMachine(c.pos, m, u, fold(c.load(1, use(i))))
	// How far the result is from zero is not defined, only on which side.
	far := c.unknown(c.call, Unspecified, t)
	rm := machineType(t)
	c.assume(c.pos, operation(c.pos, machine.Gt, rm, far, machine.Number(c.pos, 0)))
	same := either(c.pos, not(within), equal(c.pos, u.String(), x, y))
	return []ast.Expr{choose(c.pos, same, machine.Number(c.pos, 0),
		choose(c.pos, operation(c.pos, machine.Lt, u, x, y), operation(c.pos, machine.Neg, rm, far), far))}
}

// span is strspn, strcspn or strpbrk: it goes on while characters are in the second argument, or are not.
func (c *characters) span(name string) []ast.Expr {
	m := c.charType()
	i, k := c.counter(machine.Number(c.pos, 0)), c.counter(machine.Number(c.pos, 0))
	x := c.temp(c.pos, m.String())
	delete(c.temporary, x) // it changes
	c.loop(func() ast.Expr {
		c.assign(c.pos, use(x), c.load(0, use(i)))
		c.assign(c.pos, use(k), machine.Number(c.pos, 0))
		c.loop(func() ast.Expr {
			y := c.load(1, use(k))
			return both(c.pos, not(c.isEnd(y)), not(equal(c.pos, m.String(), y, use(x))))
		}, func() { c.increase(k) })
		outside := c.isEnd(c.load(1, use(k)))
		if name == "strspn" {
			outside = not(outside)
		}
		return both(c.pos, not(c.isEnd(use(x))), outside)
	}, func() { c.increase(i) })
	switch t := c.call.T.(type) {
	case *tree.Pointer:
		return []ast.Expr{choose(c.pos, c.isEnd(use(x)), machine.Number(c.pos, 0), sum(c.pos, ast.Add, c.args[0], use(i)))}
	case *tree.Integer:
		return []ast.Expr{operation(c.pos, machine.Integer, machineType(t), use(i))}
	}
	return c.results(c.call)
}

// findText is strstr.
func (c *characters) findText() []ast.Expr {
	i, k := c.counter(machine.Number(c.pos, 0)), c.counter(machine.Number(c.pos, 0))
	c.loop(func() ast.Expr {
		c.assign(c.pos, use(k), machine.Number(c.pos, 0))
		c.loop(func() ast.Expr {
			y := c.load(1, use(k))
			return both(c.pos, not(c.isEnd(y)), equal(c.pos, c.charType().String(), c.load(0, sum(c.pos, ast.Add, use(i), use(k))), y))
		}, func() { c.increase(k) })
		return both(c.pos, not(c.isEnd(c.load(1, use(k)))), not(c.isEnd(c.load(0, use(i)))))
	}, func() { c.increase(i) })
	return []ast.Expr{choose(c.pos, c.isEnd(c.load(1, use(k))), sum(c.pos, ast.Add, c.args[0], use(i)), machine.Number(c.pos, 0))}
}

// find is strchr, strrchr, strchrnul or memchr.
func (c *characters) find(name string) []ast.Expr {
	m := c.charType()
	i := c.counter(machine.Number(c.pos, 0))
	t, ok := c.call.Arguments[1].Type().(*tree.Integer)
	if !ok {
		return c.results(c.call)
	}
	wanted := c.settle(c.pos, convertMachine(c.pos, machineType(t), m, operation(c.pos, machine.Integer, machineType(t), c.args[1])),
		machine.TypeNamed(c.pos, m.String()))
	here := func() ast.Expr { return equal(c.pos, m.String(), c.load(0, use(i)), wanted) }
	at := func() ast.Expr { return sum(c.pos, ast.Add, c.args[0], use(i)) }
	null := machine.Number(c.pos, 0)
	switch name {
	case "memchr":
		within := func() ast.Expr { return c.less(use(i), c.args[2]) }
		c.loop(func() ast.Expr { return both(c.pos, within(), not(here())) }, func() { c.increase(i) })
		return []ast.Expr{choose(c.pos, within(), at(), null)}
	case "strrchr", "rindex":
		last := c.temp(c.pos, machine.Ref)
		c.assign(c.pos, use(last), null)
		note := func() {
			c.add(&ast.If{Pos: c.pos, Guard: here(), Then: c.within(func() { c.assign(c.pos, use(last), at()) })})
		}
		c.loop(func() ast.Expr { return not(c.isEnd(c.load(0, use(i)))) }, func() {
			note()
			c.increase(i)
		})
		note()
		return []ast.Expr{use(last)}
	}
	c.loop(func() ast.Expr { return both(c.pos, not(here()), not(c.isEnd(c.load(0, use(i))))) }, func() { c.increase(i) })
	if name == "strchrnul" {
		return []ast.Expr{at()}
	}
	return []ast.Expr{choose(c.pos, here(), at(), null)}
}

// whole is where a pointer leads.
func (c *characters) whole(n int) place {
	return place{typ: c.program.Char, address: c.args[n], lies: &lies{pointer: c.call.Arguments[n]}}
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
	if n, ok := constant(c.args[size]); ok && n >= 0 && c.copyMemory(c.call, c.whole(to), c.whole(from), n) {
		return
	}
	r := c.region(c.whole(to).lies, 0)
	if r != nil && c.oneCell(to) && c.oneCell(from) {
		c.copyLoop(to, from, size)
		return
	}
	c.forget(c.call, c.memory().regions.Target(c.call.Arguments[to]))
}

// oneCell tells whether all that a pointer leads to are characters.
func (c *characters) oneCell(n int) bool {
	r := c.region(c.whole(n).lies, 0)
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
			c.storeMemory(c.call, c.char(to, use(i)), c.load(from, use(i)))
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
			c.storeMemory(c.call, c.char(to, use(i)), c.load(from, use(i)))
		})
	})
	c.add(&ast.If{Pos: c.pos, Guard: up, Then: forward, Else: back})
}

// setBytes is memset.
func (c *characters) setBytes(size, value ast.Expr) {
	n, small := constant(size)
	x, known := constant(value)
	to := c.whole(0)
	if small && n >= 0 && n <= 8*maxCells && known && !c.cut(to.lies, 0) && !c.cut(to.lies, n) {
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

// repeated is a scalar all of whose bytes are x.
func (c *characters) repeated(t tree.Type, x int64) ast.Expr {
	format, floating := FormatOf(t)
	if isFloat(t) && (!floating || x&255 != 0 && format.Word.Bits == 128) {
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
