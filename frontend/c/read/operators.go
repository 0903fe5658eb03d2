package read

import (
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"hornbeam/frontend/c/tree"
)

// unary reads what is written before an expression.
func (r *reader) unary(n *cc.UnaryExpression) operand {
	pos := r.pos(n)
	at := tree.At{Position: pos}
	value := func(v tree.Value) operand { return operand{value: v, pos: pos} }
	switch n.Case {
	case cc.UnaryExpressionPostfix:
		return r.expression(n.PostfixExpression)
	case cc.UnaryExpressionInc:
		return value(r.increment(n.UnaryExpression, tree.Add, false, "++", pos))
	case cc.UnaryExpressionDec:
		return value(r.increment(n.UnaryExpression, tree.Sub, false, "--", pos))
	case cc.UnaryExpressionAddrof:
		return r.addressOf(r.expression(n.CastExpression), pos)
	case cc.UnaryExpressionDeref:
		o := r.expression(n.CastExpression)
		if o.function != nil || o.designator {
			o.pos = pos
			return o
		}
		p := r.valueOf(o)
		if t, ok := p.Type().(*tree.Pointer); ok && isFunction(t.Elem) {
			return operand{value: p, pos: pos, designator: true}
		}
		return operand{place: r.dereference(p, pos), pos: pos}
	case cc.UnaryExpressionPlus:
		return value(r.promote(r.arithmeticOperand(n.CastExpression)))
	case cc.UnaryExpressionMinus:
		return value(r.arithmeticUnary(tree.Neg, n.CastExpression, pos))
	case cc.UnaryExpressionCpl:
		return value(r.arithmeticUnary(tree.Complement, n.CastExpression, pos))
	case cc.UnaryExpressionNot:
		x := r.truth(r.rvalue(n.CastExpression))
		return value(r.simplify(&tree.Unary{At: at, T: r.types.int, Op: tree.Not, X: x}))
	case cc.UnaryExpressionSizeofExpr:
		return value(r.sizeOfExpression(n.UnaryExpression, pos))
	case cc.UnaryExpressionSizeofType:
		end := r.unevaluatedly()
		t, lengths := r.evaluatedType(n.TypeName)
		if !variable(t) {
			end()
			lengths = nil
		}
		return value(after(lengths, r.sizeOf(t, pos)))
	case cc.UnaryExpressionAlignofExpr:
		t := r.unevaluated(n.UnaryExpression)
		if r.aligned {
			return value(&tree.UnsupportedValue{At: at, T: r.types.size, What: "the alignment of an object or member that may have one of its own"})
		}
		return value(r.alignOf(t, n.Token.SrcStr(), pos))
	case cc.UnaryExpressionAlignofType:
		return value(r.alignOfName(n, pos))
	case cc.UnaryExpressionLabelAddr:
		return value(&tree.UnsupportedValue{At: at, T: r.types.voidPointer, What: "the address of a label"})
	}
	return r.part(r.expression(n.UnaryExpression), n.Case == cc.UnaryExpressionImag, pos)
}

// arithmeticUnary reads -x or ~x.
func (r *reader) arithmeticUnary(op tree.UnaryOp, n cc.ExpressionNode, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	x := r.arithmeticOperand(n)
	if r.wideField(x) != nil {
		return &tree.UnsupportedValue{At: at, T: x.Type(), What: "arithmetic on a bit-field wider than int"}
	}
	x = r.promote(x)
	if op == tree.Complement && tree.IsFloat(x.Type()) {
		r.Fail(pos, "~ needs an integer")
	}
	return r.simplify(&tree.Unary{At: at, T: x.Type(), Op: op, X: x})
}

// arithmeticOperand reads an operand that has to be a number.
func (r *reader) arithmeticOperand(n cc.ExpressionNode) tree.Value {
	v := r.rvalue(n)
	if !isArithmetic(v.Type()) {
		if u := r.uncomputed(v.Pos(), r.types.int, v.Type()); u != nil {
			return u
		}
		r.Fail(v.Pos(), "a value of type %s is no number", v.Type())
	}
	return v
}

// opaque names what a type is of that nothing computes with: complex numbers, vectors, and numbers in other formats. It is empty
// for all other types.
func (r *reader) opaque(t tree.Type) string {
	s, ok := t.(*tree.Struct)
	if !ok || r.types.opaqueTypes[s.Tag] != s {
		return ""
	}
	switch {
	case strings.HasPrefix(s.Tag, complexTag):
		return "complex numbers"
	case strings.HasPrefix(s.Tag, vectorTag):
		return "vectors"
	}
	return "arithmetic on " + strings.TrimPrefix(s.Tag, formatTag)
}

// uncomputed is the value of an operation with an operand that nothing computes with; nil if none of the types is of that kind.
func (r *reader) uncomputed(pos tree.Pos, result tree.Type, operands ...tree.Type) tree.Value {
	for _, t := range operands {
		if what := r.opaque(t); what != "" {
			return &tree.UnsupportedValue{At: tree.At{Position: pos}, T: result, What: what}
		}
	}
	return nil
}

// part is __real__ or __imag__ of an operand. Both are places if the operand is one.
func (r *reader) part(o operand, imaginary bool, pos tree.Pos) operand {
	at := tree.At{Position: pos}
	s, ok := o.typ().(*tree.Struct)
	if !ok || !strings.HasPrefix(s.Tag, complexTag) || r.opaque(s) == "" {
		v := r.valueOf(o)
		if !isArithmetic(v.Type()) {
			r.Fail(pos, "a value of type %s has no real part", v.Type())
		}
		if imaginary {
			v = &tree.Comma{At: at, First: r.effects(v), Second: r.convert(constantOf(pos, r.types.int, 0), v.Type(), pos)}
		}
		return operand{value: v, pos: pos}
	}
	f := s.Fields[0]
	if imaginary {
		f = s.Fields[1]
	}
	if o.place == nil {
		o.place = &tree.Temporary{At: at, Init: o.value}
	}
	return operand{place: &tree.Member{At: at, Struct: o.place, Field: f}, pos: pos}
}

// addressOf is &x.
func (r *reader) addressOf(o operand, pos tree.Pos) operand {
	at := tree.At{Position: pos}
	switch {
	case o.function != nil:
		return operand{value: r.valueOf(o), pos: pos}
	case o.designator:
		return operand{value: o.value, pos: pos}
	}
	place := r.placeOf(o, "&")
	if m, ok := place.(*tree.Member); ok && m.Field.Bits > 0 {
		r.Fail(pos, "a bit-field has no address")
	}
	if d, ok := place.(*tree.Dereference); ok {
		return operand{value: d.Pointer, pos: pos}
	}
	t := r.types.pointer(place.Type())
	if offset, ok := r.constantAddress(place); ok {
		return operand{value: &tree.Constant{At: at, T: t, Int: offset}, pos: pos}
	}
	return operand{value: r.linkedAddress(&tree.Address{At: at, T: t, Place: place}), pos: pos}
}

// constantAddress is the address of a place that a constant points to, as in offsetof.
func (r *reader) constantAddress(p tree.Place) (*big.Int, bool) {
	switch p := p.(type) {
	case *tree.Dereference:
		c, ok := p.Pointer.(*tree.Constant)
		if !ok {
			return nil, false
		}
		return c.Int, true
	case *tree.Member:
		base, ok := r.constantAddress(p.Struct)
		if !ok {
			return nil, false
		}
		return new(big.Int).Add(base, big.NewInt(p.Field.Offset)), true
	case *tree.Element:
		base, ok := r.constantAddress(p.Array)
		index, isConstant := p.Index.(*tree.Constant)
		if !ok || !isConstant || variable(p.Type()) {
			return nil, false
		}
		return new(big.Int).Add(base, new(big.Int).Mul(index.Int, big.NewInt(p.Type().Size()))), true
	}
	return nil, false
}

// sizeOfExpression is sizeof e: e is evaluated if it is an array whose length is computed.
func (r *reader) sizeOfExpression(n cc.ExpressionNode, pos tree.Pos) tree.Value {
	end := r.unevaluatedly()
	o := r.expression(n)
	t := o.typ()
	if variable(t) {
		return after(r.effectsIn(r.valueOf(o)), r.sizeOf(t, pos))
	}
	end()
	if m, ok := o.place.(*tree.Member); ok && m.Field.Bits > 0 {
		r.Fail(pos, "sizeof of a bit-field")
	}
	return r.sizeOf(t, pos)
}

// sizeOf is the size of a type. The size of a variable length array is the product of its lengths, if these are kept.
func (r *reader) sizeOf(t tree.Type, pos tree.Pos) tree.Value {
	if tree.IsVoid(t) || isFunction(t) {
		return constantOf(pos, r.types.size, 1) // as gcc has it
	}
	if !complete(t) {
		r.Fail(pos, "the size of %s is not known here", t)
	}
	if a, ok := t.(*tree.Array); ok && variable(t) {
		var count tree.Value = constantOf(pos, r.types.size, a.Len)
		if a.Count != nil {
			count = a.Count
		}
		if !lengthsKept(a) {
			return &tree.SizeOf{At: tree.At{Position: pos}, T: r.types.size, Of: t}
		}
		return r.simplify(&tree.Binary{At: tree.At{Position: pos}, T: r.types.size, Op: tree.Mul, X: count, Y: r.sizeOf(a.Elem, pos)})
	}
	return constantOf(pos, r.types.size, t.Size())
}

// lengthsKept tells whether all lengths of an array that are computed are kept in objects.
func lengthsKept(t tree.Type) bool {
	a, ok := t.(*tree.Array)
	if !ok {
		return true
	}
	if a.Count != nil {
		l, ok := a.Count.(*tree.Load)
		if !ok {
			return false
		}
		if u, ok := l.Place.(*tree.Use); !ok || u.Object.Name != "" {
			return false
		}
	}
	return lengthsKept(a.Elem)
}

// alignOfName is the alignment of a type by its name, which may be that of a typedef with an alignment of its own.
func (r *reader) alignOfName(n *cc.UnaryExpression, pos tree.Pos) tree.Value {
	defer r.unevaluatedly()()
	q := r.specifierQualifiers(n.TypeName.SpecifierQualifierList).qualified
	if n.TypeName.AbstractDeclarator == nil && q.align > 0 {
		return constantOf(pos, r.types.size, q.align)
	}
	return r.alignOf(r.abstract(n.TypeName.AbstractDeclarator, q).Type, n.Token.SrcStr(), pos)
}

// alignOf is the alignment of a type. __alignof__ is what is best, _Alignof what must be.
func (r *reader) alignOf(t tree.Type, spelled string, pos tree.Pos) tree.Value {
	for {
		a, ok := t.(*tree.Array)
		if !ok {
			break
		}
		t = a.Elem
	}
	if !complete(t) && !tree.IsVoid(t) && !isFunction(t) {
		r.Fail(pos, "the alignment of %s is not known here", t)
	}
	align := t.Align()
	if strings.HasPrefix(spelled, "__") && !tree.Same(t, r.types.longDouble) && t.Size() == 8 && tree.Scalar(t) {
		align = 8
	}
	return constantOf(pos, r.types.size, align)
}

// arithmetic reads a binary operator: the operands are converted as it needs them.
func (r *reader) arithmetic(op tree.BinaryOp, left, right cc.ExpressionNode) tree.Value {
	x := r.rvalue(left)
	y := r.rvalue(right)
	return r.binary(op, x, y, r.begin(left, x))
}

// begin is where the left operand of an operator begins. In a long chain of operators the parser would look for it anew at
// each of them.
func (r *reader) begin(n cc.ExpressionNode, x tree.Value) tree.Pos {
	switch n.(type) {
	case *cc.AdditiveExpression, *cc.MultiplicativeExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression,
		*cc.InclusiveOrExpression, *cc.ExclusiveOrExpression, *cc.AndExpression:
		return x.Pos()
	}
	return r.pos(n)
}

// binary is x op y.
func (r *reader) binary(op tree.BinaryOp, x, y tree.Value, pos tree.Pos) tree.Value {
	at := tree.At{Position: pos}
	if u := r.uncomputed(pos, r.types.int, x.Type(), y.Type()); u != nil {
		return u
	}
	px, xIsPointer := x.Type().(*tree.Pointer)
	_, yIsPointer := y.Type().(*tree.Pointer)
	switch {
	case op == tree.Add && xIsPointer && tree.IsInteger(y.Type()):
		return r.pointerSum(x, y, false, pos)
	case op == tree.Add && yIsPointer && tree.IsInteger(x.Type()):
		return r.pointerSum(y, x, false, pos)
	case op == tree.Sub && xIsPointer && tree.IsInteger(y.Type()):
		return r.pointerSum(x, y, true, pos)
	case op == tree.Sub && xIsPointer && yIsPointer:
		r.needSize(px.Elem, pos)
		return &tree.PointerDifference{At: at, T: r.types.difference, X: x, Y: r.convert(y, x.Type(), y.Pos())}
	case op.Comparison() && (xIsPointer || yIsPointer):
		t := r.comparedPointers(x, y, pos)
		return r.simplify(&tree.Binary{At: at, T: r.types.int, Op: op, X: r.convert(x, t, x.Pos()), Y: r.convert(y, t, y.Pos())})
	}
	if !isArithmetic(x.Type()) || !isArithmetic(y.Type()) {
		r.Fail(pos, "%s is not defined for %s and %s", op, x.Type(), y.Type())
	}
	wide := r.narrow(op, x, y)
	x, y = r.promote(x), r.promote(y)
	if wide {
		t := tree.Type(r.types.common(x.Type(), y.Type()))
		if op.Comparison() {
			t = r.types.int
		}
		return &tree.UnsupportedValue{At: at, T: t, What: "arithmetic on a bit-field wider than int"}
	}
	if op == tree.Shl || op == tree.Shr {
		if tree.IsFloat(x.Type()) || tree.IsFloat(y.Type()) {
			r.Fail(pos, "%s needs integers", op)
		}
		return r.simplify(&tree.Binary{At: at, T: x.Type(), Op: op, X: x, Y: y})
	}
	t := r.types.common(x.Type(), y.Type())
	if tree.IsFloat(t) {
		switch op {
		case tree.Rem, tree.And, tree.Or, tree.Xor:
			r.Fail(pos, "%s needs integers", op)
		}
	}
	x, y = r.convert(x, t, x.Pos()), r.convert(y, t, y.Pos())
	if op.Comparison() {
		t = r.types.int
	}
	return r.simplify(&tree.Binary{At: at, T: t, Op: op, X: x, Y: y})
}

// comparedPointers is the type in which a comparison with a pointer is made.
func (r *reader) comparedPointers(x, y tree.Value, pos tree.Pos) tree.Type {
	px, xIsPointer := x.Type().(*tree.Pointer)
	_, yIsPointer := y.Type().(*tree.Pointer)
	switch {
	case xIsPointer && yIsPointer:
		if tree.IsVoid(px.Elem) {
			return y.Type()
		}
		return x.Type()
	case xIsPointer && tree.IsInteger(y.Type()):
		return x.Type()
	case yIsPointer && tree.IsInteger(x.Type()):
		return y.Type()
	}
	r.Fail(pos, "%s and %s cannot be compared", x.Type(), y.Type())
	return nil
}

// needSize checks that pointers to the type can be counted with.
func (r *reader) needSize(t tree.Type, pos tree.Pos) {
	if !complete(t) && !tree.IsVoid(t) && !isFunction(t) {
		r.Fail(pos, "the size of %s is not known here", t)
	}
}

// pointerSum is p + n or p - n. Without an offset it is p.
func (r *reader) pointerSum(p, n tree.Value, minus bool, pos tree.Pos) tree.Value {
	t, ok := p.Type().(*tree.Pointer)
	if !ok {
		r.Fail(pos, "a value of type %s is no pointer", p.Type())
	}
	if !tree.IsInteger(n.Type()) {
		r.Fail(pos, "a value of type %s is added to a pointer", n.Type())
	}
	r.needSize(t.Elem, pos)
	if c, ok := n.(*tree.Constant); ok {
		if c.Int.Sign() == 0 {
			return p
		}
		if base, ok := p.(*tree.Constant); ok && !variable(t.Elem) {
			by := new(big.Int).Mul(c.Int, big.NewInt(max(t.Elem.Size(), 1)))
			if minus {
				by.Neg(by)
			}
			return &tree.Constant{At: tree.At{Position: pos}, T: t, Int: r.types.size.Wrap(by.Add(by, base.Int))}
		}
	}
	return &tree.PointerSum{At: tree.At{Position: pos}, T: t, P: p, Count: n, Minus: minus}
}

// truth checks that a value can be tested.
func (r *reader) truth(v tree.Value) tree.Value {
	if !tree.Scalar(v.Type()) {
		if u := r.uncomputed(v.Pos(), r.types.int, v.Type()); u != nil {
			return u
		}
		r.Fail(v.Pos(), "a value of type %s is tested", v.Type())
	}
	return v
}

// logical reads && and ||.
func (r *reader) logical(or bool, left, right cc.ExpressionNode) tree.Value {
	x := r.truth(r.rvalue(left))
	y := r.truth(r.rvalue(right))
	return r.simplify(&tree.Logical{At: tree.At{Position: r.begin(left, x)}, T: r.types.int, Or: or, X: x, Y: y})
}

// conditional reads test ? a : b and test ?: b.
func (r *reader) conditional(n *cc.ConditionalExpression) tree.Value {
	at := r.at(n)
	test := r.truth(r.rvalue(n.LogicalOrExpression))
	var then tree.Value
	first := test
	if n.ExpressionList != nil {
		then = r.rvalue(n.ExpressionList)
		first = then
	}
	otherwise := r.rvalue(n.ConditionalExpression)
	t := r.branches(first, otherwise, at.Position)
	if then != nil {
		then = r.convert(then, t, then.Pos())
	}
	return r.simplify(&tree.Conditional{At: at, T: t, Test: test, Then: then, Else: r.convert(otherwise, t, otherwise.Pos())})
}

// branches is the type of a conditional with these branches (C11 6.5.15).
func (r *reader) branches(a, b tree.Value, pos tree.Pos) tree.Type {
	ta, tb := a.Type(), b.Type()
	pa, aIsPointer := ta.(*tree.Pointer)
	pb, bIsPointer := tb.(*tree.Pointer)
	switch {
	case isArithmetic(ta) && isArithmetic(tb):
		return r.types.common(r.promote(a).Type(), r.promote(b).Type())
	case tree.IsVoid(ta) || tree.IsVoid(tb):
		return r.types.void
	case aIsPointer && bIsPointer:
		switch {
		case isNull(b):
			return ta
		case isNull(a):
			return tb
		case tree.IsVoid(pa.Elem):
			return ta
		case tree.IsVoid(pb.Elem):
			return tb
		}
		return ta
	case aIsPointer && tree.IsInteger(tb):
		return ta
	case bIsPointer && tree.IsInteger(ta):
		return tb
	case tree.Same(ta, tb), r.opaque(ta) != "":
		return ta
	case r.opaque(tb) != "":
		return tb
	}
	r.Fail(pos, "the branches have types %s and %s", ta, tb)
	return nil
}

// isNull tells whether a value is a null pointer constant.
func isNull(v tree.Value) bool {
	c, ok := v.(*tree.Constant)
	if !ok || c.Int.Sign() != 0 {
		return false
	}
	p, ok := c.T.(*tree.Pointer)
	return !ok || tree.IsVoid(p.Elem)
}

var assignmentOps = map[cc.AssignmentExpressionCase]tree.BinaryOp{
	cc.AssignmentExpressionMul: tree.Mul, cc.AssignmentExpressionDiv: tree.Div, cc.AssignmentExpressionMod: tree.Rem,
	cc.AssignmentExpressionAdd: tree.Add, cc.AssignmentExpressionSub: tree.Sub, cc.AssignmentExpressionLsh: tree.Shl,
	cc.AssignmentExpressionRsh: tree.Shr, cc.AssignmentExpressionAnd: tree.And, cc.AssignmentExpressionXor: tree.Xor,
	cc.AssignmentExpressionOr: tree.Or,
}

// assignment reads = and the compound assignments.
func (r *reader) assignment(n *cc.AssignmentExpression) tree.Value {
	pos := r.pos(n)
	place := r.assignable(r.expression(n.UnaryExpression))
	value := r.rvalue(n.AssignmentExpression)
	if n.Case == cc.AssignmentExpressionAssign {
		return &tree.Assign{At: tree.At{Position: pos}, Place: place, Value: r.convertFor(value, place.Type(), value.Pos(), "assigned")}
	}
	op := assignmentOps[n.Case]
	return r.update(place, op, value, false, op.String()+"=", pos)
}

// increment reads ++ and --.
func (r *reader) increment(n cc.ExpressionNode, op tree.BinaryOp, post bool, spelled string, pos tree.Pos) tree.Value {
	place := r.assignable(r.expression(n))
	return r.update(place, op, constantOf(pos, r.types.int, 1), post, spelled, pos)
}

// assignable is the place of an operand that is assigned to.
func (r *reader) assignable(o operand) tree.Place {
	place := r.placeOf(o, "an assignment")
	switch place.Type().(type) {
	case *tree.Array, *tree.FunctionType, *tree.Void:
		r.Fail(o.pos, "nothing can be assigned to %s", place.Type())
	}
	if !complete(place.Type()) {
		r.Fail(o.pos, "%s is incomplete", place.Type())
	}
	return place
}

// update is place op= value.
func (r *reader) update(place tree.Place, op tree.BinaryOp, value tree.Value, post bool, spelled string, pos tree.Pos) tree.Value {
	u := &tree.Update{At: tree.At{Position: pos}, Place: place, Op: op, Post: post, Spelled: spelled, Operand: value}
	if u := r.uncomputed(pos, place.Type(), place.Type(), value.Type()); u != nil {
		return u
	}
	if p, ok := place.Type().(*tree.Pointer); ok {
		if op != tree.Add && op != tree.Sub || !tree.IsInteger(value.Type()) {
			r.Fail(pos, "%s is not defined for %s and %s", spelled, p, value.Type())
		}
		r.needSize(p.Elem, pos)
		u.Compute = p
		return u
	}
	if !isArithmetic(place.Type()) || !isArithmetic(value.Type()) {
		r.Fail(pos, "%s is not defined for %s and %s", spelled, place.Type(), value.Type())
	}
	held := r.promotedType(place)
	value = r.promote(value)
	if op == tree.Shl || op == tree.Shr {
		u.Compute, u.Operand = held, value
	} else {
		u.Compute = r.types.common(held, value.Type())
		u.Operand = r.convert(value, u.Compute, value.Pos())
	}
	if tree.IsFloat(u.Compute) || tree.IsFloat(value.Type()) {
		switch op {
		case tree.Rem, tree.And, tree.Or, tree.Xor, tree.Shl, tree.Shr:
			r.Fail(pos, "%s needs integers", spelled)
		}
	}
	return u
}
