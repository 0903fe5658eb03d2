package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/translate/bare"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// findUnset finds the objects that are declared without a value, and says of each whether it may be read before it has one.
func (t *translator) findUnset() {
	if !t.options.Faults.Has(fault.Uninitialised) {
		return
	}
	t.withoutValue, t.unset = map[*tree.Object]bool{}, map[*tree.Object]bool{}
	for _, f := range t.reached.Functions {
		for o := range usage.Bare(f) {
			t.withoutValue[o] = true
		}
		for o := range usage.Unset(f, t.options.Faults) {
			t.unset[o] = true
		}
	}
}

// follow finds where values may come to that come from objects without one.
func (t *translator) follow() {
	if !t.options.Faults.Has(fault.Uninitialised) {
		return
	}
	t.bare = bare.Find(bare.Program{
		Reached: t.reached, Faults: t.options.Faults, InMemory: t.inMemory,
		Regions: func() *region.Regions { return t.memory().regions },
	}, t.unset)
	t.flags = bare.NewVariables(t.bare, t.result.Origins, t.names.fresh)
}

// from does something, and is the condition that a value that it reads comes from an object without one; nil if that is never so.
func (f *function) from(do func()) ast.Expr {
	outer := f.comes
	f.comes = nil
	do()
	out := f.comes
	f.comes = outer
	return out
}

// meet notes that a value is read that comes from an object without one if the condition holds.
func (f *function) meet(pos chc.Position, cond ast.Expr) {
	if cond == nil {
		return
	}
	if b, ok := cond.(*ast.BoolLiteral); ok && !b.Value {
		return
	}
	f.comes = anyOf(pos, f.comes, f.settle(pos, cond, machine.TypeNamed(pos, machine.Bool)))
}

// anyOf is the disjunction of two conditions of which nil is one that never holds.
func anyOf(pos chc.Position, x, y ast.Expr) ast.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return either(pos, x, y)
}

// orNever is the condition, which for nil never holds.
func orNever(pos chc.Position, cond ast.Expr) ast.Expr {
	if cond == nil {
		return truthLiteral(pos, false)
	}
	return cond
}

// hands notes that the arguments of a call decide what a function does that is not of the program.
func (f *function) hands(v *tree.Call) {
	if f.withoutValue == nil {
		return
	}
	if f.handed == nil {
		f.handed = map[tree.Value]bool{}
	}
	for _, a := range v.Arguments {
		if tree.Scalar(a.Type()) {
			f.handed[a] = true
		}
	}
}

// takes tells, once, whether a value is one that hands has noted.
func (f *function) takes(v tree.Value) bool {
	if !f.handed[v] {
		return false
	}
	delete(f.handed, v)
	return true
}

// valuesFrom are the scalars of a value, and of each the condition that it comes from an object without one, or the map of these.
func (f *function) valuesFrom(v tree.Value) (values, parts []ast.Expr) {
	if f.bare == nil {
		return f.values(v), nil
	}
	f.parts = nil
	comes := f.from(func() { values = f.values(v) })
	parts = f.parts
	if tree.Scalar(v.Type()) {
		parts = []ast.Expr{comes}
	}
	f.parts = nil
	return values, parts
}

// partOf is the k-th of what valuesFrom says.
func partOf(parts []ast.Expr, k int) ast.Expr {
	if k < len(parts) {
		return parts[k]
	}
	return nil
}

// besides is the variable that says of a leaf whether its value comes from an object without one; nil if there is none.
func (f *function) besides(s *storage) *ast.Variable {
	if s.root == nil || s.root.behind || s.root.object == nil || !f.bare.Object(s.root.object) || f.inMemory(s.root.object) {
		return nil
	}
	if s.root.global {
		return f.flags.Global(s.variable, s.keys)
	}
	v, made := f.flags.Local(f.name, s.variable, s.keys, func(name string) string { return f.translator.local(f.instance, name) })
	if made {
		f.body.Locals = append(f.body.Locals, v)
	}
	return v
}

// besideOf is what says of a scalar at a place whether its value comes from an object without one, as something that can be assigned.
func (f *function) besideOf(n tree.Node, pl place, s *storage) ast.Expr {
	v := f.besides(s)
	if v == nil {
		return nil
	}
	beside := *s
	beside.variable = v
	return pl.variable(n, &beside)
}

// meetLeaf notes that a scalar is read.
func (f *function) meetLeaf(n tree.Node, pl place, s *storage) {
	if e := f.besideOf(n, pl, s); e != nil {
		if s.keys > 0 {
			e = equal(at(n), byteType.String(), e, machine.Number(at(n), 1))
		}
		f.meet(at(n), e)
	}
}

// shade notes that a scalar is written with a value that comes from an object without one if the condition holds.
func (f *function) shade(n tree.Node, pl place, s *storage, comes ast.Expr) {
	pos, e := at(n), f.besideOf(n, pl, s)
	switch {
	case e != nil && s.keys > 0:
		f.assign(pos, e, number(pos, orNever(pos, comes)))
	case e != nil:
		f.assign(pos, e, orNever(pos, comes))
	case comes != nil && s.root != nil && (s.root.object != nil || s.root.behind):
		f.refuse(n.Pos(), "a value that may come from an object without one, here,")
	}
}

// shadeAll is shade for the scalars of a storage, or the maps that hold them.
func (f *function) shadeAll(pos chc.Position, to *storage, parts []ast.Expr) {
	k := 0
	to.each(func(s *storage) {
		if v := f.besides(s); v != nil {
			e := partOf(parts, k)
			if e == nil {
				e = bare.Constant(pos, s.keys, false)
			}
			f.assign(pos, use(v), e)
		}
		k++
	})
}

// besideRegion is the variable that says of what a region holds whether it comes from objects without values; nil if there is none.
func (f *function) besideRegion(r *region.Region) *ast.Variable {
	return f.flags.Region(r, func(r *region.Region) *ast.Variable { return f.memory().variable(r) })
}

// besideCells are what says it of the scalar at an address, byte by byte where the region holds bytes.
func (f *function) besideCells(n tree.Node, r *region.Region, pl place) []ast.Expr {
	v := f.besideRegion(r)
	if v == nil {
		return nil
	}
	if r.Single {
		return []ast.Expr{use(v)}
	}
	if f.memory().typeOf(r) != nil {
		return []ast.Expr{f.beside(at(n), v, pl.address)}
	}
	var out []ast.Expr
	for k := range pl.typ.Size() {
		out = append(out, f.beside(at(n), v, sum(at(n), ast.Add, pl.address, machine.Number(at(n), k))))
	}
	return out
}

// meetCell notes that a scalar in memory is read.
func (f *function) meetCell(n tree.Node, r *region.Region, pl place) {
	for _, e := range f.besideCells(n, r, pl) {
		if pl.field != nil {
			f.refuse(n.Pos(), "a bit-field that may have no value")
			return
		}
		f.meet(at(n), equal(at(n), byteType.String(), e, machine.Number(at(n), 1)))
	}
}

// shadeCell notes that a scalar in memory is written.
func (f *function) shadeCell(n tree.Node, r *region.Region, pl place, comes ast.Expr) {
	cells := f.besideCells(n, r, pl)
	if cells == nil && comes != nil {
		f.refuse(n.Pos(), "a value that may come from an object without one, here,")
	}
	for _, e := range cells {
		f.assign(at(n), e, number(at(n), orNever(at(n), comes)))
	}
}

// shadeGroup says that nothing, or everything, that a group's regions hold comes from objects without values.
func (f *function) shadeGroup(pos chc.Position, g *region.Group, all bool) {
	for _, r := range g.Regions {
		if f.begins && f.memory().variables[r] == nil {
			continue
		}
		f.shadeRegion(pos, r, all)
	}
}

func (f *function) shadeRegion(pos chc.Position, r *region.Region, all bool) {
	v := f.besideRegion(r)
	if v == nil {
		return
	}
	var e ast.Expr = bare.Element(pos, all)
	if !r.Single {
		e = machine.Constant(pos, machine.Ref, e)
	}
	f.assign(pos, use(v), e)
}

// leaves says of each scalar of a type how many indices what holds it has.
func leaves(t tree.Type) (keys []int) {
	newRoot(nil, t, "", shape{name: func(string) string { return "" }}).each(func(s *storage) { keys = append(keys, s.keys) })
	return keys
}

// carried are what carries, from a caller to a function, what says of a parameter's scalars that they come from objects without
// values; none if its value never does.
func (f *function) carried(o *tree.Object) []*ast.Variable {
	return f.flags.Passed(o, escape(o.Unique), func() []int { return leaves(o.Type) })
}

// returning are what carries that back from a function for its result.
func (f *function) returning(fn *tree.Function) []*ast.Variable {
	return f.flags.Returned(fn, func() []int { return leaves(fn.Type.Result) })
}

// carry assigns to carriers.
func (f *function) carry(pos chc.Position, to []*ast.Variable, t tree.Type, parts []ast.Expr) {
	if len(to) == 0 {
		return
	}
	for k, keys := range leaves(t) {
		e := partOf(parts, k)
		if e == nil {
			e = bare.Constant(pos, keys, false)
		}
		f.assign(pos, use(to[k]), e)
	}
}

// arrived notes what a call's result comes from.
func (f *function) arrived(v *tree.Call, fn *tree.Function) {
	carriers := f.returning(fn)
	if carriers == nil {
		return
	}
	if tree.Scalar(fn.Type.Result) {
		f.meet(at(v), use(carriers[0]))
		return
	}
	f.parts = nil
	for _, c := range carriers {
		f.parts = append(f.parts, f.settle(at(v), use(c), c.Syntax))
	}
}

// takePending is the condition for what is stored now.
func (f *function) takePending() ast.Expr {
	e := f.pending
	f.pending = nil
	return e
}

// handsOver checks what is given to a function that is not of the program, through a pointer.
func (f *function) handsOver(v *tree.Call, parts [][]ast.Expr) {
	for n, a := range v.Arguments {
		if e := partOf(parts[n], 0); e != nil && tree.Scalar(a.Type()) {
			f.check(a, fault.Uninitialised, not(e), "uninitialised")
		}
	}
}

// partsAt are what says of the scalars at a place in a storage that they come from objects without values.
func (f *function) partsAt(n tree.Node, pl place) []ast.Expr {
	if f.bare == nil {
		return nil
	}
	var out []ast.Expr
	pl.storage.each(func(s *storage) {
		v := f.besides(s)
		switch {
		case v == nil:
			out = append(out, nil)
		case s.keys > 0 && len(pl.index) > 0 && below(pl.storage, s) != 1:
			f.refuse(n.Pos(), "an array in a struct in an array, which may have no value")
			out = append(out, nil)
		case s.keys > len(pl.index):
			out = append(out, f.settle(at(n), use(v), v.Syntax))
		default:
			out = append(out, f.from(func() { f.meetLeaf(n, pl, s) }))
		}
	})
	return out
}

// shadeParts notes that the scalars at a place in a storage are written.
func (f *function) shadeParts(n tree.Node, pl place, parts []ast.Expr) {
	k := 0
	pl.storage.each(func(s *storage) {
		comes := partOf(parts, k)
		k++
		v := f.besides(s)
		switch {
		case v == nil && comes == nil:
		case v != nil && s.keys > 0 && len(pl.index) > 0 && below(pl.storage, s) != 1:
			f.refuse(n.Pos(), "an array in a struct in an array, which may have no value")
		case v != nil && s.keys > len(pl.index):
			if comes == nil {
				comes = bare.Constant(at(n), s.keys, false)
			}
			f.assign(at(n), use(v), comes)
		default:
			f.shade(n, pl, s, comes)
		}
	})
}

// shadeContents notes that a variable has what an initialiser says.
func (f *function) shadeContents(n tree.Node, c *contents) {
	s, pos := c.storage, at(n)
	v := f.besides(s)
	switch {
	case v == nil:
		for _, comes := range c.comes {
			if comes != nil && s.root.object != nil {
				f.refuse(n.Pos(), "a value that may come from an object without one, here,")
				return
			}
		}
	case s.keys == 0:
		var comes ast.Expr
		for _, e := range c.comes {
			comes = e
		}
		f.assign(pos, use(v), orNever(pos, comes))
	case c.whole != nil && c.comes[0] != nil:
		f.assign(pos, use(v), c.comes[0])
	default:
		f.assign(pos, use(v), bare.Constant(pos, s.keys, false))
		for _, i := range c.order {
			if e := c.comes[i]; e != nil {
				f.assign(pos, &ast.Select{Node: ast.Node{Pos: pos}, Map: use(v), Index: []ast.Expr{machine.Number(pos, i)}}, number(pos, e))
			}
		}
	}
}
