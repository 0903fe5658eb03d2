package lower

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// form is the representation of an expression: its sort, and whether it is a bit-vector. Addresses and indices are bit-vectors only in
// mode AllVectors.
type form struct {
	machine.Sort
	vector bool
}

func (l *lowering) numberForm() form { return form{machine.NumberSort, l.Mode == AllVectors} }

func (l *lowering) form(e ast.Expr) form {
	s := machine.SortOfExpr(e)
	if s.Shape == machine.NumberShape {
		return l.numberForm()
	}
	return form{s, s.Shape == machine.WordShape && l.classes.vectorExpr(e)}
}

func (l *lowering) formOfVariable(v *ast.Variable) form {
	s := machine.SortOf(v.Syntax)
	if s.Shape == machine.NumberShape {
		return l.numberForm()
	}
	return form{s, s.Shape == machine.WordShape && l.classes.vectorVariable(v)}
}

// condition lowers a truth value.
func (l *lowering) condition(e ast.Expr) ast.Expr { return l.value(e, form{}) }

// value lowers an expression to a form: literals take it, words in the other representation are converted.
func (l *lowering) value(e ast.Expr, want form) ast.Expr {
	b := builder{e.At()}
	if n, ok := machine.Numeral(e); ok {
		if want.vector {
			return b.vector(n, l.width(want))
		}
		return b.number(n)
	}
	r := l.native(e, want)
	if own := l.form(e); own.Shape == machine.WordShape && want.Shape == machine.WordShape && own.vector != want.vector {
		v := vectors{b, l.functions}
		if own.vector {
			return v.toInteger(own.Word, l.names, r)
		}
		return v.toVector(want.Word.Bits, r)
	}
	return r
}

// width returns the width of bit-vectors of a form.
func (l *lowering) width(f form) int {
	if f.Shape == machine.NumberShape {
		return l.PointerBits
	}
	return f.Word.Bits
}

// native lowers an expression to its own form. want is the form of expressions that have none, such as an if-then-else of literals.
func (l *lowering) native(e ast.Expr, want form) ast.Expr {
	b := builder{e.At()}
	node := b.node()
	own := l.form(e)
	if own.Shape != machine.WordShape && want.Shape == machine.WordShape {
		own = want
	}
	switch e := e.(type) {
	case *ast.BoolLiteral, *ast.RealLiteral, *ast.StringLiteral, *ast.BitVectorLiteral:
		return e
	case *ast.Identifier:
		return b.name(e.Name)
	case *ast.Coercion:
		return l.value(e.X, own)
	case *ast.Old:
		return &ast.Old{Node: node, X: l.value(e.X, own)}
	case *ast.Unary:
		if e.Op == ast.Not {
			return b.not(l.condition(e.X))
		}
		if x := l.value(e.X, own); own.vector {
			return vectors{b, l.functions}.operate1("bvneg", l.width(own), x)
		} else {
			return b.negate(x)
		}
	case *ast.Binary:
		return l.binary(e)
	case *ast.Select:
		r := &ast.Select{Node: node, Map: l.value(e.Map, own), Index: l.indices(e.Map, e.Index)}
		if !own.vector {
			l.assumeLoaded(e, r)
		}
		return r
	case *ast.Store:
		return &ast.Store{Node: node, Map: l.value(e.Map, own), Index: l.indices(e.Map, e.Index), Value: l.value(e.Value, own)}
	case *ast.IfThenElse:
		if yes, known := l.ranges.Decided(l.source(), e.Cond); known && yes {
			return l.value(e.Then, own)
		} else if known {
			return l.value(e.Else, own)
		}
		cond := l.condition(e.Cond)
		then := l.under(cond, func() ast.Expr { return l.value(e.Then, own) })
		return b.choose(cond, then, l.under(b.not(cond), func() ast.Expr { return l.value(e.Else, own) }))
	case *ast.Let:
		n := &ast.Let{Node: node, Attributes: e.Attributes}
		for i, v := range e.Bound {
			n.Bound = append(n.Bound, &ast.Variable{Pos: v.Pos, Kind: v.Kind, Name: v.Name})
			n.Values = append(n.Values, l.value(e.Values[i], l.form(e.Values[i])))
		}
		n.Body = l.value(e.Body, own)
		return n
	case *ast.Lambda:
		return &ast.Lambda{Node: node, Bound: l.variables(e.Bound), Body: l.value(e.Body, own)}
	case *ast.Quantifier:
		return &ast.Quantifier{Node: node, Exists: e.Exists, Bound: l.variables(e.Bound), Body: l.condition(e.Body)}
	case *ast.Application:
		if o, args, ok := machine.Recognise(e); ok {
			return l.operation(e, o, args)
		}
		args := make([]ast.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = l.value(a, l.formOfVariable(e.Function.Params[i]))
		}
		return b.apply(e.Name, args...)
	}
	l.fail(e.At(), "an expression that the machine dialect does not have: %T", e)
	return e
}

// numberOperations are the operations on bit-vectors for those on addresses and indices.
var numberOperations = map[ast.BinaryOp]string{
	ast.Add: "bvadd", ast.Sub: "bvsub", ast.Mul: "bvmul", ast.Div: "bvudiv", ast.Mod: "bvurem",
	ast.Less: "bvslt", ast.LessEq: "bvsle", ast.Greater: "bvsgt", ast.GreaterEq: "bvsge",
}

func (l *lowering) binary(e *ast.Binary) ast.Expr {
	b := builder{e.Pos}
	operands := form{}
	switch e.Op {
	case ast.Eq, ast.Neq:
		operands = l.form(e.X)
		if operands.Shape != machine.WordShape {
			if y := l.form(e.Y); y.Shape == machine.WordShape {
				operands = y
			}
		}
	case ast.Add, ast.Sub, ast.Mul, ast.Div, ast.Mod, ast.Less, ast.LessEq, ast.Greater, ast.GreaterEq:
		operands = l.numberForm()
	}
	x := l.value(e.X, operands)
	second := func() ast.Expr { return l.value(e.Y, operands) }
	var y ast.Expr
	switch e.Op {
	case ast.And, ast.Implies:
		y = l.under(x, second)
	case ast.Or:
		y = l.under(b.not(x), second)
	default:
		y = second()
	}
	if op, ok := numberOperations[e.Op]; ok && operands.vector {
		return vectors{b, l.functions}.operate(op, l.PointerBits, e.Op >= ast.Less && e.Op <= ast.GreaterEq, x, y)
	}
	return b.binary(e.Op, x, y)
}

// under lowers an expression that is evaluated only if a condition holds, which guards what is asserted of its operations.
func (l *lowering) under(cond ast.Expr, lower func() ast.Expr) ast.Expr {
	if l.procedure == nil {
		return lower()
	}
	l.procedure.guards = append(l.procedure.guards, cond)
	e := lower()
	l.procedure.guards = l.procedure.guards[:len(l.procedure.guards)-1]
	return e
}

// operation lowers an operation on words.
func (l *lowering) operation(e *ast.Application, o machine.Operation, args []ast.Expr) ast.Expr {
	b := builder{e.Pos}
	if o.Op.Floats() {
		return l.float(e, o, args)
	}
	if o.Op == machine.Integer {
		return l.integer(b, o, args[0], l.classes.vectorExpr(e))
	}
	// The operands of an operation have one class, which is that of its result if that is a word.
	vector := l.classes.vectorOperands(e)
	if o.Op == machine.And && !vector && l.Mode == Ranged {
		if masked := l.maskedParts(e, o, args); masked != nil {
			return masked
		}
	}
	operand := form{machine.WordSort(o.Type), vector}
	x := l.value(args[0], operand)
	var y ast.Expr
	if len(args) > 1 {
		y = l.value(args[1], operand)
	}
	if vector {
		return l.vectorOperation(b, o, args, x, y)
	}
	i := integers{b, l.names, l.wraps(o.Type)}
	inX, inY := l.ranges.Of(l.source(), args[0]), interval.Interval{}
	if y != nil {
		inY = l.ranges.Of(l.source(), args[1])
	}
	switch o.Op {
	case machine.Lt:
		return b.less(x, y)
	case machine.Le:
		return b.atMost(x, y)
	case machine.Gt:
		return b.binary(ast.Greater, x, y)
	case machine.Ge:
		return b.binary(ast.GreaterEq, x, y)
	case machine.Index:
		return x
	case machine.Address:
		return integers{b, l.names, l.bounded()}.any(machine.Type{Bits: l.PointerBits}, x, inX)
	case machine.Convert:
		i.wraps = l.wrapping()
		l.correct(i, o.To, inX, args...)
		l.check(i, e, o.To, x, inX)
		return i.any(o.To, x, inX)
	}
	if raw, in, ok := l.linear(i, o, x, y, args, inX, inY); ok {
		if !o.Fits {
			l.check(i, e, o.Type, raw, in)
		}
		switch {
		case o.Fits:
			if i.wraps && !in.In(interval.OfType(o.Type)) {
				for _, a := range args {
					l.assumeRange(a)
				}
			}
			return l.names.with(b, raw, func(r ast.Expr) ast.Expr { return b.within(r, o.Type.Min(), o.Type.Max()) })
		case o.Op == machine.Mul || o.Op == machine.Shl:
			l.correct(i, o.Type, in, args...)
			return i.any(o.Type, raw, in)
		}
		l.correct(i, o.Type, in, args...)
		return i.once(o.Type, raw, in)
	}
	// Only linear operations and products are unbounded and checked; the others are the machine's.
	i.wraps = l.wrapping()
	return l.nonlinear(e, i, o, x, y, args, inX, inY)
}

func (l *lowering) source() ast.Stmt {
	if l.procedure == nil {
		return nil
	}
	return l.procedure.source
}

// integer lowers the conversion of an address to a word.
func (l *lowering) integer(b builder, o machine.Operation, arg ast.Expr, vector bool) ast.Expr {
	x := l.value(arg, l.numberForm())
	v := vectors{b, l.functions}
	switch {
	case l.Mode == AllVectors:
		return v.resize(machine.Type{Bits: l.PointerBits}, o.Type.Bits, x)
	case vector:
		return v.toVector(o.Type.Bits, x)
	}
	return integers{b, l.names, l.bounded()}.any(o.Type, x, l.ranges.Of(l.source(), arg))
}

// linear returns the result of a sum, difference, product, negation or shift by a constant before it wraps around, with its interval.
func (l *lowering) linear(i integers, o machine.Operation, x, y ast.Expr, args []ast.Expr, inX, inY interval.Interval) (ast.Expr, interval.Interval, bool) {
	switch o.Op {
	case machine.Add:
		return i.add(x, y), inX.Add(inY), true
	case machine.Sub:
		return i.sub(x, y), inX.Add(inY.Negate()), true
	case machine.Mul:
		return l.product(i, x, y, inX, inY), inX.Mul(inY), true
	case machine.Neg:
		return i.negate(x), inX.Negate(), true
	case machine.Shl:
		if n, ok := interval.ShiftCount(o.Type, inY); ok && (l.Mode == Ranged || o.Fits) {
			factor := machine.Power(n)
			return i.mul(i.number(factor), x), inX.Mul(interval.Point(factor)), true
		}
	}
	return nil, interval.Interval{}, false
}

// correct counts an operation that may wrap around, and assumes the ranges of its operands.
func (l *lowering) correct(i integers, t machine.Type, in interval.Interval, args ...ast.Expr) {
	if !i.wraps || in.In(interval.OfType(t)) {
		return
	}
	l.out.Corrections++
	for _, a := range args {
		l.assumeRange(a)
	}
}

// check asserts that the result of an operation on unbounded integers is within its type, if Options.Checked asks for it and the ranges,
// which are those of the machine's runs, do not prove it.
func (l *lowering) check(i integers, e ast.Expr, t machine.Type, raw ast.Expr, in interval.Interval) {
	if i.wraps || l.procedure == nil || in.In(interval.OfType(t)) {
		return
	}
	b := builder{e.At()}
	l.out.MayOverflow[b.pos] = true
	if !l.Checked {
		return
	}
	l.out.Overflows[b.pos] = true
	cond := b.within(raw, t.Min(), t.Max())
	for _, g := range slices.Backward(l.procedure.guards) {
		cond = b.implies(g, cond)
	}
	l.put(&ast.Assert{Pos: b.pos, Cond: cond})
}

// assumeRange assumes before the statement that a variable or an element of a map is within its type, which holds in all runs.
func (l *lowering) assumeRange(e ast.Expr) {
	s := machine.SortOfExpr(e)
	if l.procedure == nil || s.Shape != machine.WordShape || !l.plain(e) {
		return
	}
	b := builder{e.At()}
	x := l.value(e, form{s, false})
	key := ast.String(x)
	if l.procedure.assumed[key] {
		return
	}
	l.procedure.assumed[key] = true
	l.put(&ast.Assume{Pos: b.pos, Cond: b.within(x, s.Word.Min(), s.Word.Max())})
}

// plain reports whether an expression is a variable of the program or an element of one at such an index.
func (l *lowering) plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Identifier:
		return e.Decl.Kind != ast.Bound
	case *ast.Select:
		for _, i := range e.Index {
			if o, args, ok := machine.Recognise(i); ok && o.Op == machine.Index {
				i = args[0]
			}
			if _, ok := machine.Numeral(i); !ok && !l.plain(i) {
				return false
			}
		}
		return l.plain(e.Map)
	}
	return false
}
