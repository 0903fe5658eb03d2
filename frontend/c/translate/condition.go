package translate

import (
	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/fault"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/tree"
	"hornbeam/frontend/c/usage"
)

// condition tells whether a value is 0 or 1 as a truth value is.
func condition(v tree.Value) bool {
	switch v := v.(type) {
	case *tree.Binary:
		return v.Op.Comparison() || bitwise(v.Op) && (condition(v.X) && bit(v.Y) || condition(v.Y) && bit(v.X))
	case *tree.Unary:
		return v.Op == tree.Not
	case *tree.Logical:
		return true
	case *tree.Comma:
		return condition(v.Second)
	case *tree.Convert:
		_, ok := v.T.(*tree.Integer)
		return ok && condition(v.X)
	}
	return false
}

// bitwise tells whether an operation on truth values is the one on truths.
func bitwise(op tree.BinaryOp) bool { return op == tree.And || op == tree.Or || op == tree.Xor }

// bit tells whether a value is 0 or 1: a condition or one of these constants.
func bit(v tree.Value) bool {
	switch v := v.(type) {
	case *tree.Constant:
		return v.Int.IsInt64() && (v.Int.Int64() == 0 || v.Int.Int64() == 1)
	case *tree.Convert:
		_, ok := v.T.(*tree.Integer)
		return ok && bit(v.X)
	}
	return condition(v)
}

// truth is the condition that a scalar is not zero.
func (f *function) truth(v tree.Value) ast.Expr {
	pos := at(v)
	if f.takes(v) {
		return f.decision(v)
	}
	switch v := v.(type) {
	case *tree.Constant:
		return truthLiteral(pos, v.Int.Sign() != 0)
	case *tree.FloatConstant:
		if v.Exact() {
			return truthLiteral(pos, v.Float != 0)
		}
	case *tree.Address, *tree.FunctionAddress:
		if a, ok := v.(*tree.Address); ok && f.effects.Of(a) != usage.NoEffect {
			break
		}
		if a, ok := v.(*tree.Address); ok && usage.Owner(a.Place) == nil {
			break
		}
		return truthLiteral(pos, true)
	case *tree.Unary:
		if v.Op == tree.Not {
			return not(f.truth(v.X))
		}
	case *tree.Binary:
		if v.Op.Comparison() {
			return f.comparison(v)
		}
		if condition(v) {
			x := f.before(pos, f.truth(v.X), machine.Bool, v.Y)
			switch y := f.truth(v.Y); v.Op {
			case tree.And:
				return both(pos, x, y)
			case tree.Or:
				return either(pos, x, y)
			default:
				return differ(pos, x, y)
			}
		}
	case *tree.Logical:
		return f.logical(v)
	case *tree.Comma:
		f.effect(v.First)
		return f.truth(v.Second)
	case *tree.Convert:
		if f.keepsTruth(v) {
			return f.truth(v.X)
		}
	case *tree.Conditional:
		if v.Then != nil && !f.effects.Of(v.Then).Conditional() && !f.effects.Of(v.Else).Conditional() && !f.bare.May(v.Then) && !f.bare.May(v.Else) {
			cond := f.decision(v.Test)
			then := f.speculatively(pos, cond, v.Then, f.truth)
			other := f.speculatively(pos, not(cond), v.Else, f.truth)
			if b, ok := then.(*ast.BoolLiteral); ok {
				if b.Value {
					return either(pos, cond, other)
				}
				return both(pos, not(cond), other)
			}
			if b, ok := other.(*ast.BoolLiteral); ok {
				if b.Value {
					return either(pos, not(cond), then)
				}
				return both(pos, cond, then)
			}
			return choose(pos, cond, then, other)
		}
	}
	if f.bound.Named(v) && tree.IsPointer(v.Type()) {
		return truthLiteral(pos, true)
	}
	return f.nonzero(v, v.Type(), f.value(v))
}

// keepsTruth tells whether a conversion makes zero of zero only.
func (f *function) keepsTruth(v *tree.Convert) bool {
	to, ok := v.T.(*tree.Integer)
	if !ok {
		return tree.IsPointer(v.T) && tree.IsPointer(v.X.Type())
	}
	if to.Bool || condition(v.X) {
		return true
	}
	if f.options.Faults.Has(fault.Conversion) {
		return false
	}
	switch from := v.X.Type().(type) {
	case *tree.Integer:
		return to.Bits >= from.Bits
	case *tree.Pointer:
		return int64(to.Bits) >= 8*from.Bytes
	}
	return false
}

// comparison is the condition that a comparison says.
func (f *function) comparison(v *tree.Binary) ast.Expr {
	pos := at(v)
	if v.Op == tree.Eq || v.Op == tree.Ne {
		if e := f.againstCondition(v); e != nil {
			if v.Op == tree.Ne {
				return not(e)
			}
			return e
		}
	}
	t := v.X.Type()
	if format, ok := FormatOf(t); ok {
		x := f.before(pos, f.value(v.X), scalarName(t), v.Y)
		return f.floats(v, format).compare(v.Op, x, f.value(v.Y))
	}
	if tree.IsFloat(t) {
		f.before(pos, f.value(v.X), machine.Float, v.Y)
		f.value(v.Y)
		f.approximate(v, "a comparison of floating-point numbers")
		return f.unknownTruth(v)
	}
	x := f.before(pos, f.value(v.X), scalarName(t), v.Y)
	y := f.value(v.Y)
	if tree.IsPointer(t) && !usage.IsZero(v.X) && !usage.IsZero(v.Y) {
		x = f.unfreed(v, x)
		y = f.unfreed(v, y)
	}
	switch v.Op {
	case tree.Eq:
		return equal(pos, scalarName(t), x, y)
	case tree.Ne:
		return not(equal(pos, scalarName(t), x, y))
	}
	if i, ok := t.(*tree.Integer); ok {
		return operation(pos, arithmetic[v.Op], machineType(i), x, y)
	}
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: refComparison[v.Op], X: x, Y: y}
}

var refComparison = map[tree.BinaryOp]ast.BinaryOp{
	tree.Lt: ast.Less, tree.Le: ast.LessEq, tree.Gt: ast.Greater, tree.Ge: ast.GreaterEq,
}

// againstCondition is the equality of two values of which one is a condition, or a named object's address and the other
// null; nil if they are neither.
func (f *function) againstCondition(v *tree.Binary) ast.Expr {
	pos := at(v)
	x, y := v.X, v.Y
	if usage.IsZero(y) && tree.IsPointer(x.Type()) && f.bound.Named(x) || usage.IsZero(x) && tree.IsPointer(y.Type()) && f.bound.Named(y) {
		return truthLiteral(pos, false)
	}
	if condition(y) && !condition(x) {
		if _, ok := x.(*tree.Constant); ok {
			x, y = y, x
		}
	}
	if !condition(x) {
		return nil
	}
	if c, ok := y.(*tree.Constant); ok {
		switch {
		case c.Int.Sign() == 0:
			return not(f.truth(x))
		case c.Int.IsInt64() && c.Int.Int64() == 1:
			return f.truth(x)
		default:
			f.truth(x)
			return truthLiteral(pos, false)
		}
	}
	if !condition(y) {
		return nil
	}
	a := f.before(pos, f.truth(x), machine.Bool, y)
	return &ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Iff, X: a, Y: f.truth(y)}
}

// differ says that one of two conditions holds and the other one does not.
func differ(pos chc.Position, x, y ast.Expr) ast.Expr {
	if b, ok := x.(*ast.BoolLiteral); ok {
		x, y = y, b
	}
	if b, ok := y.(*ast.BoolLiteral); ok {
		if b.Value {
			return not(x)
		}
		return x
	}
	return not(&ast.Binary{Node: ast.Node{Pos: pos}, Op: ast.Iff, X: x, Y: y})
}

// logical is X && Y or X || Y. Where evaluating Y does more than to give a value it happens only if X leaves it open.
func (f *function) logical(v *tree.Logical) ast.Expr {
	pos := at(v)
	x := f.decision(v.X)
	if !f.effects.Of(v.Y).Conditional() && !f.bare.May(v.Y) {
		if v.Or {
			return either(pos, x, f.speculatively(pos, not(x), v.Y, f.truth))
		}
		return both(pos, x, f.speculatively(pos, x, v.Y, f.truth))
	}
	if b, ok := x.(*ast.BoolLiteral); ok {
		if b.Value == v.Or {
			return x
		}
		return f.truth(v.Y)
	}
	t := f.temp(pos, machine.Bool)
	f.assign(pos, use(t), x)
	guard := ast.Expr(use(t))
	if v.Or {
		guard = not(guard)
	}
	var comes ast.Expr
	then := f.within(func() {
		comes = f.from(func() {
			y := f.truth(v.Y)
			f.assign(pos, use(t), y)
		})
	})
	if comes != nil {
		some := f.temp(pos, machine.Bool)
		f.assign(pos, use(some), truthLiteral(pos, false))
		then = append(then, f.within(func() { f.assign(pos, use(some), comes) })...)
		comes = use(some)
	}
	f.add(&ast.If{Pos: pos, Guard: guard, Then: then})
	f.comes = anyOf(pos, f.comes, comes)
	return use(t)
}

// speculatively translates a value that C evaluates under a condition only, and that is evaluated here whether it holds or not. What is
// assumed of accesses meanwhile is assumed under the condition.
func (f *function) speculatively(pos chc.Position, condition ast.Expr, v tree.Value, translate func(tree.Value) ast.Expr) ast.Expr {
	outer := f.assumed
	var inner []ast.Expr
	f.assumed = &inner
	x := translate(v)
	f.assumed = outer
	for _, e := range inner {
		f.assumeAccess(pos, either(pos, not(condition), e))
	}
	return x
}

// assumeAccess assumes something about an access where it is evaluated, under the conditions of what is evaluated there.
func (f *function) assumeAccess(pos chc.Position, e ast.Expr) {
	if f.assumed != nil {
		*f.assumed = append(*f.assumed, e)
		return
	}
	f.assume(pos, e)
}

// decides evaluates something by which a value decides something, and checks that it does not come from an object without one.
func (f *function) decides(n tree.Value, do func()) {
	if f.withoutValue == nil {
		do()
		return
	}
	comes := f.from(do)
	if comes == nil {
		if f.bare != nil && f.bare.May(n) || f.reads(n) {
			f.check(n, fault.Uninitialised, truthLiteral(at(n), true), "uninitialised")
		}
		return
	}
	f.check(n, fault.Uninitialised, not(comes), "uninitialised")
}

// reads tells whether a value reads an object that is declared without one.
func (f *function) reads(n tree.Node) bool {
	found := false
	tree.Inspect(n, func(n tree.Node) bool {
		u, ok := n.(*tree.Use)
		found = found || ok && f.withoutValue[u.Object]
		return !found
	})
	return found
}

// decision is a condition by which it is decided which way a run goes.
func (f *function) decision(v tree.Value) (out ast.Expr) {
	f.decides(v, func() { out = f.truth(v) })
	return out
}

// position is an index that decides where memory is accessed, as a mathematical integer.
func (f *function) position(v tree.Value) (out ast.Expr) {
	f.decides(v, func() { out = f.index(v) })
	return out
}

// operand is the right operand of an operation: a divisor decides whether there is a result.
func (f *function) operand(op tree.BinaryOp, t tree.Type, v tree.Value) (out ast.Expr) {
	if _, ok := t.(*tree.Integer); !ok || op != tree.Div && op != tree.Rem {
		return f.value(v)
	}
	f.decides(v, func() { out = f.value(v) })
	return out
}
