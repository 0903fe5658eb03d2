package translate

import (
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// eachCell calls do for the scalars that regions hold in size bytes from a place on; of what nothing accesses there are none.
func (f *function) eachCell(n tree.Node, pl place, size int64, do func(place)) {
	for offset := int64(0); offset < size; {
		r := f.region(pl.location, offset)
		if r == nil || f.begins && f.memory().variables[r] == nil {
			offset++
			continue
		}
		t := f.memory().typeOf(r)
		if t == nil {
			t = f.program.Char
		}
		do(pl.further(n, offset, t, nil))
		offset += max(t.Size(), 1)
	}
}

// declareMemory executes the declaration of an automatic object that is behind pointers.
func (f *function) declareMemory(s *tree.Declare) {
	o := s.Object
	m := f.memory()
	g := m.regions.GroupOfObject(o)
	pl := place{typ: o.Type, address: f.addressOf(s, o), location: &region.Location{Object: o}}
	pos := at(s)
	fresh := !m.once(o)
	if fresh {
		size := f.bytes(s, o.Type)
		if size == nil {
			f.refuse(s.Pos(), "the size of %s", o.Name)
			return
		}
		f.assign(pos, pl.address, f.allocate(s, g, size))
	} else {
		f.made(s, g, nil, nil)
	}
	f.exists(s, o)
	if s.Initialized {
		f.wrote(s, pl, 0, o.Size())
	} else if !fresh {
		f.unwritten(s, pl, o.Size())
	}
	f.quietly(func() { f.initialiseMemory(s, pl, g, fresh) })
}

// initialiseMemory gives an object what its declaration says.
func (f *function) initialiseMemory(s *tree.Declare, pl place, g *region.Group, fresh bool) {
	o, m, pos := s.Object, f.memory(), at(s)
	switch {
	case !s.Initialized && fresh:
		return // nobody has been there
	case !s.Initialized && m.alone(o):
		f.shadeGroup(pos, g, true)
		f.havocRegions(pos, g, origin.Event{Kind: origin.Declared, Node: s, Object: o})
		return
	case !s.Initialized:
		f.eachCell(s, pl, o.Size(), func(c place) {
			x := f.declared(s, o, c)
			if f.bare.Group(g) {
				f.pending = truthLiteral(pos, true)
			}
			f.storeMemory(s, c, x)
		})
		return
	}
	zeroed := false
	switch {
	case tree.Scalar(o.Type) && len(s.Init) > 0:
	case m.alone(o) && !fresh:
		for _, r := range g.Regions {
			f.zeroRegion(pos, r)
			f.shadeRegion(pos, r, false)
		}
		zeroed = true
	case cells(o.Type) <= maxStatic:
		f.eachCell(s, pl, o.Size(), func(c place) { f.storeMemory(s, c, f.zero(s, c.typ)) })
		zeroed = true
	default:
		f.approximate(s, "the zeros in the large object %s", o.Name)
	}
	f.fill(s, pl, s.Init, zeroed)
}

// declared is the value of a scalar of an object that has none yet.
func (f *function) declared(s *tree.Declare, o *tree.Object, c place) ast.Expr {
	v := f.tempOf(at(s), machine.TypeNamed(at(s), scalarName(c.typ)), c.typ)
	f.havoc(at(s), &origin.Event{Kind: origin.Declared, Node: s, Object: o, Offset: c.location.Offset}, c.typ, v)
	return use(v)
}

// zeroRegion makes everything in a region zero.
func (f *function) zeroRegion(pos chc.Position, r *region.Region) {
	m := f.memory()
	if _, ok := FormatOf(m.typeOf(r)); tree.IsFloat(m.typeOf(r)) && !ok {
		return // any value
	}
	var e ast.Expr = machine.Number(pos, 0)
	if !r.Single {
		e = machine.Constant(pos, machine.Ref, e)
	}
	f.assign(pos, use(m.variable(r)), e)
}

// fill stores what an initialiser says; zeroed says that everything is zero before.
func (f *function) fill(n tree.Node, pl place, init []tree.Initial, zeroed bool) {
	zeroed = zeroed && ascending(init)
	for _, i := range init {
		if i.Value == nil {
			f.fillText(n, pl, i, zeroed)
			continue
		}
		at := pl.further(i.Value, i.Offset, i.Type, i.Field)
		values, parts := f.valuesFrom(i.Value)
		for k := range max(i.Repeat, 1) {
			to := at
			if k > 0 {
				to = pl.further(i.Value, i.Offset+k*i.Type.Size(), i.Type, i.Field)
			}
			switch {
			case !tree.Scalar(i.Type):
				f.parts = parts
				f.storeAllMemory(i.Value, to, values, nil)
			case zeroed && len(init) > 1 && isLiteral(values[0], 0):
			case f.skips(to):
			default:
				f.pending = partOf(parts, 0)
				f.storeMemory(i.Value, to, values[0])
			}
		}
	}
}

// ascending tells whether each value of an initialiser is behind those before it, so that none replaces another one.
func ascending(init []tree.Initial) bool {
	end := int64(0) // in bits
	for _, i := range init {
		low, size := 8*i.Offset, 8*max(i.Repeat, 1)*i.Type.Size()
		switch {
		case i.Value == nil:
			size = 8 * int64(len(i.Bytes))
		case i.Field != nil:
			low, size = low+int64(i.Field.Shift), int64(i.Field.Bits)
		}
		if low < end {
			return false
		}
		end = low + size
	}
	return true
}

// skips tells whether an initial value goes where nothing reads it.
func (f *function) skips(to place) bool {
	if !f.begins {
		return false
	}
	r := f.region(to.location, 0)
	return r == nil || f.memory().variables[r] == nil
}

// fillText stores the characters of a string literal.
func (f *function) fillText(n tree.Node, pl place, i tree.Initial, zeroed bool) {
	elem, ok := i.Type.(*tree.Integer)
	if a, array := i.Type.(*tree.Array); array {
		elem, ok = a.Elem.(*tree.Integer)
	}
	if !ok {
		f.refuse(n.Pos(), "a string for a value of type %s", i.Type)
		return
	}
	for k, c := range charactersOf(elem, i.Bytes) {
		to := pl.further(n, i.Offset+int64(k)*elem.Size(), elem, nil)
		if zeroed && c.Sign() == 0 || f.skips(to) {
			continue
		}
		f.storeMemory(n, to, machine.Literal(at(n), c))
	}
}

// beginMemory gives memory what it has when a run begins.
func (f *function) beginMemory() {
	f.begins = true
	f.beginSafety()
	m := f.memories
	if m == nil || m.regions == nil {
		return
	}
	f.beginMetadata()
	// Each group has an equal part of the addresses, at most heapRange, that are behind all static objects.
	first := max(m.next+1<<20, firstHeap)
	share := min((lastHeap-first)/int64(len(m.heaps)+1)/16*16, heapRange)
	if share <= 0 {
		f.failed = &UnsupportedError{Places: []origin.Unsupported{{Pos: tree.Pos{File: f.program.Name}, What: "so much memory"}}}
		share = heapRange
	}
	for k, g := range m.heaps {
		f.assign(chc.Position{}, use(m.tops[g]), machine.Number(chc.Position{}, first+int64(k)*share))
		if b := m.bottoms[g]; b != nil {
			b.Value.SetInt64(first + int64(k)*share)
		}
	}
	for _, r := range m.order {
		f.shadeRegion(chc.Position{}, r, !m.zeroed(r.Group) && !r.Group.Outside)
		if m.zeroed(r.Group) {
			f.zeroRegion(m.variables[r].Pos, r)
		}
	}
	for _, o := range f.reached.Objects {
		if !f.inMemory(o) || f.hidden(o) || o.External {
			continue
		}
		n := &tree.Use{At: tree.At{Position: o.Pos}, Object: o}
		pl := place{typ: o.Type, address: f.addressOf(n, o), location: &region.Location{Object: o}}
		g := m.regions.GroupOfObject(o)
		zeroed := g != nil && m.zeroed(g)
		if !zeroed {
			if cells(o.Type) <= maxStatic {
				f.eachCell(n, pl, o.Size(), func(c place) { f.storeMemory(n, c, f.zero(n, c.typ)) })
				zeroed = true
			} else {
				f.approximate(n, "the zeros in the large object %s", o.Name)
			}
		}
		f.fill(n, pl, o.Init, zeroed)
	}
}

// allocation is a call that makes an object.
func (f *function) allocation(v *tree.Call, meaning lib.Function) []ast.Expr {
	pos := at(v)
	var size, old ast.Expr
	values := make([]ast.Expr, len(v.Arguments))
	for n, a := range v.Arguments {
		later := nodes(v.Arguments[n+1:])
		switch {
		case tree.IsPointer(a.Type()):
			old = f.before(pos, f.value(a), machine.Ref, later...)
		default:
			if _, ok := a.Type().(*tree.Integer); ok {
				values[n] = f.before(pos, f.index(a), machine.Int, later...)
			} else {
				f.effect(a)
			}
		}
	}
	integer := func(n int) ast.Expr {
		if n < len(values) && values[n] != nil {
			return values[n]
		}
		f.refuse(v.Pos(), "this call of %s", v.Function.Name)
		return machine.Number(pos, 1)
	}
	zero := false
	switch meaning.Name {
	case "calloc":
		size = f.times(pos, integer(0), integer(1))
		zero = true
	case "kzalloc":
		size, zero = integer(0), true
	case "realloc", "memalign", "aligned_alloc":
		size = integer(1)
	case "reallocarray":
		size = f.times(pos, integer(1), integer(2))
	default:
		size = integer(0)
	}
	m := f.memory()
	if m.regions == nil {
		return f.results(v)
	}
	if meaning.Name == "alloca" && f.options.Faults.Has(fault.Dereference) {
		f.refuse(v.Pos(), "how long what alloca makes exists")
	}
	g := m.regions.Target(v)
	if f.options.MayFail && !strings.HasSuffix(meaning.Name, "alloca") {
		fails, p := f.temp(pos, machine.Bool), f.temp(pos, machine.Ref)
		f.havoc(pos, &origin.Event{Kind: origin.Unspecified, Node: v}, nil, fails)
		f.add(&ast.If{
			Pos: pos, Guard: use(fails), Then: f.within(func() { f.assign(pos, use(p), machine.Number(pos, 0)) }),
			Else: f.within(func() { f.assign(pos, use(p), f.allocated(v, meaning, g, size, old, zero)) }),
		})
		return []ast.Expr{use(p)}
	}
	return []ast.Expr{f.allocated(v, meaning, g, size, old, zero)}
}

// allocated is the address of what a call makes that does not fail.
func (f *function) allocated(v *tree.Call, meaning lib.Function, g *region.Group, size, old ast.Expr, zero bool) ast.Expr {
	m := f.memory()
	p := f.allocate(v, g, size)
	pl := place{typ: f.program.Char, address: p, location: &region.Location{Pointer: v}}
	if meaning.Name == "realloc" || meaning.Name == "reallocarray" {
		f.reallocate(v, pl, old, size)
	}
	if zero && g != nil && !m.zeroed(g) {
		if l, ok := size.(*ast.IntLiteral); ok && l.Value.IsInt64() && l.Value.Int64() <= 8*maxCells {
			f.quietly(func() { f.eachCell(v, pl, l.Value.Int64(), func(c place) { f.storeMemory(v, c, f.zero(v, c.typ)) }) })
		} else {
			f.approximate(v, "the zeros that %s makes", meaning.Name)
		}
	}
	return p
}

// reallocate copies what the old object holds into the new one, as far as both go.
func (f *function) reallocate(v *tree.Call, to place, old, size ast.Expr) {
	pos := at(v)
	m := f.memory()
	g := m.regions.Target(v)
	if g == nil || old == nil {
		return
	}
	old = f.settle(pos, old, machine.TypeNamed(pos, machine.Ref))
	f.released(v, v, old)
	f.frees(v, v, old)
	n, ok := constant(size)
	count := 0
	if ok {
		f.eachCell(v, to, n, func(place) { count++ })
	}
	if !ok || count > maxReallocated {
		f.approximate(v, "what realloc copies")
		return
	}
	known := &ast.Select{Node: ast.Node{Pos: pos}, Map: use(m.sizesOf(g)), Index: []ast.Expr{old}}
	f.eachCell(v, to, n, func(c place) {
		offset := c.location.Offset - to.location.Offset
		from := place{typ: c.typ, address: sum(pos, ast.Add, old, machine.Number(pos, offset)), location: c.location}
		inside := both(pos, not(equal(pos, machine.Ref, old, machine.Number(pos, 0))), &ast.Binary{
			Node: ast.Node{Pos: pos}, Op: ast.LessEq, X: machine.Number(pos, offset+c.typ.Size()), Y: known,
		})
		f.add(&ast.If{Pos: pos, Guard: inside, Then: f.within(func() {
			var x ast.Expr
			comes := f.from(func() { x = f.settle(pos, f.loadMemory(v, from), machine.TypeNamed(pos, scalarName(c.typ))) })
			f.pending = comes
			f.storeMemory(v, c, x)
		})})
	})
}

// times is the product of two mathematical integers.
func (f *function) times(pos chc.Position, x, y ast.Expr) ast.Expr {
	if l, ok := y.(*ast.IntLiteral); ok && l.Value.IsInt64() {
		return product(pos, x, l.Value.Int64())
	}
	if l, ok := x.(*ast.IntLiteral); ok && l.Value.IsInt64() {
		return product(pos, y, l.Value.Int64())
	}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Mul, X: x, Y: y}
}

// externalPointer is what an undefined function returns: null, or an object that the program has not seen.
func (f *function) externalPointer(v *tree.Call) (ast.Expr, bool) {
	m := f.memory()
	if m.regions == nil {
		return nil, false
	}
	g := m.regions.Target(v)
	if g == nil || len(g.Regions) == 0 {
		return nil, false
	}
	pos := at(v)
	p := f.temp(pos, machine.Ref)
	f.havoc(pos, &origin.Event{Kind: origin.Returned, Node: v, Fresh: !g.Given}, v.T, p)
	if f.options.Faults.Has(fault.Dereference) {
		// How large the object is nobody says: its address is none that the program has given out.
		if !g.Given {
			f.assume(pos, either(pos, isNull(pos, use(p)), f.beyond(pos, use(p))))
		}
		return use(p), true
	}
	top := m.top(g)
	if g.Given {
		// It may be anything that the function, or another one, was given before.
		f.add(&ast.If{
			Pos: pos, Guard: &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.GreaterEq, X: use(p), Y: use(top)},
			Then: []ast.Stmt{&ast.Assign{
				Pos: pos, Left: []ast.Expr{use(top)}, Right: []ast.Expr{sum(pos, ast.Add, use(p), machine.Number(pos, firstObject))},
			}},
		})
		return use(p), true
	}
	f.assume(pos, either(pos, equal(pos, machine.Ref, use(p), machine.Number(pos, 0)), equal(pos, machine.Ref, use(p), use(top))))
	f.assign(pos, use(top), sum(pos, ast.Add, use(top), machine.Number(pos, firstObject)))
	return use(p), true
}
