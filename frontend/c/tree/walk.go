package tree

import "slices"

// Inspect calls visit for the node and everything below it, in the source's order. Where visit returns false, what is below
// is left out. Types, and the initialisers of static objects, are not part of a tree.
func Inspect(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	EachChild(n, func(child Node) { Inspect(child, visit) })
}

// Names reports whether a node names an object.
func Names(n Node, o *Object) bool {
	found := false
	Inspect(n, func(n Node) bool {
		u, ok := n.(*Use)
		found = found || ok && u.Object == o
		return !found
	})
	return found
}

// NamesItself reports whether a declaration's initialiser names its object.
func (d *Declare) NamesItself() bool {
	return slices.ContainsFunc(d.Init, func(i Initial) bool { return i.Value != nil && Names(i.Value, d.Object) })
}

// Root is what a place is a part of: the place without its fields and elements.
func Root(p Place) Place {
	for {
		switch q := p.(type) {
		case *Member:
			p = q.Struct
		case *Element:
			p = q.Array
		default:
			return p
		}
	}
}

// RootObject is the object that a place is a part of, nil if a pointer leads there.
func RootObject(p Place) *Object {
	switch q := Root(p).(type) {
	case *Use:
		return q.Object
	case *CompoundLiteral:
		return q.Declaration.Object
	}
	return nil
}

// Written are the places that a node assigns to itself, not by what is below it.
func Written(n Node) []Place {
	switch n := n.(type) {
	case *Assign:
		return []Place{n.Place}
	case *Update:
		return []Place{n.Place}
	case *Assembly:
		return n.Outputs
	}
	return nil
}

// EachChild calls f for the parts of a node, in the order in which they are evaluated, without those that are nil.
func EachChild(n Node, f func(Node)) {
	each := func(children ...Node) {
		for _, c := range children {
			if c != nil {
				f(c)
			}
		}
	}
	switch n := n.(type) {
	case *Dereference:
		each(n.Pointer)
	case *Member:
		each(n.Struct)
	case *Element:
		each(n.Array, n.Index)
	case *Temporary:
		each(n.Init)
	case *CompoundLiteral:
		each(n.Declaration)
	case *Load:
		each(n.Place)
	case *Address:
		each(n.Place)
	case *Unary:
		each(n.X)
	case *Binary:
		each(n.X, n.Y)
	case *PointerSum:
		each(n.P, n.Count)
	case *PointerDifference:
		each(n.X, n.Y)
	case *Logical:
		each(n.X, n.Y)
	case *Conditional:
		each(n.Test, n.Then, n.Else)
	case *Comma:
		each(n.First, n.Second)
	case *Assign:
		each(n.Place, n.Value)
	case *Update:
		each(n.Place, n.Operand)
	case *Call:
		each(n.Callee)
		for _, a := range n.Arguments {
			each(a)
		}
	case *Convert:
		each(n.X)
	case *StatementValue:
		each(n.Block, n.Result)
	case *Block:
		for _, s := range n.Statements {
			each(s)
		}
	case *Evaluate:
		each(n.Value)
	case *Declare:
		if a, ok := n.Object.Type.(*Array); ok && a.Count != nil {
			each(a.Count)
		}
		for _, i := range n.Init {
			each(i.Value)
		}
	case *If:
		each(n.Test, n.Then, n.Else)
	case *While:
		each(n.Test, n.Body)
	case *DoWhile:
		each(n.Body, n.Test)
	case *For:
		for _, s := range n.Init {
			each(s)
		}
		each(n.Test, n.Body, n.Step)
	case *Switch:
		each(n.Tag, n.Body)
	case *Case:
		each(n.Statement)
	case *Label:
		each(n.Statement)
	case *Return:
		each(n.Value)
	case *Havoc:
		each(n.Body)
	case *Assembly:
		for _, i := range n.Inputs {
			each(i)
		}
		for _, o := range n.Outputs {
			each(o)
		}
	}
}
