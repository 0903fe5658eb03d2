package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// place is the location of a scalar, a struct or an array: in a storage, at an index if it is within an array, or at an address.
// With neither it is somewhere that can't be handled, which has been said.
type place struct {
	typ      tree.Type
	field    *tree.Field // the bit-field that it is, or nil
	storage  *storage
	index    []ast.Expr // one for each key of the storage
	address  ast.Expr
	location *region.Location // where the address is, as far as that is known
	found
}

// found is how a place was found, where accesses are checked.
type found struct {
	// inside says that the indices on the way are within their arrays; nil if there are none.
	inside ast.Expr
	// pointer is the node whose pointer leads to the place, and root that with which its address begins; nil if no pointer does. It
	// leads to the object direct, or else to target.
	pointer tree.Node
	root    ast.Expr
	direct  *tree.Object
	target  *region.Location
	// packed says that the place is a field of a struct that does not align it.
	packed bool
}

// place evaluates a place. Its indices and address are without effects.
func (f *function) place(p tree.Place) place {
	switch p := p.(type) {
	case *tree.Use:
		return f.named(p)
	case *tree.Member:
		in := f.place(p.Struct)
		out := place{typ: p.Field.Type, found: in.found}
		if p.Field.Bits > 0 {
			out.field = p.Field
		}
		out.packed = out.packed || !p.Field.Aligned()
		switch {
		case in.storage != nil && in.storage.bytes == nil && len(in.storage.fields) > p.Field.Index:
			out.storage, out.index = in.storage.fields[p.Field.Index], in.index
		case in.storage != nil:
			f.refuse(p.Pos(), "a field of a value of type %s", in.typ)
		case in.address != nil:
			out.address, out.location = sum(at(p), ast.Add, in.address, machine.Number(at(p), p.Field.Offset)), &region.Location{Place: p}
		}
		return out
	case *tree.Element:
		in := f.settlePlace(p, f.place(p.Array), p.Index)
		return f.element(p, in, f.position(p.Index))
	case *tree.Dereference:
		return f.behind(p)
	case *tree.Temporary:
		if f.bare.May(p.Init) {
			f.refuse(p.Pos(), "a struct that may have no value, here,")
		}
		t := f.tempRoot(p, p.Init.Type())
		f.copyAll(at(p), t.storage, f.values(p.Init))
		return place{typ: p.Type(), storage: t.storage}
	case *tree.CompoundLiteral:
		f.statement(p.Declaration)
		if o := p.Declaration.Object; f.inMemory(o) {
			return place{typ: o.Type, address: f.addressOf(p, o), location: &region.Location{Object: o}}
		}
		return f.named(&tree.Use{At: p.At, Object: p.Declaration.Object})
	}
	f.refuse(p.Pos(), "this place")
	return place{typ: p.Type()}
}

// named is the place of an object.
func (f *function) named(p *tree.Use) place {
	o := p.Object
	out := place{typ: o.Type}
	if f.inMemory(o) {
		out.address, out.location = f.addressOf(p, o), &region.Location{Place: p}
		return out
	}
	if f.hidden(o) {
		return out
	}
	out.storage = f.object(o).storage
	return out
}

// element is an element of an array's place.
func (f *function) element(n tree.Node, in place, index ast.Expr) place {
	a := in.typ.(*tree.Array)
	out := place{typ: a.Elem, found: in.found}
	pos := at(n)
	f.indexed(n, &out, in, index)
	switch {
	case in.address != nil:
		out.address = f.pointerSum(n, in.address, index, a.Elem, false)
		if p, ok := n.(tree.Place); ok {
			out.location = &region.Location{Place: p}
		}
	case in.storage == nil:
	case in.storage.elem == nil: // taken apart: the index is a constant within
		out.storage, out.index = in.storage.parts[index.(*ast.IntLiteral).Value.Int64()], in.index
	default:
		out.storage = in.storage.elem
		if in.storage.elem.keys > len(in.index) {
			out.index = append(in.index[:len(in.index):len(in.index)], index)
			break
		}
		last := len(in.index) - 1
		out.index = append(in.index[:last:last], sum(pos, ast.Add, product(pos, in.index[last], a.Len), index))
	}
	return out
}

// behind is the place that a pointer points to.
func (f *function) behind(p *tree.Dereference) place {
	if f.bound.Named(p.Pointer) {
		out := f.pointee(p.Pointer)
		f.bounded(p, &out)
		return out
	}
	if a, ok := p.Pointer.(*tree.Address); ok && !a.Decay {
		return f.place(a.Place)
	}
	l := &region.Location{Place: p}
	if !f.options.Faults.Has(fault.Dereference) {
		var address ast.Expr
		f.decides(p.Pointer, func() { address = f.value(p.Pointer) })
		return place{typ: p.Type(), address: address, location: l}
	}
	var address, root ast.Expr
	var direct *tree.Object
	f.decides(p.Pointer, func() { address, root, direct = f.pointer(p.Pointer) })
	return place{typ: p.Type(), address: address, location: l, found: found{pointer: p, root: root, direct: direct, target: l}}
}

// pointer is a pointer's value, and the pointer that it begins with: that of the object direct, if it is not nil.
func (f *function) pointer(v tree.Value) (address, root ast.Expr, direct *tree.Object) {
	pos := at(v)
	switch v := v.(type) {
	case *tree.PointerSum:
		address, root, direct = f.pointer(v.P)
		address, root = f.before(pos, address, machine.Ref, v.Count), f.before(pos, root, machine.Ref, v.Count)
		return f.pointerSum(v, address, f.position(v.Count), v.T.Elem, v.Minus), root, direct
	case *tree.Convert:
		if tree.IsPointer(v.X.Type()) {
			return f.pointer(v.X)
		}
	case *tree.Address:
		pl := f.place(v.Place)
		if pl.address == nil {
			f.refuse(v.Pos(), "the address of this object")
			address = f.unknown(v, origin.Unspecified, v.T)
			return address, address, nil
		}
		if pl.pointer == nil {
			direct = usage.Owner(v.Place)
			if direct == nil {
				f.refuse(v.Pos(), "which object this address is in")
			}
			return pl.address, pl.address, direct
		}
		return pl.address, pl.root, pl.direct
	}
	address = f.settle(pos, f.value(v), machine.TypeNamed(pos, machine.Ref))
	return address, address, nil
}

// indexed notes that an index of an array has to be within it.
func (f *function) indexed(n tree.Node, out *place, in place, index ast.Expr) {
	if !f.options.Faults.Has(fault.Dereference) {
		return
	}
	pos, a := at(n), in.typ.(*tree.Array)
	switch {
	case a.Count != nil && f.lengths[a] != nil:
		f.inside(pos, out, index, use(f.lengths[a]))
	case a.Len > 0 && a.Count == nil:
		f.inside(pos, out, index, machine.Number(pos, a.Len))
	case in.storage != nil:
		f.refuse(n.Pos(), "an array whose length is not known")
	}
}

// bounded notes that the last index of a place in an array has to be within that.
func (f *function) bounded(n tree.Node, out *place) {
	if !f.options.Faults.Has(fault.Dereference) || out.storage == nil || len(out.index) == 0 {
		return
	}
	length := int64(1)
	for s := out.storage; s.parent != nil; s = s.parent {
		switch {
		case s.parent.elem != s:
		case s.parent.typ.(*tree.Array).Len <= 0 || len(out.index) > 1:
			f.refuse(n.Pos(), "an array whose length is not known")
			return
		default:
			length *= s.parent.typ.(*tree.Array).Len
		}
	}
	out.found.inside = nil
	f.inside(at(n), out, out.index[len(out.index)-1], machine.Number(at(n), length))
}

// inside adds to a place that an index has to be at least 0 and less than a length.
func (f *function) inside(pos chc.Position, out *place, index, length ast.Expr) {
	var cond ast.Expr
	i, iok := index.(*ast.IntLiteral)
	l, lok := length.(*ast.IntLiteral)
	if iok && lok {
		cond = truthLiteral(pos, i.Value.Sign() >= 0 && i.Value.Cmp(l.Value) < 0)
	} else {
		cond = both(pos, &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.LessEq, X: machine.Number(pos, 0), Y: index},
			&ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: index, Y: length})
	}
	if out.found.inside != nil {
		cond = both(pos, out.found.inside, cond)
	}
	out.found.inside = cond
}

// pointee is the place that a pointer stands for which is made from a named object's address.
func (f *function) pointee(v tree.Value) place {
	switch v := v.(type) {
	case *tree.Address:
		in := f.place(v.Place)
		if v.Decay {
			return f.element(v, in, machine.Number(at(v), 0))
		}
		return in
	case *tree.Load:
		return f.instance.bound[v.Place.(*tree.Use).Object]
	case *tree.PointerSum:
		in := f.pointee(v.P)
		if usage.IsZero(v.Count) || in.storage == nil {
			return in
		}
		in = f.settlePlace(v, in, v.Count)
		op := ast.Add
		if v.Minus {
			op = ast.Sub
		}
		last := len(in.index) - 1
		in.index = append(in.index[:last:last], sum(at(v), op, in.index[last], f.position(v.Count)))
		return in
	case *tree.Convert:
		return f.pointee(v.X)
	}
	return place{typ: v.Type().(*tree.Pointer).Elem}
}

// tempRoot is a storage for a value of the type.
func (f *function) tempRoot(n tree.Node, t tree.Type) *root {
	return newRoot(nil, t, "$s", shape{
		kind: ast.Local, pos: at(n),
		name: func(name string) string {
			return ""
		},
	}).temporary(f, n)
}

// temporary names the variables of a storage and declares them.
func (r *root) temporary(f *function, n tree.Node) *root {
	r.each(func(s *storage) {
		v := f.tempOf(at(n), s.variable.Syntax, s.typ)
		s.variable = v
	})
	return r
}

// settlePlace keeps a place's index and address as they are before later is evaluated.
func (f *function) settlePlace(n tree.Node, pl place, later tree.Node) place {
	if len(pl.index) > 0 {
		index := make([]ast.Expr, len(pl.index))
		for i, e := range pl.index {
			index[i] = f.before(at(n), e, machine.Int, later)
		}
		pl.index = index
	}
	if pl.address != nil {
		pl.address = f.before(at(n), pl.address, machine.Ref, later)
	}
	return pl
}

// variable is a scalar place as something that can be read or assigned.
func (pl place) variable(n tree.Node, s *storage) ast.Expr {
	var e ast.Expr = use(s.variable)
	e.(*ast.Identifier).Pos = at(n)
	for i := range s.keys {
		var index ast.Expr = machine.Number(at(n), 0)
		if i < len(pl.index) {
			index = pl.index[i]
		}
		e = &ast.Select{Node: ast.Node{Pos: at(n)}, Map: e, Index: []ast.Expr{index}}
	}
	return e
}

// loaded is what a scalar place holds.
func (f *function) loaded(v *tree.Load) ast.Expr {
	if u, ok := v.Place.(*tree.Use); ok && !f.openType(v.Type()) {
		if c := f.constants[u.Object]; c != nil {
			return machine.Literal(at(v), c)
		}
	}
	return f.load(v, f.place(v.Place))
}

func (f *function) load(n tree.Node, pl place) ast.Expr {
	f.accesses(n, pl, false)
	if pl.address != nil && tree.Scalar(pl.typ) {
		return f.loadMemory(n, pl)
	}
	if pl.storage != nil && pl.storage.variable != nil {
		return f.leaf(n, pl, pl.storage)
	}
	if !tree.Scalar(pl.typ) {
		f.refuse(n.Pos(), "a value of type %s here", pl.typ)
		return machine.Number(at(n), 0)
	}
	return f.unknown(n, origin.Unspecified, pl.typ)
}

// opaque tells whether nothing depends on the addresses of a group's objects but whether they are the same. What is asked about
// memory depends on them, and so do contracts, which say of pointers what the program does not do with them.
func (f *function) opaque(g *region.Group) bool {
	return g != nil && g.Opaque && !f.checksMemory() && f.memory().metadata() == nil && !f.program.Contracts && !f.program.Anywhere
}

// leadsToObject assumes that the address of an access is in an object that was allocated, as all accesses are assumed to be. A proof
// then needs no invariant about where the pointers in memory lead: what is true of all elements that there are is true of this one.
func (f *function) leadsToObject(n tree.Node, r *region.Region, pl place) {
	if r.Single || !f.opaque(r.Group) {
		return
	}
	pos, m := at(n), f.memory()
	object := sum(pos, ast.Add, pl.address, machine.Number(pos, r.Group.Start-r.Offset))
	f.assumeAccess(pos, both(pos, &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.LessEq, X: m.bottom(r.Group), Y: object},
		&ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Less, X: object, Y: use(m.top(r.Group))}))
}
