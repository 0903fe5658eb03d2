package translate

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// assignment stores a value, and yields what the place then holds if that is needed.
func (f *function) assignment(v *tree.Assign, needed bool) ast.Expr {
	pos := at(v)
	if o := usage.Owner(v.Place); o != nil && f.hidden(o) {
		f.place(v.Place)
		if needed && tree.Scalar(v.Type()) {
			return f.value(v.Value)
		}
		f.effect(v.Value)
		return nil
	}
	pl := f.settlePlace(v, f.place(v.Place), v.Value)
	if !tree.Scalar(v.Type()) {
		f.copyWhole(v, pl)
		return nil
	}
	if call, ok := v.Value.(*tree.Call); ok && pl.storage != nil && pl.storage.variable != nil && pl.storage.keys == 0 && pl.field == nil {
		comes := f.from(func() { f.callInto(call, pl.storage.variable) })
		f.shade(v, pl, pl.storage, comes)
		f.comes = anyOf(pos, f.comes, comes)
		return use(pl.storage.variable)
	}
	var x ast.Expr
	f.pending = f.from(func() { x = f.value(v.Value) })
	f.comes = anyOf(pos, f.comes, f.pending)
	if pl.field != nil {
		x = f.truncate(v, pl.field, x)
	}
	if !needed {
		f.store(v, pl, x)
		return nil
	}
	if pl.storage != nil && pl.storage.variable != nil && pl.storage.keys == 0 {
		f.store(v, pl, x)
		return use(pl.storage.variable)
	}
	x = f.settle(pos, x, machine.TypeNamed(pos, scalarName(v.Type())))
	f.store(v, pl, x)
	return x
}

// store assigns to a scalar place.
func (f *function) store(n tree.Node, pl place, x ast.Expr) {
	f.accesses(n, pl, true)
	switch {
	case pl.storage != nil && pl.storage.variable != nil && f.untracked(pl.storage):
	case pl.storage != nil && pl.storage.variable != nil:
		f.shade(n, pl, pl.storage, f.takePending())
		f.assign(at(n), pl.variable(n, pl.storage), x)
	case pl.address != nil:
		f.storeMemory(n, pl, x)
	}
}

// truncate is a value as a bit-field holds it.
func (f *function) truncate(n tree.Node, field *tree.Field, x ast.Expr) ast.Expr {
	i, ok := field.Type.(*tree.Integer)
	if !ok || i.Bool || field.Bits >= i.Bits {
		return x
	}
	pos, m := at(n), machineType(i)
	if !m.Signed {
		return operation(pos, machine.And, m, x, machine.Literal(pos, machine.Type{Bits: field.Bits}.Max()))
	}
	count := machine.Number(pos, int64(i.Bits-field.Bits))
	return operation(pos, machine.Shr, m, operation(pos, machine.Shl, m, x, count), count)
}

// update is Place op= Operand: the place, then the operand, then what the place holds.
func (f *function) update(v *tree.Update, needed bool) ast.Expr {
	pos := at(v)
	if o := usage.Owner(v.Place); o != nil && f.hidden(o) {
		f.place(v.Place)
		f.effect(v.Operand)
		if needed {
			return f.unknown(v, origin.Unspecified, v.Type())
		}
		return nil
	}
	pl := f.settlePlace(v, f.place(v.Place), v.Operand)
	outer := f.comes
	f.comes = nil
	defer func() { f.comes = anyOf(pos, outer, f.comes) }()
	var x, old ast.Expr
	if t, ok := v.Compute.(*tree.Pointer); ok {
		count := f.position(v.Operand)
		old = f.keep(v, pl, needed)
		x = f.pointerSum(v, old, count, t.Elem, v.Op == tree.Sub)
		f.stays(v, &region.Location{Pointer: v}, old, x)
	} else {
		y := f.operand(v.Op, v.Compute, v.Operand)
		old = f.keep(v, pl, needed)
		wide := f.convert(v, pl.typ, v.Compute, old)
		x = f.convert(v, v.Compute, pl.typ, f.binary(v, v.Op, v.Compute, wide, y, v.Operand.Type()))
	}
	if pl.field != nil {
		x = f.truncate(v, pl.field, x)
	}
	f.pending = f.comes
	switch {
	case !needed:
		f.store(v, pl, x)
		return nil
	case v.Post:
		f.store(v, pl, x)
		return old
	case pl.storage != nil && pl.storage.keys == 0:
		f.store(v, pl, x)
		return f.load(v, pl)
	}
	x = f.settle(pos, x, machine.TypeNamed(pos, scalarName(pl.typ)))
	f.store(v, pl, x)
	return x
}

// keep is what a place holds; if it is needed after the place has changed, in a temporary variable.
func (f *function) keep(v *tree.Update, pl place, needed bool) ast.Expr {
	old := f.load(v, pl)
	if needed && v.Post {
		return f.settle(at(v), old, machine.TypeNamed(at(v), scalarName(pl.typ)))
	}
	return old
}

// copyWhole assigns what is no scalar: what has fields that overlap from one place in memory to another if that can be done as
// memory is, else by the parts of the value.
func (f *function) copyWhole(v *tree.Assign, to place) {
	value := v.Value
	for {
		c, ok := value.(*tree.Convert)
		if !ok {
			break
		}
		value = c.X
	}
	l, ok := value.(*tree.Load)
	if !ok {
		values, parts := f.valuesFrom(value)
		f.parts = parts
		f.storeAll(v, to, values, nil)
		return
	}
	from := f.place(l.Place)
	if !usage.Divisible(v.Type()) {
		f.accesses(l, from, false)
		f.accesses(v, to, true)
	}
	if usage.Divisible(v.Type()) || !f.copyMemory(v, to, from, v.Type().Size()) {
		values := f.all(l, from)
		f.storeAll(v, to, values, &from)
	}
}

// values are the scalars of a struct's value, in the order of storage.each; what is an array in the struct is a map.
func (f *function) values(v tree.Value) []ast.Expr {
	pos := at(v)
	if tree.Scalar(v.Type()) {
		return []ast.Expr{f.value(v)}
	}
	switch v := v.(type) {
	case *tree.Load:
		return f.all(v, f.place(v.Place))
	case *tree.Call:
		return f.call(v, nil)
	case *tree.Convert:
		return f.values(v.X)
	case *tree.Comma:
		f.effect(v.First)
		return f.values(v.Second)
	case *tree.Assign:
		f.assignment(v, false)
		return f.all(v, f.place(v.Place))
	case *tree.StatementValue:
		f.statement(v.Block)
		return f.values(v.Result)
	case *tree.Conditional:
		if v.Then == nil {
			break
		}
		if f.bare.May(v.Then) || f.bare.May(v.Else) {
			f.refuse(v.Pos(), "a choice of structs that may have no value")
		}
		test := f.decision(v.Test)
		t := f.tempRoot(v, v.T)
		f.add(&ast.If{
			Pos: pos, Guard: test,
			Then: f.within(func() { f.copyAll(pos, t.storage, f.values(v.Then)) }),
			Else: f.within(func() { f.copyAll(pos, t.storage, f.values(v.Else)) }),
		})
		return t.uses()
	case *tree.UnsupportedValue:
		f.refuse(v.Pos(), "%s", v.What)
		return f.unknowns(v, v.T)
	}
	f.refuse(v.Pos(), "this expression of type %s", v.Type())
	return f.unknowns(v, v.Type())
}

// unknowns are any values for the scalars of a type.
func (f *function) unknowns(n tree.Node, t tree.Type) []ast.Expr {
	r := f.tempRoot(n, t)
	var out []ast.Expr
	r.each(func(s *storage) {
		f.havoc(at(n), &origin.Event{Kind: origin.Unspecified, Node: n, Path: s.path()}, s.typ, s.variable)
		out = append(out, use(s.variable))
	})
	return out
}

// all are the scalars at a place.
func (f *function) all(n tree.Node, pl place) []ast.Expr {
	f.accesses(n, pl, false)
	if pl.address != nil {
		return f.allMemory(n, pl)
	}
	if pl.storage == nil {
		return f.unknowns(n, pl.typ)
	}
	f.parts = f.partsAt(n, pl)
	var out []ast.Expr
	pl.storage.each(func(s *storage) {
		if count := below(pl.storage, s); s.keys > 0 && len(pl.index) > 0 && count != 1 {
			out = append(out, f.slice(n, pl, s, count))
			return
		}
		if s.keys > len(pl.index) {
			out = append(out, use(s.variable))
			return
		}
		out = append(out, f.leaf(n, pl, s))
	})
	return out
}

// below is how many scalars of a leaf's variable belong to one element of the storage: 1 if there is no array between them.
func below(from, leaf *storage) int64 {
	n := int64(1)
	for s := leaf; s != from; s = s.parent {
		if s.step.Field == nil && s.parent.elem == s {
			n *= s.parent.typ.(*tree.Array).Len
		}
	}
	return n
}

// slice is a part of a map as a map of its own.
func (f *function) slice(n tree.Node, pl place, s *storage, count int64) ast.Expr {
	pos := at(n)
	if count < 0 || count > maxCopied || s.keys != 1 {
		return f.anyElements(n, s.typ)
	}
	var e ast.Expr = machine.Constant(pos, machine.Int, f.zero(n, s.typ))
	from := product(pos, pl.index[0], count)
	for i := range count {
		e = &ast.Store{
			Node: ast.Node{Pos: pos}, Map: e, Index: []ast.Expr{machine.Number(pos, i)},
			Value: &ast.Select{Node: ast.Node{Pos: pos}, Map: use(s.variable), Index: []ast.Expr{sum(pos, ast.Add, from, machine.Number(pos, i))}},
		}
	}
	return e
}

// anyElements is a map with any values, for an array of scalars of the type that is too large to be copied.
func (f *function) anyElements(n tree.Node, t tree.Type) ast.Expr {
	f.approximate(n, "a copy of a struct with a large array")
	pos := at(n)
	v := f.tempOf(pos, machine.MapFrom(pos, machine.Int, machine.TypeNamed(pos, scalarName(t))), nil)
	f.add(&ast.Havoc{Pos: pos, Variables: []*ast.Identifier{use(v)}})
	return use(v)
}

// zero is what a scalar of the type is initialised with.
func (f *function) zero(n tree.Node, t tree.Type) ast.Expr {
	if _, ok := FormatOf(t); tree.IsFloat(t) && !ok {
		return f.float(n, t)
	}
	return machine.Number(at(n), 0)
}

// storeAll assigns the scalars of a struct at a place. They come from the source, if it is not nil.
func (f *function) storeAll(n tree.Node, pl place, from []ast.Expr, source *place) {
	f.accesses(n, pl, true)
	parts := f.parts
	f.parts = nil
	if pl.address != nil {
		f.parts = parts
		if source != nil && source.address == nil {
			source = nil
		}
		f.storeAllMemory(n, pl, from, source)
		return
	}
	if pl.storage == nil || len(from) == 0 {
		return
	}
	pos := at(n)
	s := &ast.Assign{Pos: pos}
	i := 0
	pl.storage.each(func(leaf *storage) {
		value := from[i]
		i++
		if f.untracked(leaf) {
			return
		}
		if count := below(pl.storage, leaf); leaf.keys > 0 && len(pl.index) > 0 && count != 1 {
			if count < 0 || count > maxCopied || leaf.keys != 1 {
				f.approximate(n, "a copy of a struct with a large array")
				f.add(&ast.Havoc{Pos: pos, Variables: []*ast.Identifier{use(leaf.variable)}})
				return
			}
			var m ast.Expr = use(leaf.variable)
			to := product(pos, pl.index[0], count)
			for k := range count {
				m = &ast.Store{
					Node: ast.Node{Pos: pos}, Map: m, Index: []ast.Expr{sum(pos, ast.Add, to, machine.Number(pos, k))},
					Value: &ast.Select{Node: ast.Node{Pos: pos}, Map: value, Index: []ast.Expr{machine.Number(pos, k)}},
				}
			}
			s.Left, s.Right = append(s.Left, use(leaf.variable)), append(s.Right, m)
			return
		}
		if leaf.keys > len(pl.index) {
			s.Left = append(s.Left, use(leaf.variable))
		} else {
			s.Left = append(s.Left, pl.variable(n, leaf))
		}
		s.Right = append(s.Right, value)
	})
	f.shadeParts(n, pl, parts)
	if len(s.Left) > 0 {
		f.add(s)
	}
}
