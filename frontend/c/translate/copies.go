package translate

import (
	"slices"

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
	var out []ast.Expr
	for _, p := range ps {
		if p.count == 1 {
			out = append(out, f.loadMemory(n, pl.further(n, p.offset, p.typ, p.field)))
			continue
		}
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
		f.storeParts(n, pl, ps, from)
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
				x = f.loadMemory(n, source.further(n, offset, c.typ, nil))
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
func (f *function) storeParts(n tree.Node, pl place, ps []part, from []ast.Expr) {
	pos := at(n)
	for i, p := range ps {
		if p.count == 1 {
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
		to place
		x  ast.Expr
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
		x := f.loadMemory(n, from.further(n, offset, t, nil))
		all = append(all, copied{to.further(n, offset, t, nil), f.settle(pos, x, machine.TypeNamed(pos, scalarName(t)))})
		offset += t.Size()
	}
	f.wrote(n, to, 0, size)
	f.quietly(func() {
		for _, c := range all {
			f.storeMemory(n, c.to, c.x)
		}
	})
	return true
}
