package translate

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

// assignment stores a value, and yields what the place then holds if that is needed.
func (f *function) assignment(v *tree.Assign, needed bool) ast.Expr {
	pos := at(v)
	if o := owner(v.Place); o != nil && f.hidden(o) {
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
		f.callInto(call, pl.storage.variable)
		return use(pl.storage.variable)
	}
	x := f.value(v.Value)
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
	switch {
	case pl.storage != nil && pl.storage.variable != nil && f.untracked(pl.storage):
	case pl.storage != nil && pl.storage.variable != nil:
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
	if o := owner(v.Place); o != nil && f.hidden(o) {
		f.place(v.Place)
		f.effect(v.Operand)
		if needed {
			return f.unknown(v, Unspecified, v.Type())
		}
		return nil
	}
	pl := f.settlePlace(v, f.place(v.Place), v.Operand)
	var x, old ast.Expr
	if t, ok := v.Compute.(*tree.Pointer); ok {
		count := f.index(v.Operand)
		old = f.keep(v, pl, needed)
		x = f.pointerSum(v, old, count, t.Elem, v.Op == tree.Sub)
	} else {
		y := f.value(v.Operand)
		old = f.keep(v, pl, needed)
		wide := f.convert(v, pl.typ, v.Compute, old)
		x = f.convert(v, v.Compute, pl.typ, f.binary(v, v.Op, v.Compute, wide, y, v.Operand.Type()))
	}
	if pl.field != nil {
		x = f.truncate(v, pl.field, x)
	}
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
		f.storeAll(v, to, f.values(value), nil)
		return
	}
	from := f.place(l.Place)
	if objectType(v.Type()) || !f.copyMemory(v, to, from, v.Type().Size()) {
		f.storeAll(v, to, f.all(l, from), &from)
	}
}
