package usage

import (
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/tree"
)

// Usage is how objects are used in what is reached.
type Usage struct {
	reached *Reached
	// Written objects are assigned to by name, or have their address used.
	Written map[*tree.Object]bool
	// Read objects have values that can matter.
	Read map[*tree.Object]bool
	// Indexed arrays are used other than by elements with constant numbers.
	Indexed map[*tree.Object]bool
	// Exploded arrays have a variable for each element.
	Exploded map[*tree.Object]bool
	// flows has for each object those whose values its value depends on, and on nothing else does their reading matter.
	flows   map[*tree.Object][]*tree.Object
	effects *Effects
}

// maxExploded is how many variables an array may become.
const maxExploded = 16

// Examine finds how objects are used.
func Examine(r *Reached, e *Effects) *Usage {
	u := &Usage{
		reached: r, Written: map[*tree.Object]bool{}, Read: map[*tree.Object]bool{}, Indexed: map[*tree.Object]bool{},
		Exploded: map[*tree.Object]bool{}, flows: map[*tree.Object][]*tree.Object{}, effects: e,
	}
	for _, o := range r.Objects {
		u.initial(o, o.Init)
	}
	if o := r.program.Errno; o != nil {
		u.Written[o] = true // by the library
	}
	for _, f := range r.Functions {
		u.node(f.Body, nil)
	}
	var matters []*tree.Object
	matter := func(all []*tree.Object) {
		for _, o := range all {
			if u.Read[o] {
				matters = append(matters, o)
			}
		}
	}
	matter(r.Objects)
	for _, f := range r.Functions {
		matter(f.Params)
		matter(f.Locals)
	}
	for len(matters) > 0 {
		o := matters[len(matters)-1]
		matters = matters[:len(matters)-1]
		for _, from := range u.flows[o] {
			if !u.Read[from] {
				u.Read[from] = true
				matters = append(matters, from)
			}
		}
	}
	return u
}

// node visits a node whose value matters for the object into only, or, if that is nil, for more.
func (u *Usage) node(n tree.Node, into *tree.Object) {
	switch n := n.(type) {
	case nil:
	case *tree.Evaluate:
		u.statement(n.Value)
	case *tree.For:
		for _, s := range n.Init {
			u.node(s, nil)
		}
		if n.Test != nil {
			u.node(n.Test, nil)
		}
		if n.Step != nil {
			u.statement(n.Step)
		}
		u.node(n.Body, nil)
	case *tree.Declare:
		u.Written[n.Object] = true
		for a, ok := n.Object.Type.(*tree.Array); ok; a, ok = a.Elem.(*tree.Array) {
			if a.Count != nil {
				u.node(a.Count, nil)
			}
		}
		u.initial(n.Object, n.Init)
	case *tree.Load:
		u.place(n.Place, into, true)
	case *tree.Address:
		if o := Owner(n.Place); o != nil {
			u.Written[o], u.Read[o] = true, true
		}
		if o := namedArray(n.Place); o != nil {
			u.Indexed[o] = true
		}
		u.place(n.Place, nil, false)
	case *tree.Assign:
		u.write(n)
		u.place(n.Place, nil, true)
		u.node(n.Value, nil)
	case *tree.Update:
		u.write(n)
		u.place(n.Place, nil, true)
		u.node(n.Operand, nil)
	case *tree.Assembly:
		u.write(n)
		tree.EachChild(n, func(c tree.Node) { u.node(c, nil) })
	case tree.Place:
		u.place(n, into, false)
	default:
		tree.EachChild(n, func(c tree.Node) { u.node(c, into) })
	}
}

// statement visits what is evaluated for its effects.
func (u *Usage) statement(v tree.Value) {
	switch n := v.(type) {
	case *tree.Assign:
		u.write(n)
		into := u.target(n.Place, n.Value)
		u.place(n.Place, into, false)
		u.node(n.Value, into)
	case *tree.Update:
		u.write(n)
		into := u.target(n.Place, n.Operand)
		u.place(n.Place, into, into == nil)
		u.node(n.Operand, into)
	case *tree.Comma:
		u.statement(n.First)
		u.statement(n.Second)
	case *tree.Convert:
		u.statement(n.X)
	default:
		u.node(v, nil)
	}
}

// target is the object that alone depends on an assigned value; nil if there is none.
func (u *Usage) target(p tree.Place, value tree.Value) *tree.Object {
	o := Owner(p)
	if o == nil || u.effects.asked != fault.Of(fault.Assertion) || u.effects.Of(value).Guarded || u.effects.Of(p).Guarded {
		return nil
	}
	return o
}

// initial visits an object's initialiser.
func (u *Usage) initial(o *tree.Object, init []tree.Initial) {
	for _, i := range init {
		if i.Value == nil {
			continue
		}
		into := o
		if u.effects.asked != fault.Of(fault.Assertion) || u.effects.Of(i.Value).Guarded {
			into = nil
		}
		u.node(i.Value, into)
	}
}

// write notes the objects that a node assigns to.
func (u *Usage) write(n tree.Node) {
	for _, p := range tree.Written(n) {
		if o := Owner(p); o != nil {
			u.Written[o] = true
		}
	}
}

// place visits a place; load says that what it holds is used.
func (u *Usage) place(p tree.Place, into *tree.Object, load bool) {
	o := Owner(p)
	if o != nil && load {
		u.reads(o, into)
	}
	if o := namedArray(p); o != nil && !u.Indexed[o] && !constantElement(p) {
		u.Indexed[o] = true
	}
	for {
		switch q := p.(type) {
		case *tree.Member:
			p = q.Struct
			continue
		case *tree.Element:
			u.node(q.Index, into)
			p = q.Array
			continue
		case *tree.Dereference:
			if a, ok := q.Pointer.(*tree.Address); ok && !a.Decay {
				p = a.Place
				continue
			}
			u.node(q.Pointer, nil)
		case *tree.Temporary:
			u.node(q.Init, into)
		case *tree.CompoundLiteral:
			u.node(q.Declaration, nil)
			if load {
				u.Read[q.Declaration.Object] = true
			}
		}
		return
	}
}

// namedArray is the array that a place is or is a part of, if it has a name or is a compound literal; nil if there is none.
func namedArray(p tree.Place) *tree.Object {
	o := Owner(p)
	if l, ok := tree.Root(p).(*tree.CompoundLiteral); ok {
		o = l.Declaration.Object
	}
	if o != nil {
		if _, ok := o.Type.(*tree.Array); ok {
			return o
		}
	}
	return nil
}

func (u *Usage) reads(o, into *tree.Object) {
	if into == nil {
		u.Read[o] = true
	} else if into != o {
		u.flows[into] = append(u.flows[into], o)
	}
}

// constantElement tells whether a place within an array is one of its elements by constant numbers, or a part of such.
func constantElement(p tree.Place) bool {
	if _, array := p.Type().(*tree.Array); array {
		return false
	}
	for {
		switch q := p.(type) {
		case *tree.Use, *tree.CompoundLiteral:
			return true
		case *tree.Member:
			p = q.Struct
		case *tree.Element:
			a, ok := q.Array.Type().(*tree.Array)
			c, constant := q.Index.(*tree.Constant)
			if !ok || !constant || c.Int.Sign() < 0 || !c.Int.IsInt64() || c.Int.Int64() >= a.Len {
				return false
			}
			p = q.Array
		default:
			return false
		}
	}
}

// Finish decides which arrays become variables for their elements.
func (u *Usage) Finish(b *Binding) {
	decide := func(all []*tree.Object) {
		for _, o := range all {
			a, ok := o.Type.(*tree.Array)
			if ok && !u.Indexed[o] && !b.Escapes[o] && !o.Volatile && small(a) {
				u.Exploded[o] = true
			}
		}
	}
	decide(u.reached.Objects)
	for _, f := range u.reached.Functions {
		decide(f.Locals)
	}
}

// small tells whether an array has few elements, none with arrays in it but its own dimensions.
func small(a *tree.Array) bool {
	n := int64(1)
	for {
		if a.Len < 0 {
			return false
		}
		n *= a.Len
		inner, ok := a.Elem.(*tree.Array)
		if !ok {
			break
		}
		a = inner
	}
	return n <= maxExploded && !hasArray(a.Elem)
}

// hasArray tells whether there is an array in a type.
func hasArray(t tree.Type) bool {
	switch t := t.(type) {
	case *tree.Array:
		return true
	case *tree.Struct:
		for _, f := range t.Fields {
			if hasArray(f.Type) {
				return true
			}
		}
	}
	return false
}
