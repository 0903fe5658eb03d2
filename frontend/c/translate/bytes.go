package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// bytesOf is the integer type with the bits of a scalar.
func (f *function) bytesOf(n tree.Node, t tree.Type) (machine.Type, bool) {
	switch t := t.(type) {
	case *tree.Integer:
		return machine.Type{Bits: t.Bits}, true
	case *tree.Pointer:
		return machine.Type{Bits: int(t.Bytes * 8)}, true
	case *tree.Float:
		if format, ok := FormatOf(t); ok && format.Word.Bits <= 64 {
			return machine.Type{Bits: format.Word.Bits}, true
		}
	}
	f.approximate(n, "the bytes of floating-point numbers")
	return machine.Type{}, false
}

// fromBytes is a scalar made of the bytes from an address.
func (f *function) fromBytes(n tree.Node, r *region.Region, pl place) ast.Expr {
	pos := at(n)
	m, ok := f.bytesOf(n, pl.typ)
	if !ok {
		return f.unknown(n, origin.Unspecified, pl.typ)
	}
	var e ast.Expr
	for k := range int64(m.Bits / 8) {
		b := convertMachine(pos, byteType, m, f.cell(n, r, sum(pos, ast.Add, pl.address, machine.Number(pos, k))))
		if k == 0 {
			e = b
			continue
		}
		b = operation(pos, machine.Shl, m, b, machine.Number(pos, 8*k))
		e = operation(pos, machine.Add, m, e, b)
	}
	if i, ok := pl.typ.(*tree.Integer); ok {
		return convertMachine(pos, m, machineType(i), e)
	}
	if format, ok := FormatOf(pl.typ); ok {
		return f.floats(n, format).flip(convertMachine(pos, m, format.Word, e))
	}
	return operation(pos, machine.Address, m, e)
}

// toBytes stores the bytes of a scalar from an address on.
func (f *function) toBytes(n tree.Node, r *region.Region, pl place, x ast.Expr) {
	pos := at(n)
	m, ok := f.bytesOf(n, pl.typ)
	if !ok {
		size := pl.typ.Size()
		for k := range size {
			b := convertMachine(pos, machineType(f.program.Char), byteType, f.unknown(n, origin.Unspecified, f.program.Char))
			f.assign(pos, f.cell(n, r, sum(pos, ast.Add, pl.address, machine.Number(pos, k))), b)
		}
		return
	}
	if i, ok := pl.typ.(*tree.Integer); ok {
		x = convertMachine(pos, machineType(i), m, x)
	} else if format, ok := FormatOf(pl.typ); ok {
		x = convertMachine(pos, format.Word, m, f.floats(n, format).flip(x))
	} else {
		x = operation(pos, machine.Integer, m, x)
	}
	if m.Bits > 8 {
		x = f.settle(pos, x, machine.TypeNamed(pos, m.String()))
	}
	address := pl.address
	address = f.settle(pos, address, machine.TypeNamed(pos, machine.Ref))
	for k := range int64(m.Bits / 8) {
		b := operation(pos, machine.Shr, m, x, machine.Number(pos, 8*k))
		if k == 0 {
			b = x
		}
		f.assign(pos, f.cell(n, r, sum(pos, ast.Add, address, machine.Number(pos, k))), convertMachine(pos, m, byteType, b))
	}
}

// loadByteFields is a bit-field that reaches beyond its unit.
func (f *function) loadByteFields(n tree.Node, pl place) ast.Expr {
	pos, i := at(n), pl.field.Type.(*tree.Integer)
	m := machine.Type{Bits: i.Bits}
	var e ast.Expr
	from := 0
	for _, p := range pl.field.ByteFields() {
		b := convertMachine(pos, byteType, m, f.loadMemory(n, pl.further(n, p.Offset-pl.field.Offset, p.Type, p)))
		if e == nil {
			e = b
		} else {
			e = operation(pos, machine.Add, m, e, operation(pos, machine.Shl, m, b, machine.Number(pos, int64(from))))
		}
		from += p.Bits
	}
	return f.truncate(n, pl.field, convertMachine(pos, m, machineType(i), e))
}

// storeByteFields assigns to a bit-field that reaches beyond its unit.
func (f *function) storeByteFields(n tree.Node, pl place, x ast.Expr) {
	pos, i := at(n), pl.field.Type.(*tree.Integer)
	m := machine.Type{Bits: i.Bits}
	x = f.settle(pos, convertMachine(pos, machineType(i), m, x), machine.TypeNamed(pos, m.String()))
	from := 0
	for _, p := range pl.field.ByteFields() {
		b := x
		if from > 0 {
			b = operation(pos, machine.Shr, m, x, machine.Number(pos, int64(from)))
		}
		b = operation(pos, machine.And, m, b, machine.Literal(pos, machine.Type{Bits: p.Bits}.Max()))
		f.storeMemory(n, pl.further(n, p.Offset-pl.field.Offset, p.Type, p), convertMachine(pos, m, byteType, b))
		from += p.Bits
	}
}

// extract is a bit-field in its storage unit.
func extract(pos chc.Position, field *tree.Field, unit ast.Expr) ast.Expr {
	i := field.Type.(*tree.Integer)
	m := machineType(i)
	if m.Signed {
		up := machine.Number(pos, int64(i.Bits-field.Shift-field.Bits))
		down := machine.Number(pos, int64(i.Bits-field.Bits))
		return operation(pos, machine.Shr, m, operation(pos, machine.Shl, m, unit, up), down)
	}
	e := unit
	if field.Shift > 0 {
		e = operation(pos, machine.Shr, m, e, machine.Number(pos, int64(field.Shift)))
	}
	return operation(pos, machine.And, m, e, machine.Literal(pos, machine.Type{Bits: field.Bits}.Max()))
}

// insert is a storage unit with a bit-field in it changed.
func insert(pos chc.Position, field *tree.Field, unit, x ast.Expr) ast.Expr {
	i := field.Type.(*tree.Integer)
	m := machineType(i)
	ones := machine.Type{Bits: field.Bits}.Max()
	mask := ones.Lsh(ones, uint(field.Shift))
	low := machine.Literal(pos, m.Wrap(mask))
	shifted := operation(pos, machine.Shl, m, x, machine.Number(pos, int64(field.Shift)))
	if field.Shift == 0 {
		shifted = x
	}
	rest := operation(pos, machine.And, m, unit, operation(pos, machine.Not, m, low))
	return operation(pos, machine.Or, m, rest, operation(pos, machine.And, m, shifted, low))
}
