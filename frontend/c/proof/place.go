package proof

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hornbeam/frontend/boogie/ast"
	boogie "hornbeam/frontend/boogie/proof"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
)

// variable writes a variable of the translation, or an element of a map, as the part of an object that it is.
func (x *expresser) variable(id *ast.Identifier, index ast.Expr) number {
	if x.source == nil {
		panic(unsayable{"a variable that only the translation has"})
	}
	o := x.source.Named(x.procedure.Name, id.Name)
	switch {
	case o == nil || o.Map != (index != nil):
		panic(unsayable{"a variable that only the translation has"})
	case o.Region != nil:
		if size := x.source.Elements[id.Name]; size > 0 && index != nil {
			index = &ast.Binary{Op: ast.Mul, X: &ast.IntLiteral{Value: big.NewInt(size)}, Y: index}
		}
		return x.memory(o, index)
	case o.Object == nil:
		return x.result(id, o)
	case o.Behind:
		return x.behind(id, o, index)
	case !x.visible(o.Object):
		panic(unsayable{"a variable that is not in sight there: " + o.Object.Name})
	}
	text, t := x.follow(o.Object.Name, o.Object.Type, o, index)
	if id.Decl != nil && id.Decl.Kind == ast.In && (o.Object.Written || o.Object.Escapes) {
		// What comes in is what the caller gave; a parameter that changes is held by another variable.
		return x.scalar(x.entering(text), t)
	}
	return x.scalar(x.at(text), t)
}

// entering is a parameter as it was passed. In a contract that is what its name stands for.
func (x *expresser) entering(text string) string {
	switch {
	case !x.logical():
		panic(unsayable{"the value that a parameter was passed with"})
	case x.kind == boogie.Invariant:
		return `\at(` + text + ", Pre)"
	}
	return text
}

// at is a place as it is now, or as it was when the function was entered.
func (x *expresser) at(text string) string {
	switch {
	case !x.earlier:
		return text
	case !x.logical():
		panic(unsayable{"the value that something had earlier"})
	case x.kind == boogie.Invariant:
		return `\at(` + text + ", Pre)"
	}
	return `\old(` + text + ")"
}

// result writes the result of a function, or a part of it.
func (x *expresser) result(id *ast.Identifier, o *origin.Variable) number {
	f := x.source.Functions[x.procedure.Name]
	if !x.logical() || x.kind != boogie.Ensures || f == nil || id.Decl == nil || id.Decl.Kind != ast.Out {
		panic(unsayable{"a value that only the translation has"})
	}
	text, t := x.follow(`\result`, f.Type.Result, o, nil)
	return x.scalar(text, t)
}

// behind writes what a pointer parameter points to, or an element or a field of it.
func (x *expresser) behind(id *ast.Identifier, o *origin.Variable, index ast.Expr) number {
	p, ok := o.Object.Type.(*tree.Pointer)
	if !ok || !o.Begin || !x.visible(o.Object) {
		panic(unsayable{"what the pointer " + o.Object.Name + " leads to"})
	}
	whole := o.Whole
	name := "(*" + o.Object.Name + ")"
	if a, ok := whole.(*tree.Array); ok && tree.Same(a.Elem, p.Elem) {
		name = o.Object.Name // the pointer is as good as the array
	} else if !tree.Same(whole, p.Elem) {
		panic(unsayable{"what the pointer " + o.Object.Name + " leads to, as another type"})
	}
	text, t := x.follow(name, whole, o, index)
	if rest, ok := strings.CutPrefix(text, "(*"+o.Object.Name+")."); ok {
		text = o.Object.Name + "->" + rest
	} else if text == "(*"+o.Object.Name+")" {
		text = "*" + o.Object.Name
	}
	if id.Decl != nil && id.Decl.Kind == ast.In && x.changed(o) {
		before := x.earlier
		x.earlier = x.kind != boogie.Requires
		text = x.at(text)
		x.earlier = before
	}
	return x.scalar(text, t)
}

// changed tells whether the procedure changes what it was passed.
func (x *expresser) changed(o *origin.Variable) bool {
	return slices.ContainsFunc(x.procedure.Out, func(v *ast.Variable) bool {
		out := x.source.Named(x.procedure.Name, v.Name)
		return out != nil && out.Behind && out.Object == o.Object
	})
}

// follow writes the part of an object that a path leads to, with the elements of arrays that an index says, and returns its
// type.
func (x *expresser) follow(text string, t tree.Type, o *origin.Variable, index ast.Expr) (string, tree.Type) {
	var sum ast.Sum
	strides := []*big.Int(nil)
	if index != nil {
		sum = x.linear(index)
		// The number of an element counts those of all arrays that are in each other.
		stride := big.NewInt(1)
		for _, s := range slices.Backward(o.Path) {
			if s.Field == nil {
				strides = append(strides, stride)
				stride = new(big.Int).Mul(stride, big.NewInt(s.Index))
			}
		}
		slices.Reverse(strides)
	}
	for _, s := range o.Path {
		switch u := t.(type) {
		case *tree.Struct:
			if s.Field == nil || s.Field.Name == "" || u.Union {
				panic(unsayable{"a part of a union, or one without a name"})
			}
			text += "." + s.Field.Name
			t = s.Field.Type
		case *tree.Array:
			if s.Field != nil || u.Len <= 0 && (!x.logical() || len(strides) != 1) {
				panic(unsayable{"an element of an array whose length is not known"})
			}
			if len(strides) > 0 {
				var here ast.Sum
				here, sum = sum.Split(strides[0])
				strides = strides[1:]
				text += "[" + x.index(expression(here), u.Len) + "]"
			} else {
				if o.Map || s.Index < 0 || s.Index >= u.Len {
					panic(unsayable{"an element of an array as a whole"})
				}
				text += fmt.Sprintf("[%d]", s.Index)
			}
			t = u.Elem
		default:
			panic(unsayable{"a part of what has none"})
		}
	}
	if index != nil && !zero(sum) {
		panic(unsayable{"a part of an element"})
	}
	return text, t
}

// scalar is the number that a place of the type holds.
func (x *expresser) scalar(text string, t tree.Type) number {
	switch t := t.(type) {
	case *tree.Pointer:
		return number{text: func(bool) string { return text }, low: new(big.Int), high: new(big.Int), most: new(big.Int), pointer: true, atom: true, points: t.Elem}
	case *tree.Integer:
		n := bounded(t.Min(), t.Max())
		// The least number of a type has as many bits as the greatest.
		if t.Signed {
			n.most = t.Max()
		}
		n.atom, n.unsigned = true, !t.Signed && t.Bits >= 32
		n.text = func(wide bool) string {
			if wide && !x.logical() && t.Bits <= 64 && (t.Bits < 64 || t.Signed) {
				return "(long long)" + text
			}
			return text
		}
		return n
	}
	panic(unsayable{"a value that is no number and no pointer"})
}

// index writes an index of an array of the given length, and keeps it within it.
func (x *expresser) index(e ast.Expr, length int64) string {
	n := x.number(e)
	if n.constant != nil {
		if n.low.Sign() < 0 || length >= 0 && n.high.Cmp(big.NewInt(length)) >= 0 {
			panic(unsayable{"an element outside of its array"})
		}
		return n.text(false)
	}
	switch {
	case x.logical():
		return unwrapped(n.text(false))
	case n.pointer || !n.within(63) || length < 0:
		panic(unsayable{"an index that may be outside of its array"})
	}
	text := n.text(true)
	if guard := fmt.Sprintf("%s >= 0 && %s < %d", text, text, length); !slices.Contains(x.guards, guard) {
		x.guards = append(x.guards, guard)
	}
	return text
}

// linear takes an index or an address apart.
func (x *expresser) linear(e ast.Expr) ast.Sum {
	literal := func(e ast.Expr) (*big.Int, bool) {
		if l, ok := e.(*ast.IntLiteral); ok {
			return l.Value, true
		}
		return nil, false
	}
	return ast.SumOf(e, literal, func(e ast.Expr) ast.Expr {
		if v, ok := e.(*ast.Identifier); ok && x.bound[v.Name] != nil {
			return x.bound[v.Name]
		}
		return nil
	})
}

// zero tells whether a sum is the number 0.
func zero(s ast.Sum) bool { return len(s.Terms) == 0 && s.Constant.Sign() == 0 }

// expression is the sum as an expression.
func expression(s ast.Sum) ast.Expr {
	var out ast.Expr
	add := func(e ast.Expr, sign int) {
		switch {
		case out == nil && sign < 0:
			out = &ast.Unary{Op: ast.Negate, X: e}
		case out == nil:
			out = e
		case sign < 0:
			out = &ast.Binary{Op: ast.Sub, X: out, Y: e}
		default:
			out = &ast.Binary{Op: ast.Add, X: out, Y: e}
		}
	}
	for _, p := range s.Terms {
		e, size := p.Expr, new(big.Int).Abs(p.Factor)
		if size.Cmp(big.NewInt(1)) != 0 {
			e = &ast.Binary{Op: ast.Mul, X: &ast.IntLiteral{Value: size}, Y: e}
		}
		add(e, p.Factor.Sign())
	}
	if out == nil {
		return &ast.IntLiteral{Value: s.Constant}
	}
	if s.Constant.Sign() != 0 {
		add(&ast.IntLiteral{Value: new(big.Int).Abs(s.Constant)}, s.Constant.Sign())
	}
	return out
}

// objects are those with addresses, in the order of these.
func (x *expresser) objects() []*tree.Object {
	if x.source == nil {
		return nil
	}
	out := make([]*tree.Object, 0, len(x.source.Addresses))
	for o := range x.source.Addresses {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *tree.Object) int { return cmp.Compare(x.source.Addresses[a], x.source.Addresses[b]) })
	return out
}

// memory writes what is at an address: a part of an object that has a name, or, in logical conditions, what a pointer
// points to.
func (x *expresser) memory(o *origin.Variable, address ast.Expr) number {
	if o.Type == nil || o.Region.Mixed {
		panic(unsayable{"memory that holds several types"})
	}
	if !o.Map {
		placed := o.Region.Group.Objects[0]
		if !x.visible(placed.Object) {
			panic(unsayable{"a variable that is not in sight there: " + placed.Object.Name})
		}
		at := ast.Sum{Constant: big.NewInt(o.Region.Offset - placed.Offset)}
		return x.scalar(x.at(x.part(placed.Object.Name, placed.Object.Type, at, o.Type)), o.Type)
	}
	sum := x.linear(address)
	for _, object := range x.objects() {
		from := x.source.Addresses[object]
		at := new(big.Int).Sub(sum.Constant, big.NewInt(from))
		if at.Sign() >= 0 && at.Cmp(big.NewInt(max(object.Size(), 1))) < 0 && x.visible(object) {
			return x.scalar(x.at(x.part(object.Name, object.Type, ast.Sum{Constant: at, Terms: sum.Terms}, o.Type)), o.Type)
		}
	}
	if x.logical() && x.bound == nil {
		for i, p := range sum.Terms {
			if p.Factor.Cmp(big.NewInt(1)) != 0 {
				continue
			}
			if text, elem, ok := x.pointer(p.Expr); ok {
				rest := ast.Sum{Constant: sum.Constant, Terms: slices.Delete(slices.Clone(sum.Terms), i, i+1)}
				return x.scalar(x.at(x.part(text, &tree.Array{Elem: elem, Len: -1}, rest, o.Type)), o.Type)
			}
		}
	}
	panic(unsayable{"memory at an address that no pointer in sight has"})
}

// pointer writes an address that a pointer of the program has, and returns what it points to.
func (x *expresser) pointer(e ast.Expr) (text string, elem tree.Type, ok bool) {
	id, isVariable := e.(*ast.Identifier)
	if !isVariable {
		return "", nil, false
	}
	o := x.source.Named(x.procedure.Name, id.Name)
	if o == nil || o.Region != nil || o.Behind || o.Object == nil {
		return "", nil, false
	}
	p, isPointer := o.Type.(*tree.Pointer)
	if !isPointer || p.Elem.Size() <= 0 {
		return "", nil, false
	}
	return x.number(e).text(false), p.Elem, true
}

// part writes the scalar of the type that is so many bytes behind the beginning of a place.
func (x *expresser) part(text string, t tree.Type, at ast.Sum, scalar tree.Type) string {
	switch u := t.(type) {
	case *tree.Array:
		size := u.Elem.Size()
		if size <= 0 {
			panic(unsayable{"an element of an array of unknown size"})
		}
		here, rest := at.Split(big.NewInt(size))
		i := x.index(expression(here), u.Len)
		if i == "0" && u.Len < 0 {
			if s, ok := u.Elem.(*tree.Struct); ok {
				return x.field(text+"->", s, rest, scalar)
			}
			return x.part("*"+text, u.Elem, rest, scalar)
		}
		return x.part(text+"["+i+"]", u.Elem, rest, scalar)
	case *tree.Struct:
		return x.field(text+".", u, at, scalar)
	}
	if !zero(at) || !tree.Same(t, scalar) {
		panic(unsayable{"a part of a value in memory, or one of another type"})
	}
	return text
}

// field goes on in the field that is at an offset.
func (x *expresser) field(text string, s *tree.Struct, at ast.Sum, scalar tree.Type) string {
	if s.Union {
		panic(unsayable{"a part of a union"})
	}
	for _, f := range s.Fields {
		offset := new(big.Int).Sub(at.Constant, big.NewInt(f.Offset))
		if f.Name != "" && f.Bits == 0 && offset.Sign() >= 0 && offset.Cmp(big.NewInt(f.Type.Size())) < 0 {
			return x.part(text+f.Name, f.Type, ast.Sum{Constant: offset, Terms: at.Terms}, scalar)
		}
	}
	panic(unsayable{"a part of a structure that no field has"})
}
