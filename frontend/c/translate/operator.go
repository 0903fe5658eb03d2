package translate

import (
	"math/big"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
)

// operation applies an operation of the dialect, or says its result if the operands are literals.
func operation(pos chc.Position, op machine.Op, t machine.Type, args ...ast.Expr) ast.Expr {
	if r := fold(pos, op, t, args); r != nil {
		return r
	}
	return machine.Operation{Op: op, Type: t}.Apply(pos, args...)
}

// fold is the result of an operation on literals; nil if that is not known.
func fold(pos chc.Position, op machine.Op, t machine.Type, args []ast.Expr) ast.Expr {
	xs := make([]*big.Int, len(args))
	for i, a := range args {
		l, ok := a.(*ast.IntLiteral)
		if !ok {
			return nil
		}
		xs[i] = l.Value
	}
	r := new(big.Int)
	switch op {
	case machine.Add:
		r.Add(xs[0], xs[1])
	case machine.Sub:
		r.Sub(xs[0], xs[1])
	case machine.Mul:
		r.Mul(xs[0], xs[1])
	case machine.Div:
		if xs[1].Sign() == 0 {
			return nil
		}
		r.Quo(xs[0], xs[1])
	case machine.Rem:
		if xs[1].Sign() == 0 {
			return nil
		}
		r.Rem(xs[0], xs[1])
	case machine.And:
		r.And(xs[0], xs[1])
	case machine.Or:
		r.Or(xs[0], xs[1])
	case machine.Xor:
		r.Xor(xs[0], xs[1])
	case machine.Shl, machine.Shr:
		if xs[1].Sign() < 0 || xs[1].Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return nil
		}
		if op == machine.Shl {
			r.Lsh(xs[0], uint(xs[1].Int64()))
		} else {
			r.Rsh(xs[0], uint(xs[1].Int64()))
		}
	case machine.Neg:
		r.Neg(xs[0])
	case machine.Not:
		r.Not(xs[0])
	case machine.Lt:
		return truthLiteral(pos, xs[0].Cmp(xs[1]) < 0)
	case machine.Le:
		return truthLiteral(pos, xs[0].Cmp(xs[1]) <= 0)
	case machine.Gt:
		return truthLiteral(pos, xs[0].Cmp(xs[1]) > 0)
	case machine.Ge:
		return truthLiteral(pos, xs[0].Cmp(xs[1]) >= 0)
	case machine.Index, machine.Integer, machine.Address:
		r.Set(xs[0])
		if op == machine.Integer {
			r = t.Wrap(r)
		}
		if op == machine.Address {
			r = machine.Type{Bits: t.Bits}.Wrap(r)
		}
		return machine.Literal(pos, r)
	default:
		return nil
	}
	return machine.Literal(pos, t.Wrap(r))
}

var arithmetic = map[tree.BinaryOp]machine.Op{
	tree.Add: machine.Add, tree.Sub: machine.Sub, tree.Mul: machine.Mul, tree.Div: machine.Div, tree.Rem: machine.Rem,
	tree.Shl: machine.Shl, tree.Shr: machine.Shr, tree.And: machine.And, tree.Or: machine.Or, tree.Xor: machine.Xor,
	tree.Lt: machine.Lt, tree.Le: machine.Le, tree.Gt: machine.Gt, tree.Ge: machine.Ge,
}

var negated = map[ast.BinaryOp]ast.BinaryOp{
	ast.Eq: ast.Neq, ast.Neq: ast.Eq, ast.Less: ast.GreaterEq, ast.GreaterEq: ast.Less, ast.Greater: ast.LessEq, ast.LessEq: ast.Greater,
}

var opposite = map[machine.Op]machine.Op{
	machine.Lt: machine.Ge, machine.Ge: machine.Lt, machine.Gt: machine.Le, machine.Le: machine.Gt,
}

func truthLiteral(pos chc.Position, value bool) ast.Expr {
	return &ast.BoolLiteral{Node: ast.Node{Pos: pos}, Value: value}
}

// not is the negation of a condition.
func not(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.BoolLiteral:
		return truthLiteral(x.Pos, !x.Value)
	case *ast.Unary:
		if x.Op == ast.Not {
			return x.X
		}
	case *ast.Binary:
		if op, ok := negated[x.Op]; ok {
			return &ast.Binary{Node: x.Node, Op: op, X: x.X, Y: x.Y}
		}
	case *ast.Application:
		if o, args, ok := machine.Recognise(x); ok && o.Op.Comparison() {
			o.Op = opposite[o.Op]
			return o.Apply(x.Pos, args...)
		}
	}
	return &ast.Unary{Node: ast.Node{Pos: e.At()}, Op: ast.Not, X: e}
}

// both is the conjunction of two conditions, either their disjunction.
func both(pos chc.Position, x, y ast.Expr) ast.Expr {
	return connect(pos, ast.And, true, x, y)
}

func either(pos chc.Position, x, y ast.Expr) ast.Expr {
	return connect(pos, ast.Or, false, x, y)
}

func connect(pos chc.Position, op ast.BinaryOp, neutral bool, x, y ast.Expr) ast.Expr {
	if b, ok := x.(*ast.BoolLiteral); ok {
		if b.Value == neutral {
			return y
		}
		return x
	}
	if b, ok := y.(*ast.BoolLiteral); ok {
		if b.Value == neutral {
			return x
		}
		return y
	}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: op, X: x, Y: y}
}

// choose is `if cond then x else y`.
func choose(pos chc.Position, cond, x, y ast.Expr) ast.Expr {
	if b, ok := cond.(*ast.BoolLiteral); ok {
		if b.Value {
			return x
		}
		return y
	}
	return &ast.IfThenElse{Node: ast.Node{Pos: pos}, Cond: cond, Then: x, Else: y}
}

// number is 1 or 0 for a condition.
func number(pos chc.Position, cond ast.Expr) ast.Expr {
	return choose(pos, cond, machine.Number(pos, 1), machine.Number(pos, 0))
}

// untyped tells whether nothing in an expression says which of the dialect's types it has.
func untyped(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IntLiteral:
		return true
	case *ast.IfThenElse:
		return untyped(e.Then) && untyped(e.Else)
	}
	return false
}

// equal says that two values of a type of the dialect are the same.
func equal(pos chc.Position, typeName string, x, y ast.Expr) ast.Expr {
	if a, ok := x.(*ast.IntLiteral); ok {
		if b, ok := y.(*ast.IntLiteral); ok {
			return truthLiteral(pos, a.Value.Cmp(b.Value) == 0)
		}
	}
	if untyped(x) && untyped(y) {
		x = &ast.Coercion{Node: ast.Node{Pos: pos}, X: x, Syntax: machine.TypeNamed(pos, typeName)}
	}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Eq, X: x, Y: y}
}

// isLiteral tells whether an expression is the number.
func isLiteral(e ast.Expr, n int64) bool {
	l, ok := e.(*ast.IntLiteral)
	return ok && l.Value.IsInt64() && l.Value.Int64() == n
}

// sum and product are over mathematical integers.
func sum(pos chc.Position, op ast.BinaryOp, x, y ast.Expr) ast.Expr {
	a, aok := x.(*ast.IntLiteral)
	b, bok := y.(*ast.IntLiteral)
	switch {
	case aok && bok && op == ast.Add:
		return machine.Literal(pos, new(big.Int).Add(a.Value, b.Value))
	case aok && bok && op == ast.Sub:
		return machine.Literal(pos, new(big.Int).Sub(a.Value, b.Value))
	case bok && b.Value.Sign() == 0:
		return x
	case aok && a.Value.Sign() == 0 && op == ast.Add:
		return y
	}
	if s, ok := x.(*ast.Binary); ok && bok && op == ast.Add && s.Op == ast.Add {
		if c, ok := s.Y.(*ast.IntLiteral); ok {
			return sum(pos, op, s.X, machine.Literal(pos, new(big.Int).Add(c.Value, b.Value)))
		}
	}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: op, X: x, Y: y}
}

func product(pos chc.Position, x ast.Expr, n int64) ast.Expr {
	if a, ok := x.(*ast.IntLiteral); ok {
		return machine.Literal(pos, new(big.Int).Mul(a.Value, big.NewInt(n)))
	}
	if n == 1 {
		return x
	}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Mul, X: x, Y: machine.Number(pos, n)}
}

// binary combines two values of the type t with an arithmetic operation. A shift's count has the type counted.
func (f *function) binary(n tree.Node, op tree.BinaryOp, t tree.Type, x, y ast.Expr, counted tree.Type) ast.Expr {
	pos := at(n)
	i, ok := t.(*tree.Integer)
	if !ok {
		if _, float := t.(*tree.Float); !float {
			f.refuse(n.Pos(), "the operation %s on %s", op, t)
			return f.float(n, t)
		}
		return f.floatArithmetic(n, op, t, x, y)
	}
	m := machineType(i)
	mop := arithmetic[op]
	switch op {
	case tree.Shl, tree.Shr:
		c, ok := counted.(*tree.Integer)
		if !ok {
			f.refuse(n.Pos(), "a shift by %s", counted)
			return x
		}
		return f.shift(n, mop, m, x, y, machineType(c))
	case tree.Div, tree.Rem:
		zero := equal(pos, m.String(), y, machine.Number(pos, 0))
		f.check(n, fault.Division, not(zero), "division by zero")
		f.fits(n, machine.Div, m, i, zero, x, y)
		if b, ok := zero.(*ast.BoolLiteral); ok && !b.Value {
			return operation(pos, mop, m, x, y)
		}
		return choose(pos, zero, f.unknown(n, origin.Unspecified, t), operation(pos, mop, m, x, y))
	}
	f.fits(n, mop, m, i, nil, x, y)
	return operation(pos, mop, m, x, y)
}

func (f *function) shift(n tree.Node, op machine.Op, m machine.Type, x, y ast.Expr, counted machine.Type) ast.Expr {
	pos := at(n)
	width := machine.Number(pos, int64(m.Bits))
	inside := operation(pos, machine.Lt, counted, y, width)
	if counted.Signed {
		inside = both(pos, operation(pos, machine.Ge, counted, y, machine.Number(pos, 0)), inside)
	}
	count := convertMachine(pos, counted, m, y)
	defined := inside
	if op == machine.Shl && m.Signed && f.options.Faults.Has(fault.Shift) {
		defined = both(pos, inside, operation(pos, machine.Ge, m, x, machine.Number(pos, 0)))
	}
	f.check(n, fault.Shift, defined, "shift")
	if op == machine.Shl {
		f.fits(n, op, m, nil, not(inside), x, count)
	}
	if b, ok := inside.(*ast.BoolLiteral); ok && b.Value {
		return operation(pos, op, m, x, count)
	}
	v := f.tempOf(pos, machine.TypeNamed(pos, m.String()), nil)
	f.havoc(pos, &origin.Event{Kind: origin.Unspecified, Node: n}, nil, v)
	if b, ok := inside.(*ast.BoolLiteral); ok && !b.Value {
		return use(v)
	}
	return choose(pos, inside, operation(pos, op, m, x, count), use(v))
}

// fits asserts that the result of an operation is in range, if that is asked, or assumes it of signed operations where runs end that
// overflow.
// Where except holds the operation is undefined in another way.
func (f *function) fits(n tree.Node, op machine.Op, m machine.Type, t *tree.Integer, except ast.Expr, args ...ast.Expr) {
	kind := fault.Overflow
	switch {
	case !m.Signed && (op == machine.Div || op == machine.Shl):
		return
	case !m.Signed:
		kind = fault.UnsignedOverflow
	case op == machine.Div:
		if k, ok := f.options.Faults.First(fault.Overflow, fault.Division); ok {
			kind = k
		}
	case op == machine.Shl:
		if k, ok := f.options.Faults.First(fault.Overflow, fault.Shift); ok {
			kind = k
		}
	}
	asked := f.options.Faults.Has(kind)
	if !asked && !(m.Signed && f.options.EndAtOverflow) || t != nil && t.Bool || !op.Overflows() {
		return
	}
	pos := at(n)
	var cond ast.Expr
	if r := fold(pos, op, machine.Type{Bits: 4 * m.Bits, Signed: true}, args); r != nil {
		cond = truthLiteral(pos, m.Has(r.(*ast.IntLiteral).Value))
	} else {
		cond = machine.Operation{Op: op, Type: m, Fits: true}.Apply(pos, args...)
	}
	if op == machine.Shl { // C does not shift negative numbers
		cond = both(pos, operation(pos, machine.Ge, m, args[0], machine.Number(pos, 0)), cond)
	}
	if except != nil {
		cond = either(pos, except, cond)
	}
	if asked {
		f.check(n, kind, cond, kind.String())
	} else if b, ok := cond.(*ast.BoolLiteral); !ok || !b.Value {
		f.assume(pos, cond)
	}
}

// convert is a value converted from one scalar type to another.
func (f *function) convert(n tree.Node, from, to tree.Type, e ast.Expr) ast.Expr {
	pos := at(n)
	if i, ok := to.(*tree.Integer); ok && i.Bool {
		if j, ok := from.(*tree.Integer); ok && j.Bool {
			return e
		}
		return number(pos, f.nonzero(n, from, e))
	}
	switch from := from.(type) {
	case *tree.Integer:
		switch to := to.(type) {
		case *tree.Integer:
			if f.options.Faults.Has(fault.Conversion) {
				e = f.settle(pos, e, machine.TypeNamed(pos, machineType(from).String()))
				f.check(n, fault.Conversion, keeps(pos, machineType(from), machineType(to), e), "conversion")
			}
			return convertMachine(pos, machineType(from), machineType(to), e)
		case *tree.Pointer:
			wide := machine.Type{Bits: int(to.Bytes * 8), Signed: machineType(from).Signed}
			e = convertMachine(pos, machineType(from), wide, e)
			return operation(pos, machine.Address, wide, e)
		}
	case *tree.Pointer:
		switch to := to.(type) {
		case *tree.Integer:
			f.numbered = true
			if f.options.Faults.Has(fault.Dereference, fault.Free) && f.releases() {
				f.refuse(n.Pos(), "a number that is an address, where later objects may have the addresses of freed ones,")
			}
			return operation(pos, machine.Integer, machineType(to), e)
		case *tree.Pointer:
			return e
		}
	case *tree.Float:
		if _, ok := to.(*tree.Float); ok && tree.Same(from, to) {
			return e
		}
	}
	if tree.IsFloat(from) || tree.IsFloat(to) {
		return f.convertFloat(n, from, to, e)
	}
	f.refuse(n.Pos(), "a conversion from %s to %s", from, to)
	return f.unknown(n, origin.Unspecified, to)
}

// keeps is the condition that a conversion leaves a value as it is.
func keeps(pos chc.Position, from, to machine.Type, e ast.Expr) ast.Expr {
	cond := truthLiteral(pos, true)
	if from.Min().Cmp(to.Min()) < 0 {
		cond = operation(pos, machine.Ge, from, e, machine.Literal(pos, to.Min()))
	}
	if from.Max().Cmp(to.Max()) > 0 {
		cond = both(pos, cond, operation(pos, machine.Le, from, e, machine.Literal(pos, to.Max())))
	}
	return cond
}

// convertMachine converts between the dialect's integer types.
func convertMachine(pos chc.Position, from, to machine.Type, e ast.Expr) ast.Expr {
	if from == to {
		return e
	}
	if l, ok := e.(*ast.IntLiteral); ok {
		return machine.Literal(pos, to.Wrap(l.Value))
	}
	if c, ok := e.(*ast.IfThenElse); ok && untyped(c) {
		return choose(pos, c.Cond, convertMachine(pos, from, to, c.Then), convertMachine(pos, from, to, c.Else))
	}
	return machine.Operation{Op: machine.Convert, Type: from, To: to}.Apply(pos, e)
}

// nonzero is the condition that a scalar is not zero.
func (f *function) nonzero(n tree.Node, t tree.Type, e ast.Expr) ast.Expr {
	if format, ok := FormatOf(t); ok {
		fs := f.floats(n, format)
		return not(fs.isZero(fs.once(e)))
	}
	if tree.IsFloat(t) {
		f.approximate(n, "a comparison of floating-point numbers")
		return f.unknownTruth(n)
	}
	if c, ok := e.(*ast.IfThenElse); ok && isLiteral(c.Then, 1) && isLiteral(c.Else, 0) {
		return c.Cond
	}
	return not(equal(at(n), scalarName(t), e, machine.Number(at(n), 0)))
}
