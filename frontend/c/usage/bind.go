package usage

import (
	"hornbeam/frontend/c/tree"
)

// Binding says which pointers stand for named objects, and which objects are behind real pointers.
//
// A parameter is bound if its function only dereferences it, counts from it, hands it on to bound parameters or compares it
// with null, and all calls give it the address of a named object that is not behind pointers itself. The greatest
// such set is found by taking out what does not fit until everything does.
type Binding struct {
	reached *Reached
	// Params are the bound parameters.
	Params map[*tree.Object]bool
	// element says of a bound parameter that elements are counted from it: it points into an array.
	element map[*tree.Object]bool
	// Writes says that what a bound parameter stands for may be written through it.
	Writes map[*tree.Object]bool
	// Escapes are the objects behind pointers.
	Escapes map[*tree.Object]bool
	changed bool
}

// Bind finds what pointers stand for. The objects of unset are behind pointers if any call is given their address: it is followed
// whether they have a value.
func Bind(r *Reached, u *Usage, unset map[*tree.Object]bool) *Binding {
	b := &Binding{
		reached: r, Params: map[*tree.Object]bool{}, element: map[*tree.Object]bool{}, Writes: map[*tree.Object]bool{},
		Escapes: map[*tree.Object]bool{},
	}
	for _, f := range r.Functions {
		for _, p := range f.Params {
			t, ok := p.Type.(*tree.Pointer)
			if ok && !r.isTaken[f] && !u.Written[p] && Divisible(t.Elem) && !f.Type.Variadic {
				b.Params[p] = true
			}
		}
	}
	if len(r.Functions) > 0 {
		for _, p := range r.Functions[0].Params {
			delete(b.Params, p) // nobody calls the entry with a named object
		}
	}
	for _, o := range r.Objects {
		// An object that reaches beyond its type is more than the parts that the type names.
		if o.Extent > 0 {
			b.Escapes[o] = true
		}
	}
	for _, f := range r.Functions {
		if len(unset) == 0 {
			break
		}
		tree.Inspect(f.Body, func(n tree.Node) bool {
			if call, ok := n.(*tree.Call); ok {
				for _, a := range call.Arguments {
					b.escapeUnset(a, unset)
				}
			}
			return true
		})
	}
	for again := true; again; again = b.changed {
		b.changed = false
		for _, o := range r.Objects {
			for _, i := range o.Init {
				if i.Value != nil {
					b.node(i.Value)
				}
			}
		}
		for _, f := range r.Functions {
			b.node(f.Body)
		}
	}
	return b
}

// Divisible tells whether objects of the type can be told apart by name.
func Divisible(t tree.Type) bool {
	switch t := t.(type) {
	case *tree.Integer, *tree.Pointer, *tree.Float:
		return true
	case *tree.Array:
		return Divisible(t.Elem) && !tree.Overlapping(t)
	case *tree.Struct:
		if !t.Complete || tree.Overlapping(t) {
			return false
		}
		for _, f := range t.Fields {
			if !Divisible(f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

func (b *Binding) escape(o *tree.Object) {
	if !b.Escapes[o] {
		b.Escapes[o], b.changed = true, true
	}
}

// escapeUnset lets the objects of unset be behind pointers whose addresses are in a value.
func (b *Binding) escapeUnset(v tree.Value, unset map[*tree.Object]bool) {
	tree.Inspect(v, func(n tree.Node) bool {
		if a, ok := n.(*tree.Address); ok {
			if o := placeBase(a.Place); unset[o] {
				b.Escapes[o] = true
			}
		}
		return true
	})
}

func (b *Binding) unbind(p *tree.Object) {
	if b.Params[p] {
		delete(b.Params, p)
		b.changed = true
	}
}

func (b *Binding) mark(set map[*tree.Object]bool, o *tree.Object) {
	if o != nil && !set[o] {
		set[o], b.changed = true, true
	}
}

// Named tells whether a pointer value stands for a named object's part.
func (b *Binding) Named(v tree.Value) bool {
	switch v := v.(type) {
	case *tree.Address:
		return b.namedPlace(v.Place)
	case *tree.Load:
		u, ok := v.Place.(*tree.Use)
		return ok && b.Params[u.Object]
	case *tree.PointerSum:
		return b.Named(v.P) && (b.elementlike(v.P) || IsZero(v.Count))
	case *tree.Convert:
		return tree.IsPointer(v.X.Type()) && tree.Same(v.T, v.X.Type()) && b.Named(v.X)
	}
	return false
}

// namedPlace tells whether a place is, or is a part of, a named object that no pointer leads to.
func (b *Binding) namedPlace(p tree.Place) bool {
	for {
		switch q := p.(type) {
		case *tree.Use:
			return !b.Escapes[q.Object] && Divisible(q.Object.Type)
		case *tree.Member:
			if q.Field.Parent.Union {
				return false
			}
			p = q.Struct
		case *tree.Element:
			p = q.Array
		case *tree.Dereference:
			return b.Named(q.Pointer)
		default:
			return false
		}
	}
}

// elementlike tells whether a pointer to a named part points into an array.
func (b *Binding) elementlike(v tree.Value) bool {
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
		if u, ok := v.Place.(*tree.Use); ok && b.Params[u.Object] {
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

// pointerBase is what a named pointer is made from: the object, or the bound parameter.
func pointerBase(v tree.Value) *tree.Object {
	switch w := withoutSteps(v).(type) {
	case *tree.Load:
		if u, ok := w.Place.(*tree.Use); ok {
			return u.Object
		}
	case *tree.Address:
		return placeBase(w.Place)
	}
	return nil
}

// placeBase is the object, or the bound parameter, that a named place is a part of.
func placeBase(p tree.Place) *tree.Object {
	switch q := tree.Root(p).(type) {
	case *tree.Use:
		return q.Object
	case *tree.CompoundLiteral:
		return q.Declaration.Object
	case *tree.Dereference:
		return pointerBase(q.Pointer)
	}
	return nil
}

// node visits a node in which pointers are used for anything.
func (b *Binding) node(n tree.Node) {
	switch n := n.(type) {
	case nil:
	case *tree.Use:
		// A pointer's value is used by the Load around it.
	case *tree.Load:
		if u, ok := n.Place.(*tree.Use); ok {
			b.unbind(u.Object)
			return
		}
		b.node(n.Place)
	case *tree.Address:
		if o := placeBase(n.Place); o != nil {
			b.unbind(o)
			b.escape(o)
		}
		b.placeIndices(n.Place)
	case *tree.Dereference:
		b.dereference(n)
	case *tree.Assign, *tree.Update, *tree.Assembly:
		for _, p := range tree.Written(n) {
			if o := placeBase(p); o != nil && b.Params[o] {
				b.mark(b.Writes, o)
			}
		}
		tree.EachChild(n, b.node)
	case *tree.Unary:
		if n.Op == tree.Not && b.Named(n.X) {
			b.indices(n.X)
			return
		}
		b.node(n.X)
	case *tree.Binary:
		if n.Op == tree.Eq || n.Op == tree.Ne {
			if IsZero(n.Y) && b.Named(n.X) {
				b.indices(n.X)
				return
			}
			if IsZero(n.X) && b.Named(n.Y) {
				b.indices(n.Y)
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
func (b *Binding) dereference(n *tree.Dereference) {
	if b.Named(n.Pointer) {
		b.indices(n.Pointer)
		return
	}
	b.node(n.Pointer)
}

// indices visits what is evaluated within a named pointer: indices.
func (b *Binding) indices(v tree.Value) {
	switch v := v.(type) {
	case *tree.Address:
		b.placeIndices(v.Place)
	case *tree.PointerSum:
		b.indices(v.P)
		b.elementlike(v.P)
		b.node(v.Count)
	case *tree.Convert:
		b.indices(v.X)
	}
}

// placeIndices visits the indices and pointers within a place.
func (b *Binding) placeIndices(p tree.Place) {
	switch q := p.(type) {
	case *tree.Member:
		b.placeIndices(q.Struct)
	case *tree.Element:
		b.placeIndices(q.Array)
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
func (b *Binding) call(n *tree.Call) {
	if n.Callee != nil {
		b.node(n.Callee)
	}
	var params []*tree.Object
	if f := n.Target(); f != nil && b.reached.HasFunction[f] {
		params = f.Params
	}
	for i, a := range n.Arguments {
		if i >= len(params) || !b.Params[params[i]] {
			b.node(a)
			continue
		}
		p := params[i]
		if !b.Named(a) || !tree.Same(a.Type(), p.Type) || b.element[p] && !b.elementlike(a) {
			b.unbind(p)
			b.node(a)
			continue
		}
		if o := pointerBase(a); o != nil && b.Params[o] && b.Writes[p] {
			b.mark(b.Writes, o)
		}
		b.indices(a)
	}
	for i := len(n.Arguments); i < len(params); i++ {
		b.unbind(params[i]) // a call that gives too few arguments
	}
}

// IsZero tells whether a value is the constant 0.
func IsZero(v tree.Value) bool {
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
