package region

import (
	"hornbeam/frontend/c/lib"
	"hornbeam/frontend/c/tree"
)

// place is where a place is.
func (a *analysis) place(p tree.Place) cell {
	c := a.newPlace(p)
	a.places[p] = c
	return c
}

func (a *analysis) newPlace(p tree.Place) cell {
	switch p := p.(type) {
	case *tree.Use:
		return a.object(p.Object)
	case *tree.Dereference:
		c := a.value(p.Pointer)
		if c.nowhere() {
			return a.fresh()
		}
		return c
	case *tree.Member:
		c := a.place(p.Struct).at(p.Field.Offset)
		a.accessByteFields(c, p.Field)
		return c
	case *tree.Element:
		a.value(p.Index)
		c := a.place(p.Array)
		a.foldArray(c, p.Array.Type().(*tree.Array))
		return c.find()
	case *tree.Temporary:
		c := a.value(p.Init)
		if c.nowhere() {
			return a.fresh()
		}
		return c
	case *tree.CompoundLiteral:
		c := a.object(p.Declaration.Object)
		a.initialise(c, p.Declaration.Init)
		return c
	}
	return a.fresh()
}

// value goes through a value. A pointer's cell is where it leads, a struct's where it is held; other values have none.
func (a *analysis) value(v tree.Value) cell {
	c := a.newValue(v)
	if _, ok := v.Type().(*tree.Pointer); ok {
		a.values[v] = c
	}
	return c
}

func (a *analysis) newValue(v tree.Value) cell {
	switch v := v.(type) {
	case *tree.Load:
		c := a.place(v.Place)
		t := v.Place.Type()
		a.access(c, t)
		return a.content(c, t)
	case *tree.Address:
		c := a.place(v.Place)
		if array, ok := v.Place.Type().(*tree.Array); ok && v.Decay {
			a.foldArray(c, array)
		}
		return c.find()
	case *tree.FunctionAddress:
		c, ok := a.code[v.Function]
		if !ok {
			a.taken = append(a.taken, v.Function)
			c = a.fresh()
			c.node.functions = []*tree.Function{v.Function}
			a.code[v.Function] = c
		}
		return c.find()
	case *tree.PointerSum:
		return a.sum(v)
	case *tree.PointerDifference:
		a.order(v.X, v.Y)
		return cell{}
	case *tree.Binary:
		if v.Op.Comparison() && v.Op != tree.Eq && v.Op != tree.Ne {
			a.order(v.X, v.Y)
			return cell{}
		}
	case *tree.Conditional:
		a.value(v.Test)
		var then cell
		if v.Then != nil {
			then = a.value(v.Then)
		} else {
			then = a.value(v.Test)
		}
		return a.either(v.T, then, a.value(v.Else))
	case *tree.Comma:
		a.value(v.First)
		return a.value(v.Second)
	case *tree.Assign:
		to := a.place(v.Place)
		a.store(to, v.Place.Type(), v.Value)
		return a.content(to, v.Place.Type())
	case *tree.Update:
		at := a.place(v.Place)
		a.access(at, v.Place.Type())
		a.value(v.Operand)
		if p, ok := v.Place.Type().(*tree.Pointer); ok {
			a.step(a.link(at), p.Elem.Size())
		}
		return a.content(at, v.Place.Type())
	case *tree.Call:
		return a.call(v)
	case *tree.Convert:
		return a.convert(v)
	case *tree.StatementValue:
		a.statement(v.Block)
		if v.Result == nil {
			return cell{}
		}
		return a.value(v.Result)
	}
	tree.EachChild(v, func(n tree.Node) {
		switch n := n.(type) {
		case tree.Value:
			a.value(n)
		case tree.Place:
			a.place(n)
		}
	})
	return cell{}
}

// either is a value that is one of two.
func (a *analysis) either(t tree.Type, x, y cell) cell {
	if x.nowhere() {
		return y
	}
	switch t.(type) {
	case *tree.Pointer, *tree.Struct:
		a.unify(x, y)
	}
	return x.find()
}

// step says that a pointer moves over elements of a size: by how many is not looked at.
func (a *analysis) step(c cell, size int64) {
	if c.nowhere() {
		return
	}
	c = c.find()
	size = max(size, 1)
	for _, f := range c.node.folds {
		if c.offset >= f.low && c.offset < f.high {
			if f.stride%size != 0 && size%f.stride != 0 || size < f.stride {
				a.graph.fold(c.node, fold{f.low, f.high, gcd(size, f.stride)})
			}
			return
		}
	}
	a.graph.fold(c.node, fold{lowest, highest, size})
}

// sum is a pointer that moves: by a constant over fields, else over the elements of an array.
func (a *analysis) sum(v *tree.PointerSum) cell {
	a.value(v.Count)
	c := a.value(v.P)
	if c.nowhere() {
		return c
	}
	size := max(v.T.Elem.Size(), 1)
	if n, ok := v.Count.(*tree.Constant); ok && n.Int.IsInt64() {
		bytes := n.Int.Int64() * size
		if v.Minus {
			bytes = -bytes
		}
		return a.move(c, bytes, size)
	}
	a.step(c, size)
	return c.find()
}

// move is a pointer that moves by a number of bytes. One into an array does not say at which element, so that it may be
// still in the array where the first element would be left: then elements and what is around them are the same.
func (a *analysis) move(c cell, bytes, size int64) cell {
	c = c.find()
	for _, f := range c.node.folds {
		if f.low != lowest && c.offset >= f.low && c.offset < f.high && (c.offset+bytes < f.low || c.offset+bytes >= f.high) {
			a.graph.fold(c.node, fold{lowest, highest, gcd(f.stride, gcd(size, max(bytes, -bytes)))})
			break
		}
	}
	return c.at(bytes)
}

// convert is a conversion: between pointers nothing happens, between pointers and integers everything may.
func (a *analysis) convert(v *tree.Convert) cell {
	c := a.value(v.X)
	_, from := v.X.Type().(*tree.Pointer)
	_, to := v.T.(*tree.Pointer)
	switch {
	case from && to:
		if !a.asIs[v] {
			a.whole(c, v.X.Type().(*tree.Pointer).Elem, v.T.(*tree.Pointer).Elem)
		}
		return c
	case from:
		if i, ok := v.T.(*tree.Integer); ok && !i.Bool && !c.nowhere() {
			a.unify(a.unknown(), c)
		}
	case to:
		if n, ok := v.X.(*tree.Constant); ok && n.Int.Sign() == 0 {
			return cell{}
		}
		return a.unknown()
	}
	return cell{}
}

// whole is about a pointer to a struct that becomes one to something else: if the struct begins with an array, the pointer
// may walk over all of the struct, not over that array only.
func (a *analysis) whole(c cell, from, to tree.Type) {
	s, ok := from.(*tree.Struct)
	if _, same := to.(*tree.Struct); !ok || same || c.nowhere() {
		return
	}
	c = c.find()
	for _, f := range c.node.folds {
		if f.low == c.offset && f.high < c.offset+s.Size() {
			a.graph.fold(c.node, fold{f.low, c.offset + s.Size(), f.stride})
			return
		}
	}
}

func (a *analysis) call(v *tree.Call) cell {
	if v.Function != nil && v.Target().Body == nil {
		// These go by what is in memory, and not from byte to byte.
		switch lib.Lookup(v.Function.Name, false).Kind {
		case lib.Memory, lib.Release, lib.Output:
			for _, x := range v.Arguments {
				if c, ok := x.(*tree.Convert); ok {
					a.asIs[c] = true
				}
			}
		}
	}
	if v.Function == nil {
		for _, x := range v.Arguments {
			a.value(x)
		}
		a.value(v.Callee)
		a.indirect = append(a.indirect, v)
	} else {
		a.bind(v, v.Target())
		for _, x := range v.Arguments {
			a.value(x)
		}
	}
	return a.content(a.site(v), v.T)
}
