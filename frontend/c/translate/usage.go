package translate

import (
	"hornbeam/frontend/c/tree"
)

// usage is how objects are used in what is reached.
type usage struct {
	reached *reached
	// written objects are assigned to by name, or have their address used.
	written map[*tree.Object]bool
	// read objects have values that can matter.
	read map[*tree.Object]bool
	// indexed arrays are used other than by elements with constant numbers.
	indexed map[*tree.Object]bool
	// exploded arrays have a variable for each element.
	exploded map[*tree.Object]bool
	// flows has for each object those whose values its value depends on, and on nothing else does their reading matter.
	flows   map[*tree.Object][]*tree.Object
	options Options
	effects *effectsOf
}

// maxExploded is how many variables an array may become.
const maxExploded = 16

// examine finds how objects are used.
func examine(r *reached, options Options) *usage {
	u := &usage{
		reached: r, written: map[*tree.Object]bool{}, read: map[*tree.Object]bool{}, indexed: map[*tree.Object]bool{},
		exploded: map[*tree.Object]bool{}, flows: map[*tree.Object][]*tree.Object{}, options: options, effects: newEffects(r.program, options),
	}
	for _, o := range r.objects {
		u.initial(o, o.Init)
	}
	if o := r.program.Errno; o != nil {
		u.written[o] = true // by the library
	}
	for _, f := range r.functions {
		u.node(f.Body, nil)
	}
	var matters []*tree.Object
	for _, o := range r.objects {
		if u.read[o] {
			matters = append(matters, o)
		}
	}
	for _, f := range r.functions {
		for _, o := range f.Params {
			if u.read[o] {
				matters = append(matters, o)
			}
		}
		for _, o := range f.Locals {
			if u.read[o] {
				matters = append(matters, o)
			}
		}
	}
	for len(matters) > 0 {
		o := matters[len(matters)-1]
		matters = matters[:len(matters)-1]
		for _, from := range u.flows[o] {
			if !u.read[from] {
				u.read[from] = true
				matters = append(matters, from)
			}
		}
	}
	return u
}

// node visits a node whose value matters for the object into only, or, if that is nil, for more.
func (u *usage) node(n tree.Node, into *tree.Object) {
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
		u.written[n.Object] = true
		for a, ok := n.Object.Type.(*tree.Array); ok; a, ok = a.Elem.(*tree.Array) {
			if a.Count != nil {
				u.node(a.Count, nil)
			}
		}
		u.initial(n.Object, n.Init)
	case *tree.Load:
		u.place(n.Place, into, true)
	case *tree.Address:
		if o := owner(n.Place); o != nil {
			u.written[o], u.read[o] = true, true
		}
		if o := array(n.Place); o != nil {
			u.indexed[o] = true
		}
		u.place(n.Place, nil, false)
	case *tree.Assign:
		u.write(n.Place)
		u.place(n.Place, nil, true)
		u.node(n.Value, nil)
	case *tree.Update:
		u.write(n.Place)
		u.place(n.Place, nil, true)
		u.node(n.Operand, nil)
	case *tree.Assembly:
		for _, o := range n.Outputs {
			u.write(o)
		}
		tree.EachChild(n, func(c tree.Node) { u.node(c, nil) })
	case tree.Place:
		u.place(n, into, false)
	default:
		tree.EachChild(n, func(c tree.Node) { u.node(c, into) })
	}
}

// statement visits what is evaluated for its effects.
func (u *usage) statement(v tree.Value) {
	switch n := v.(type) {
	case *tree.Assign:
		u.write(n.Place)
		into := u.target(n.Place, n.Value)
		u.place(n.Place, into, false)
		u.node(n.Value, into)
	case *tree.Update:
		u.write(n.Place)
		into := u.target(n.Place, n.Operand)
		u.place(n.Place, into, into == nil)
		u.node(n.Operand, into)
	case *tree.Comma:
		u.statement(n.First)
		u.statement(n.Second)
	case *tree.Convert:
		if _, void := n.T.(*tree.Void); void {
			u.statement(n.X)
			return
		}
		u.statement(n.X)
	default:
		u.node(v, nil)
	}
}

// target is the object that alone depends on an assigned value; nil if there is none.
func (u *usage) target(p tree.Place, value tree.Value) *tree.Object {
	o := owner(p)
	if o == nil || u.options.Property == NoOverflow || u.effects.of(value).guarded || u.effects.of(p).guarded {
		return nil
	}
	return o
}

// initial visits an object's initialiser.
func (u *usage) initial(o *tree.Object, init []tree.Initial) {
	for _, i := range init {
		if i.Value == nil {
			continue
		}
		into := o
		if u.options.Property == NoOverflow || u.effects.of(i.Value).guarded {
			into = nil
		}
		u.node(i.Value, into)
	}
}

func (u *usage) write(p tree.Place) {
	if o := owner(p); o != nil {
		u.written[o] = true
	}
}

// place visits a place; load says that what it holds is used.
func (u *usage) place(p tree.Place, into *tree.Object, load bool) {
	o := owner(p)
	if o != nil {
		if load {
			u.reads(o, into)
		}
	}
	if o := array(p); o != nil && !u.indexed[o] && !constantElement(p) {
		u.indexed[o] = true
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
				u.read[q.Declaration.Object] = true
			}
		}
		return
	}
}

// array is the array that a place is or is a part of, if it has a name or is a compound literal; nil if there is none.
func array(p tree.Place) *tree.Object {
	o := owner(p)
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

func (u *usage) reads(o, into *tree.Object) {
	if into == nil {
		u.read[o] = true
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

// finish decides which arrays become variables for their elements.
func (u *usage) finish(b *binding) {
	decide := func(o *tree.Object) {
		a, ok := o.Type.(*tree.Array)
		if ok && !u.indexed[o] && !b.escapes[o] && !o.Volatile && small(a) {
			u.exploded[o] = true
		}
	}
	for _, o := range u.reached.objects {
		decide(o)
	}
	for _, f := range u.reached.functions {
		for _, o := range f.Locals {
			decide(o)
		}
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
