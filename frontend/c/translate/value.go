package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/region"
	"hornbeam/frontend/c/tree"
)

// value is what a scalar expression yields, as a term without effects. What has effects was added to the statements, so
// that the term's value is right until the next of them that changes its variables.
func (f *function) value(v tree.Value) ast.Expr {
	pos := at(v)
	if f.takes(v) {
		var out ast.Expr
		f.decides(v, func() { out = f.value(v) })
		return out
	}
	switch v := v.(type) {
	case *tree.Constant:
		return machine.Literal(pos, v.Int)
	case *tree.FloatConstant:
		return f.floatConstant(v)
	case *tree.Load:
		return f.loaded(v)
	case *tree.Address:
		return f.address(v)
	case *tree.FunctionAddress:
		return f.functionAddress(pos, v.Function)
	case *tree.Unary:
		if v.Op == tree.Not {
			return number(pos, f.truth(v))
		}
		return f.unary(v)
	case *tree.Binary:
		if condition(v) {
			return number(pos, f.truth(v))
		}
		x := f.before(pos, f.value(v.X), scalarName(v.X.Type()), v.Y)
		return f.binary(v, v.Op, v.T, x, f.operand(v.Op, v.T, v.Y), v.Y.Type())
	case *tree.PointerSum:
		if f.options.Faults.Has(fault.Dereference) {
			to, root, direct := f.pointer(v)
			if direct == nil {
				f.stays(v, &region.Location{Pointer: v}, root, to)
			}
			return to
		}
		p := f.before(pos, f.value(v.P), machine.Ref, v.Count)
		return f.pointerSum(v, p, f.position(v.Count), v.T.Elem, v.Minus)
	case *tree.PointerDifference:
		return f.difference(v)
	case *tree.Logical:
		return number(pos, f.truth(v))
	case *tree.Conditional:
		return f.conditional(v)
	case *tree.Comma:
		f.effect(v.First)
		return f.value(v.Second)
	case *tree.Assign:
		return f.assignment(v, true)
	case *tree.Update:
		return f.update(v, true)
	case *tree.Call:
		if r := f.call(v, nil); len(r) == 1 {
			return r[0]
		}
		return f.unknown(v, origin.Unspecified, f.scalar(v))
	case *tree.Convert:
		if tree.IsVoid(v.T) {
			f.effect(v.X)
			return machine.Number(pos, 0)
		}
		if i, ok := v.T.(*tree.Integer); ok && (i.Bool || condition(v.X)) {
			return number(pos, f.truth(v.X))
		}
		return f.convert(v, v.X.Type(), v.T, f.value(v.X))
	case *tree.StatementValue:
		f.statement(v.Block)
		if v.Result == nil {
			return machine.Number(pos, 0)
		}
		return f.value(v.Result)
	case *tree.SizeOf:
		return f.sizeOf(v)
	case *tree.UnsupportedValue:
		f.refuse(v.Pos(), "%s", v.What)
		return f.unknown(v, origin.Unspecified, f.scalar(v))
	}
	f.refuse(v.Pos(), "this expression")
	return f.unknown(v, origin.Unspecified, f.scalar(v))
}

// scalar is a value's type, or int if it is no scalar.
func (f *function) scalar(v tree.Value) tree.Type {
	if tree.Scalar(v.Type()) {
		return v.Type()
	}
	return f.program.Int
}

// effect evaluates something for its effects.
func (f *function) effect(v tree.Value) {
	if f.takes(v) {
		f.decides(v, func() { f.effect(v) })
		return
	}
	switch v := v.(type) {
	case *tree.Assign:
		f.assignment(v, false)
		return
	case *tree.Update:
		f.update(v, false)
		return
	case *tree.Call:
		f.call(v, nil)
		return
	case *tree.Comma:
		f.effect(v.First)
		f.effect(v.Second)
		return
	case *tree.Convert:
		if _, ok := v.T.(*tree.Integer); ok && f.options.Faults.Has(fault.Conversion) {
			break
		}
		f.effect(v.X)
		return
	case *tree.StatementValue:
		f.statement(v.Block)
		if v.Result != nil {
			f.effect(v.Result)
		}
		return
	case *tree.Conditional:
		f.conditionalEffect(v)
		return
	}
	if !f.effects.Of(v).Conditional() && !f.bare.May(v) {
		return
	}
	switch v.Type().(type) {
	case *tree.Struct:
		f.values(v)
	case *tree.Void:
		tree.EachChild(v, func(n tree.Node) {
			if inner, ok := n.(tree.Value); ok {
				f.effect(inner)
			}
		})
		if u, ok := v.(*tree.UnsupportedValue); ok {
			f.refuse(u.Pos(), "%s", u.What)
		}
	default:
		if _, ok := v.(*tree.Logical); ok {
			f.truth(v)
			return
		}
		f.value(v)
	}
}

// unary is -x or ~x.
func (f *function) unary(v *tree.Unary) ast.Expr {
	pos := at(v)
	x := f.value(v.X)
	i, ok := v.T.(*tree.Integer)
	if !ok {
		if format, ok := FormatOf(v.T); ok && v.Op == tree.Neg {
			return f.floats(v, format).negate(x)
		}
		return f.float(v, v.T)
	}
	m := machineType(i)
	if v.Op == tree.Complement {
		return operation(pos, machine.Not, m, x)
	}
	f.fits(v, machine.Neg, m, i, nil, x)
	return operation(pos, machine.Neg, m, x)
}

// conditional is Test ? Then : Else of a scalar type.
func (f *function) conditional(v *tree.Conditional) ast.Expr {
	pos := at(v)
	if v.Then == nil {
		var x ast.Expr
		f.decides(v.Test, func() { x = f.settle(pos, f.value(v.Test), machine.TypeNamed(pos, scalarName(v.Test.Type()))) })
		test := f.nonzero(v.Test, v.Test.Type(), x)
		then := f.convert(v, v.Test.Type(), v.T, x)
		if !f.effects.Of(v.Else).Conditional() && !f.bare.May(v.Else) {
			return choose(pos, test, then, f.speculatively(pos, not(test), v.Else, f.value))
		}
		return f.oneOf(v, test, func() ast.Expr { return then }, func() ast.Expr { return f.value(v.Else) })
	}
	test := f.decision(v.Test)
	if b, ok := test.(*ast.BoolLiteral); ok {
		if b.Value {
			return f.value(v.Then)
		}
		return f.value(v.Else)
	}
	if !f.effects.Of(v.Then).Conditional() && !f.effects.Of(v.Else).Conditional() && !f.bare.May(v.Then) && !f.bare.May(v.Else) {
		then := f.speculatively(pos, test, v.Then, f.value)
		return choose(pos, test, then, f.speculatively(pos, not(test), v.Else, f.value))
	}
	return f.oneOf(v, test, func() ast.Expr { return f.value(v.Then) }, func() ast.Expr { return f.value(v.Else) })
}

// oneOf is one of two scalars, of which only that is evaluated.
func (f *function) oneOf(v *tree.Conditional, test ast.Expr, yes, no func() ast.Expr) ast.Expr {
	pos := at(v)
	t := f.tempOf(pos, machine.TypeNamed(pos, scalarName(v.T)), v.T)
	way := func(value func() ast.Expr) (list []ast.Stmt, comes ast.Expr) {
		list = f.within(func() { comes = f.from(func() { f.assign(pos, use(t), value()) }) })
		return list, comes
	}
	then, thenComes := way(yes)
	other, otherComes := way(no)
	if thenComes != nil || otherComes != nil {
		comes := f.temp(pos, machine.Bool)
		then = append(then, f.within(func() { f.assign(pos, use(comes), orNever(pos, thenComes)) })...)
		other = append(other, f.within(func() { f.assign(pos, use(comes), orNever(pos, otherComes)) })...)
		defer func() { f.comes = anyOf(pos, f.comes, use(comes)) }()
	}
	f.add(&ast.If{Pos: pos, Guard: test, Then: then, Else: other})
	return use(t)
}

func (f *function) conditionalEffect(v *tree.Conditional) {
	if v.Then == nil && f.options.Faults.Has(fault.Conversion) {
		f.value(v) // The test is converted to the type of both.
		return
	}
	if !f.effects.Of(v).Conditional() && !f.bare.May(v) {
		return
	}
	if v.Then == nil && f.bare != nil {
		f.value(v)
		return
	}
	test := f.decision(v.Test)
	s := &ast.If{Pos: at(v), Guard: test}
	if v.Then != nil {
		s.Then = f.within(func() { f.effect(v.Then) })
	}
	s.Else = f.within(func() { f.effect(v.Else) })
	if len(s.Then) > 0 || len(s.Else) > 0 {
		f.add(s)
	}
}

// index is an integer's value as a mathematical integer.
func (f *function) index(v tree.Value) ast.Expr {
	if f.takes(v) {
		return f.position(v)
	}
	i, ok := v.Type().(*tree.Integer)
	if !ok {
		f.refuse(v.Pos(), "an index of type %s", v.Type())
		return machine.Number(at(v), 0)
	}
	// A widened index is the same number.
	for {
		c, ok := v.(*tree.Convert)
		if !ok {
			break
		}
		from, ok := c.X.Type().(*tree.Integer)
		if !ok || from.Bool || from.Min().Cmp(i.Min()) < 0 || from.Max().Cmp(i.Max()) > 0 {
			break
		}
		v, i = c.X, from
	}
	return operation(at(v), machine.Index, machineType(i), f.value(v))
}

// sizeOf is the size of a type with a computed length.
func (f *function) sizeOf(v *tree.SizeOf) ast.Expr {
	i := v.T.(*tree.Integer)
	size := f.bytes(v, v.Of)
	if size == nil {
		f.refuse(v.Pos(), "the size of %s", v.Of)
		return f.unknown(v, origin.Unspecified, v.T)
	}
	return operation(at(v), machine.Integer, machineType(i), size)
}

// bytes is the size of a type, as a mathematical integer; nil if it is not known.
func (f *function) bytes(n tree.Node, t tree.Type) ast.Expr {
	a, ok := t.(*tree.Array)
	if !ok {
		return machine.Number(at(n), t.Size())
	}
	inner := f.bytes(n, a.Elem)
	if inner == nil {
		return nil
	}
	if a.Count == nil {
		if l, ok := inner.(*ast.IntLiteral); ok {
			return product(at(n), l, a.Len)
		}
		return product(at(n), inner, a.Len)
	}
	length := f.lengths[a]
	if length == nil {
		return nil
	}
	if l, ok := inner.(*ast.IntLiteral); ok && l.Value.IsInt64() {
		return product(at(n), use(length), l.Value.Int64())
	}
	return &ast.Binary{Node: ast.Node{Pos: at(n)}, Op: ast.Mul, X: use(length), Y: inner}
}

// address is the address of a place, as a number.
func (f *function) address(v *tree.Address) ast.Expr {
	pl := f.place(v.Place)
	if pl.address == nil {
		f.refuse(v.Pos(), "the address of this object")
		return f.unknown(v, origin.Unspecified, v.T)
	}
	if pl.root != nil && pl.direct == nil {
		f.stays(v, pl.target, pl.root, pl.address)
	}
	return pl.address
}

// functionAddress is a number that no other function and no object has for address.
func (t *translator) functionAddress(pos chc.Position, fn *tree.Function) ast.Expr {
	if t.addresses[fn] == 0 {
		t.addresses[fn] = int64(len(t.addresses)+1) * 16
	}
	return machine.Number(pos, t.addresses[fn])
}

// pointerSum is p plus or minus count elements.
func (f *function) pointerSum(n tree.Node, p, count ast.Expr, elem tree.Type, minus bool) ast.Expr {
	op := ast.Add
	if minus {
		op = ast.Sub
	}
	size := f.bytes(n, elem)
	l, ok := size.(*ast.IntLiteral)
	if !ok {
		f.refuse(n.Pos(), "a pointer to %s", elem)
		return p
	}
	bytes := l.Value.Int64()
	if bytes == 0 {
		bytes = 1 // GNU's arithmetic on void * and on pointers to functions
	}
	return sum(at(n), op, p, product(at(n), count, bytes))
}

// difference is the number of elements between two pointers.
func (f *function) difference(v *tree.PointerDifference) ast.Expr {
	pos := at(v)
	x := f.before(pos, f.value(v.X), machine.Ref, v.Y)
	y := f.value(v.Y)
	m := machineType(v.T.(*tree.Integer))
	d := operation(pos, machine.Integer, m, sum(pos, ast.Sub, x, y))
	elem := v.X.Type().(*tree.Pointer).Elem
	if _, isArray := elem.(*tree.Array); isArray && elem.Size() == 0 {
		f.refuse(v.Pos(), "a pointer to %s", elem)
	}
	if size := elem.Size(); size > 1 {
		// The difference may be negative, which addresses are not.
		d = operation(pos, machine.Div, m, d, machine.Number(pos, size))
	}
	return d
}
