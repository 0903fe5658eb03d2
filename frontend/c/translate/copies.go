package translate

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// part is one scalar of something with parts, or, if count is more than one, that scalar of each element of an array.
type part struct {
	typ    tree.Type
	field  *tree.Field
	offset int64
	count  int64
	stride int64
}

// parts are the scalars of a type, in the order of storage.each. Of an array within a struct within an array there are none: ok
// is false.
func parts(t tree.Type) (out []part, ok bool) {
	if tree.Overlapping(t) {
		for _, p := range tree.Partition(t) {
			out = append(out, part{p.Type, p.Field, p.Offset, p.Count, p.Stride})
		}
		return out, true
	}
	ok = true
	var visit func(t tree.Type, field *tree.Field, offset, count, stride int64)
	visit = func(t tree.Type, field *tree.Field, offset, count, stride int64) {
		switch t := t.(type) {
		case *tree.Struct:
			for _, f := range t.Fields {
				visit(f.Type, f, offset+f.Offset, count, stride)
			}
		case *tree.Array:
			if count != 1 && stride != t.Size() {
				ok = false // an array within a struct within an array
				return
			}
			visit(t.Elem, nil, offset, count*max(t.Len, 0), t.Elem.Size())
		default:
			out = append(out, part{t, field, offset, count, stride})
		}
	}
	visit(t, nil, 0, 1, 0)
	return out, ok
}

// allMemory are the scalars from an address on.
func (f *function) allMemory(n tree.Node, pl place) []ast.Expr {
	pos := at(n)
	ps, ok := parts(pl.typ)
	if !ok {
		f.refuse(n.Pos(), "a value of type %s", pl.typ)
		return f.unknowns(n, pl.typ)
	}
	var out, from []ast.Expr
	defer func() { f.parts = from }()
	for _, p := range ps {
		if p.count == 1 {
			from = append(from, f.from(func() { out = append(out, f.loadMemory(n, pl.further(n, p.offset, p.typ, p.field))) }))
			continue
		}
		if f.bare.Group(f.group(pl.location)) {
			f.refuse(n.Pos(), "a struct with an array that may have no value")
		}
		from = append(from, nil)
		if p.count > maxCopied {
			out = append(out, f.anyElements(n, p.typ))
			continue
		}
		var e ast.Expr = machine.Constant(pos, machine.Int, f.zero(n, p.typ))
		for k := range p.count {
			e = &ast.Store{
				Node: ast.Node{Pos: pos}, Map: e, Index: []ast.Expr{machine.Number(pos, k)},
				Value: f.loadMemory(n, pl.further(n, p.offset+k*p.stride, p.typ, nil)),
			}
		}
		out = append(out, e)
	}
	return out
}

// storeAllMemory assigns the scalars from an address on. The values may be what memory holds elsewhere, or there: objects that
// are assigned to each other do not overlap in part. What is between them becomes what it is at the source, if that is in memory,
// too, else any value.
func (f *function) storeAllMemory(n tree.Node, pl place, from []ast.Expr, source *place) {
	pos := at(n)
	ps, ok := parts(pl.typ)
	if !ok {
		f.refuse(n.Pos(), "a value of type %s", pl.typ)
		return
	}
	if pl.address != nil {
		pl.address = f.settle(pos, pl.address, machine.TypeNamed(pos, machine.Ref))
	}
	f.wrote(n, pl, 0, pl.typ.Size())
	f.quietly(func() {
		parts := f.parts
		f.parts = nil
		f.storeParts(n, pl, ps, from, parts)
		f.storePadding(n, pl, ps, source)
	})
}

// storePadding assigns the bits between the scalars of something, as far as regions hold them that other accesses see.
func (f *function) storePadding(n tree.Node, to place, ps []part, source *place) {
	size := to.typ.Size()
	if size > maxPadded {
		return
	}
	used := make([]bool, 8*size)
	for _, p := range ps {
		for k := range p.count {
			low, high := 8*(p.offset+k*p.stride), 8*(p.offset+k*p.stride+p.typ.Size())
			if p.field != nil && p.field.Bits > 0 {
				low += int64(p.field.Shift)
				high = low + int64(p.field.Bits)
			}
			for b := low; b < min(high, 8*size); b++ {
				used[b] = true
			}
		}
	}
	if !slices.Contains(used, false) {
		return
	}
	f.eachCell(n, to, size, func(c place) {
		offset := c.location.Offset - to.location.Offset
		low, high := 8*offset, 8*(offset+c.typ.Size())
		gaps, fields := slices.Contains(used[low:min(high, 8*size)], false), slices.Contains(used[low:min(high, 8*size)], true)
		if high > 8*size || !gaps || fields && !f.seen(f.region(c.location, 0)) {
			return
		}
		var x ast.Expr
		if source != nil {
			if r := f.region(source.location, offset); r != nil && (f.memory().typeOf(r) == nil || f.memory().typeOf(r).Size() == c.typ.Size()) {
				f.from(func() { x = f.loadMemory(n, source.further(n, offset, c.typ, nil)) })
			}
		}
		if x == nil {
			x = f.unknown(n, origin.Unspecified, c.typ)
		}
		i, ok := c.typ.(*tree.Integer)
		if !ok || !fields {
			f.storeMemory(n, c, x)
			return
		}
		x = f.settle(at(n), x, machine.TypeNamed(at(n), scalarName(c.typ)))
		for b := low; b < high; b++ {
			if used[b] {
				continue
			}
			gap := &tree.Field{Type: i, Offset: offset, Shift: int(b - low)}
			for ; b < high && !used[b]; b++ {
				gap.Bits++
			}
			bits := c
			bits.field = gap
			f.storeMemory(n, bits, f.truncate(n, gap, extract(at(n), gap, x)))
		}
	})
}

// seen tells whether something else than the fields of one struct may access a region: a bit-field accesses all of its unit, so
// that there are accesses of what is beside it in any case.
func (f *function) seen(r *region.Region) bool {
	return r.Mixed || r.Group.Heap || r.Group.Unknown || slices.ContainsFunc(r.Group.Objects, func(p region.Placed) bool {
		return tree.Overlapping(p.Object.Type)
	})
}

// storeParts assigns the scalars that something has.
func (f *function) storeParts(n tree.Node, pl place, ps []part, from, comes []ast.Expr) {
	pos := at(n)
	for i, p := range ps {
		if p.count == 1 {
			f.pending = partOf(comes, i)
			f.storeMemory(n, pl.further(n, p.offset, p.typ, p.field), from[i])
			continue
		}
		if p.count > maxCopied {
			f.forgetElements(n, pl, p)
			continue
		}
		for k := range p.count {
			f.storeMemory(n, pl.further(n, p.offset+k*p.stride, p.typ, nil), &ast.Select{
				Node: ast.Node{Pos: pos}, Map: from[i], Index: []ast.Expr{machine.Number(pos, k)},
			})
		}
	}
}

// forgetElements gives the regions of an array that is too large to be copied any values.
func (f *function) forgetElements(n tree.Node, pl place, p part) {
	f.approximate(n, "a copy of a struct with a large array")
	h := &ast.Havoc{Pos: at(n)}
	seen := map[*region.Region]bool{}
	for k := range p.count {
		if r := f.region(pl.location, p.offset+k*p.stride); r != nil && !seen[r] {
			seen[r] = true
			h.Variables = append(h.Variables, use(f.memory().variable(r)))
		}
	}
	if len(h.Variables) > 0 {
		f.add(h)
	}
}

// copyMemory copies size bytes from one place in memory to another, region by region, and tells whether it could.
func (f *function) copyMemory(n tree.Node, to, from place, size int64) bool {
	pos := at(n)
	if to.address == nil || from.address == nil {
		return false
	}
	for _, end := range []int64{0, size} {
		if f.cut(to.location, end) || f.cut(from.location, end) {
			return false
		}
	}
	type copied struct {
		to    place
		x     ast.Expr
		comes ast.Expr
	}
	var all []copied
	for offset := int64(0); offset < size; {
		r, s := f.region(to.location, offset), f.region(from.location, offset)
		var t tree.Type
		switch {
		case r == nil && s == nil:
			offset++
			continue
		case r != nil && f.memory().typeOf(r) != nil:
			t = f.memory().typeOf(r)
		case s != nil && f.memory().typeOf(s) != nil:
			t = f.memory().typeOf(s)
		default:
			t = f.program.Char
		}
		if s == nil || len(all) >= maxCells {
			if len(all) >= maxCells {
				return false
			}
		}
		if offset+t.Size() > size {
			return false
		}
		var x ast.Expr
		comes := f.from(func() { x = f.loadMemory(n, from.further(n, offset, t, nil)) })
		all = append(all, copied{to.further(n, offset, t, nil), f.settle(pos, x, machine.TypeNamed(pos, scalarName(t))), comes})
		offset += t.Size()
	}
	f.wrote(n, to, 0, size)
	f.quietly(func() {
		for _, c := range all {
			f.pending = c.comes
			f.storeMemory(n, c.to, c.x)
		}
	})
	return true
}

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
