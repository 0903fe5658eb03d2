package translate

import (
	"hornbeam/frontend/c/tree"
)

// binding says which pointers stand for named objects, and which objects are behind real pointers.
//
// A parameter is bound if its function only dereferences it, counts from it, hands it on to bound parameters or compares it
// with null, and all calls give it the address of a named object that is not behind pointers itself. The greatest
// such set is found by taking out what does not fit until everything does.
type binding struct {
	reached *reached
	// params are the bound parameters.
	params map[*tree.Object]bool
	// element says of a bound parameter that elements are counted from it: it points into an array.
	element map[*tree.Object]bool
	// writes says that what a bound parameter stands for may be written through it.
	writes map[*tree.Object]bool
	// escapes are the objects behind pointers.
	escapes map[*tree.Object]bool
	changed bool
}

// bind finds what pointers stand for.
func bind(r *reached, u *usage) *binding {
	b := &binding{
		reached: r, params: map[*tree.Object]bool{}, element: map[*tree.Object]bool{}, writes: map[*tree.Object]bool{},
		escapes: map[*tree.Object]bool{},
	}
	for _, f := range r.functions {
		for _, p := range f.Params {
			t, ok := p.Type.(*tree.Pointer)
			if ok && !r.isTaken[f] && !u.written[p] && objectType(t.Elem) && !f.Type.Variadic {
				b.params[p] = true
			}
		}
	}
	if len(r.functions) > 0 {
		for _, p := range r.functions[0].Params {
			delete(b.params, p) // nobody calls the entry with a named object
		}
	}
	for _, o := range r.objects {
		// An object that reaches beyond its type is more than the parts that the type names.
		if o.Extent > 0 {
			b.escapes[o] = true
		}
	}
	for again := true; again; again = b.changed {
		b.changed = false
		for _, o := range r.objects {
			for _, i := range o.Init {
				if i.Value != nil {
					b.node(i.Value)
				}
			}
		}
		for _, f := range r.functions {
			b.node(f.Body)
		}
	}
	return b
}

// objectType tells whether objects of the type can be told apart by name.
func objectType(t tree.Type) bool {
	switch t := t.(type) {
	case *tree.Integer, *tree.Pointer, *tree.Float:
		return true
	case *tree.Array:
		return objectType(t.Elem) && !tree.Overlapping(t)
	case *tree.Struct:
		if !t.Complete || tree.Overlapping(t) {
			return false
		}
		for _, f := range t.Fields {
			if !objectType(f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

func (b *binding) escape(o *tree.Object) {
	if !b.escapes[o] {
		b.escapes[o], b.changed = true, true
	}
}

func (b *binding) fail(p *tree.Object) {
	if b.params[p] {
		delete(b.params, p)
		b.changed = true
	}
}

func (b *binding) mark(set map[*tree.Object]bool, o *tree.Object) {
	if o != nil && !set[o] {
		set[o], b.changed = true, true
	}
}

// named tells whether a pointer value stands for a named object's part.
func (b *binding) named(v tree.Value) bool {
	switch v := v.(type) {
	case *tree.Address:
		return b.namedPlace(v.Place)
	case *tree.Load:
		u, ok := v.Place.(*tree.Use)
		return ok && b.params[u.Object]
	case *tree.PointerSum:
		return b.named(v.P) && (b.elementlike(v.P) || isZero(v.Count))
	case *tree.Convert:
		return tree.IsPointer(v.X.Type()) && tree.Same(v.T, v.X.Type()) && b.named(v.X)
	}
	return false
}

// namedPlace tells whether a place is, or is a part of, a named object that no pointer leads to.
func (b *binding) namedPlace(p tree.Place) bool {
	for {
		switch q := p.(type) {
		case *tree.Use:
			return !b.escapes[q.Object] && objectType(q.Object.Type)
		case *tree.Member:
			if q.Field.Parent.Union {
				return false
			}
			p = q.Struct
		case *tree.Element:
			p = q.Array
		case *tree.Dereference:
			return b.named(q.Pointer)
		default:
			return false
		}
	}
}

// elementlike tells whether a pointer to a named part points into an array.
func (b *binding) elementlike(v tree.Value) bool {
	switch v := v.(type) {
	case *tree.Address:
		if v.Decay {
			return true
		}
		switch p := v.Place.(type) {
		case *tree.Element:
			return true
		case *tree.Dereference:
			return b.elementlike(p.Pointer)
		}
		return false
	case *tree.Load:
		if u, ok := v.Place.(*tree.Use); ok && b.params[u.Object] {
			b.mark(b.element, u.Object)
			return true
		}
	case *tree.PointerSum:
		return b.elementlike(v.P)
	case *tree.Convert:
		return b.elementlike(v.X)
	}
	return false
}

// behind is what a named pointer is made from: the object, or the bound parameter.
func behind(v tree.Value) *tree.Object {
	switch w := steppedFrom(v).(type) {
	case *tree.Load:
		if u, ok := w.Place.(*tree.Use); ok {
			return u.Object
		}
	case *tree.Address:
		return base(w.Place)
	}
	return nil
}

// base is the object, or the bound parameter, that a named place is a part of.
func base(p tree.Place) *tree.Object {
	switch q := tree.Root(p).(type) {
	case *tree.Use:
		return q.Object
	case *tree.CompoundLiteral:
		return q.Declaration.Object
	case *tree.Dereference:
		return behind(q.Pointer)
	}
	return nil
}

// node visits a node in which pointers are used for anything.
func (b *binding) node(n tree.Node) {
	switch n := n.(type) {
	case nil:
	case *tree.Use:
		// A pointer's value is used by the Load around it.
	case *tree.Load:
		if u, ok := n.Place.(*tree.Use); ok {
			b.fail(u.Object)
			return
		}
		b.node(n.Place)
	case *tree.Address:
		if o := base(n.Place); o != nil {
			b.fail(o)
			b.escape(o)
		}
		b.parts(n.Place)
	case *tree.Dereference:
		b.dereference(n)
	case *tree.Assign:
		if o := base(n.Place); o != nil && b.params[o] {
			b.mark(b.writes, o)
		}
		b.node(n.Place)
		b.node(n.Value)
	case *tree.Update:
		if o := base(n.Place); o != nil && b.params[o] {
			b.mark(b.writes, o)
		}
		b.node(n.Place)
		b.node(n.Operand)
	case *tree.Assembly:
		for _, p := range n.Outputs {
			if o := base(p); o != nil && b.params[o] {
				b.mark(b.writes, o)
			}
		}
		tree.EachChild(n, b.node)
	case *tree.Unary:
		if n.Op == tree.Not && b.named(n.X) {
			b.inner(n.X)
			return
		}
		b.node(n.X)
	case *tree.Binary:
		if n.Op == tree.Eq || n.Op == tree.Ne {
			if isZero(n.Y) && b.named(n.X) {
				b.inner(n.X)
				return
			}
			if isZero(n.X) && b.named(n.Y) {
				b.inner(n.Y)
				return
			}
		}
		b.node(n.X)
		b.node(n.Y)
	case *tree.Call:
		b.call(n)
	default:
		tree.EachChild(n, b.node)
	}
}

// dereference visits *p: its pointer may stand for a named object.
func (b *binding) dereference(n *tree.Dereference) {
	if b.named(n.Pointer) {
		b.inner(n.Pointer)
		return
	}
	b.node(n.Pointer)
}

// inner visits what is evaluated within a named pointer: indices.
func (b *binding) inner(v tree.Value) {
	switch v := v.(type) {
	case *tree.Address:
		b.parts(v.Place)
	case *tree.PointerSum:
		b.inner(v.P)
		b.elementlike(v.P)
		b.node(v.Count)
	case *tree.Convert:
		b.inner(v.X)
	}
}

// parts visits the indices and pointers within a place.
func (b *binding) parts(p tree.Place) {
	switch q := p.(type) {
	case *tree.Member:
		b.parts(q.Struct)
	case *tree.Element:
		b.parts(q.Array)
		b.node(q.Index)
	case *tree.Dereference:
		b.dereference(q)
	case *tree.Temporary:
		b.node(q.Init)
	case *tree.CompoundLiteral:
		b.node(q.Declaration)
	}
}

// call visits a call: arguments for bound parameters may be addresses of named objects.
func (b *binding) call(n *tree.Call) {
	if n.Callee != nil {
		b.node(n.Callee)
	}
	var params []*tree.Object
	if f := n.Target(); f != nil && b.reached.has[f] {
		params = f.Params
	}
	for i, a := range n.Arguments {
		if i >= len(params) || !b.params[params[i]] {
			b.node(a)
			continue
		}
		p := params[i]
		if !b.named(a) || !tree.Same(a.Type(), p.Type) || b.element[p] && !b.elementlike(a) {
			b.fail(p)
			b.node(a)
			continue
		}
		if o := behind(a); o != nil && b.params[o] && b.writes[p] {
			b.mark(b.writes, o)
		}
		b.inner(a)
	}
	for i := len(n.Arguments); i < len(params); i++ {
		b.fail(params[i]) // a call that gives too few arguments
	}
}

// isZero tells whether a value is the constant 0.
func isZero(v tree.Value) bool {
	for {
		switch w := v.(type) {
		case *tree.Constant:
			return w.Int.Sign() == 0
		case *tree.Convert:
			v = w.X
		default:
			return false
		}
	}
}
