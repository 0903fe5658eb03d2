package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
)

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
	return f.unknown(n, Unspecified, to)
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
