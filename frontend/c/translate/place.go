package translate

import (
	"hornbeam/frontend/boogie/ast"
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
}

// place evaluates a place. Its indices and address are without effects.
func (f *function) place(p tree.Place) place {
	switch p := p.(type) {
	case *tree.Use:
		return f.named(p)
	case *tree.Member:
		in := f.place(p.Struct)
		out := place{typ: p.Field.Type}
		if p.Field.Bits > 0 {
			out.field = p.Field
		}
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
		return f.element(p, in, f.index(p.Index))
	case *tree.Dereference:
		return f.behind(p)
	case *tree.Temporary:
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
	out := place{typ: a.Elem}
	pos := at(n)
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
		return f.pointee(p.Pointer)
	}
	if a, ok := p.Pointer.(*tree.Address); ok && !a.Decay {
		return f.place(a.Place)
	}
	return place{typ: p.Type(), address: f.value(p.Pointer), location: &region.Location{Place: p}}
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
		in.index = append(in.index[:last:last], sum(at(v), op, in.index[last], f.index(v.Count)))
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
