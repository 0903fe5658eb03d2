package translate

import (
	"math"
	"math/big"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
	"hornbeam/frontend/c/origin"
	"hornbeam/frontend/c/tree"
)

// FormatOf is the format of a floating type; false if the dialect has none for it, or it is no floating type. Of what has none
// nothing is known.
func FormatOf(t tree.Type) (machine.Format, bool) {
	f, ok := t.(*tree.Float)
	if !ok {
		return machine.Format{}, false
	}
	bits := map[string]int{"float": 32, "double": 64, "long double": 128}[f.Name]
	return machine.FormatOf(machine.Type{Bits: bits, Signed: true})
}

// float is the unknown value of a floating-point operation, or of a conversion from or to floating-point numbers.
func (f *function) float(n tree.Node, t tree.Type) ast.Expr {
	f.approximate(n, "floating-point arithmetic")
	return f.unknown(n, origin.Unspecified, t)
}

// floatConstant is a floating constant.
func (f *function) floatConstant(v *tree.FloatConstant) ast.Expr {
	x := floatLiteral(v)
	if x == nil {
		return f.float(v, v.T)
	}
	return machine.Literal(at(v), x)
}

// floatLiteral is the ordinal of a constant; nil if that is not known.
func floatLiteral(v *tree.FloatConstant) *big.Int {
	format, ok := FormatOf(v.T)
	switch {
	case !ok || math.IsNaN(v.Float):
		return nil
	case format.Word.Bits == 128 && !v.Exact():
		// The tree has the nearest double.
		if r := v.Spelled(); r != nil {
			return format.Round(r)
		}
		return nil
	case math.IsInf(v.Float, 0):
		return signedAs(v.Float, format.Infinity())
	}
	return signedAs(v.Float, machine.Magnitude(format.Round(new(big.Rat).SetFloat64(v.Float))))
}

func signedAs(x float64, magnitude *big.Int) *big.Int {
	if math.Signbit(x) {
		return machine.Negate(magnitude)
	}
	return magnitude
}

// floats makes the operations on floating numbers of one format.
type floats struct {
	*function
	n      tree.Node
	pos    chc.Position
	format machine.Format
	name   string
}

func (f *function) floats(n tree.Node, format machine.Format) floats {
	return floats{f, n, at(n), format, format.Word.String()}
}

func (f floats) number(x int64) ast.Expr     { return machine.Number(f.pos, x) }
func (f floats) literal(x *big.Int) ast.Expr { return machine.Literal(f.pos, x) }
func (f floats) infinity() ast.Expr          { return f.literal(f.format.Infinity()) }
func (f floats) atMost(x, y ast.Expr) ast.Expr {
	return operation(f.pos, machine.Le, f.format.Word, x, y)
}
func (f floats) less(x, y ast.Expr) ast.Expr {
	return operation(f.pos, machine.Lt, f.format.Word, x, y)
}
func (f floats) same(x, y ast.Expr) ast.Expr      { return equal(f.pos, f.name, x, y) }
func (f floats) negate(x ast.Expr) ast.Expr       { return operation(f.pos, machine.Not, f.format.Word, x) }
func (f floats) and(x, y ast.Expr) ast.Expr       { return both(f.pos, x, y) }
func (f floats) or(x, y ast.Expr) ast.Expr        { return either(f.pos, x, y) }
func (f floats) choose(c, x, y ast.Expr) ast.Expr { return choose(f.pos, c, x, y) }

// once is an expression that may be written several times.
func (f floats) once(e ast.Expr) ast.Expr {
	switch e.(type) {
	case *ast.Identifier, *ast.IntLiteral:
		return e
	}
	v := f.tempOf(f.pos, machine.TypeNamed(f.pos, f.name), nil)
	f.assign(f.pos, use(v), e)
	return use(v)
}

func zeroOrdinal(e ast.Expr) bool { return isLiteral(e, 0) || isLiteral(e, -1) }

// isNumber says that x is no NaN, between that it is between two literals.
func (f floats) isNumber(x ast.Expr) ast.Expr {
	infinity := f.format.Infinity()
	return f.between(machine.Negate(infinity), x, infinity)
}

func (f floats) between(low *big.Int, x ast.Expr, high *big.Int) ast.Expr {
	return f.and(f.atMost(f.literal(low), x), f.atMost(x, f.literal(high)))
}

// isZero says that x is +0 or -0.
func (f floats) isZero(x ast.Expr) ast.Expr {
	return f.and(f.atMost(f.number(-1), x), f.atMost(x, f.number(0)))
}

// compare is a comparison, which no NaN fulfils but !=. Both zeros are the same number, though -0 is the lower ordinal.
func (f floats) compare(op tree.BinaryOp, x, y ast.Expr) ast.Expr {
	x, y = f.once(x), f.once(y)
	switch op {
	case tree.Ne:
		return not(f.equals(x, y))
	case tree.Eq:
		return f.equals(x, y)
	case tree.Gt, tree.Ge:
		x, y = y, x
	}
	low, high := machine.Negate(f.format.Infinity()), f.format.Infinity()
	strict := op == tree.Lt || op == tree.Gt
	// A zero that is written stands for the one or the other, and needs no exception.
	exception := true
	if zeroOrdinal(x) {
		x, exception = f.number(-1), false
		if strict {
			x = f.number(0)
		}
	}
	if zeroOrdinal(y) {
		y, exception = f.number(0), false
		if strict {
			y = f.number(-1)
		}
	}
	in := f.and(f.atMost(f.literal(low), x), f.atMost(y, f.literal(high)))
	if isConstant(x) || isConstant(y) {
		exception = false
	}
	if strict {
		in = f.and(in, f.less(x, y))
		if exception {
			in = f.and(in, not(f.and(f.same(x, f.number(-1)), f.same(y, f.number(0)))))
		}
		return in
	}
	in = f.and(in, f.atMost(x, y))
	if exception {
		in = f.or(in, f.and(f.same(x, f.number(0)), f.same(y, f.number(-1))))
	}
	return in
}

func isConstant(e ast.Expr) bool {
	_, ok := e.(*ast.IntLiteral)
	return ok
}

func (f floats) equals(x, y ast.Expr) ast.Expr {
	if zeroOrdinal(x) {
		x, y = y, x
	}
	switch {
	case zeroOrdinal(y):
		return f.isZero(x)
	case isConstant(x) || isConstant(y):
		// A constant is no NaN.
		return f.same(x, y)
	}
	return f.or(f.and(f.same(x, y), f.isNumber(x)), f.and(f.isZero(x), f.isZero(y)))
}

// nan is any NaN.
func (f floats) nan() ast.Expr {
	v := f.tempOf(f.pos, machine.TypeNamed(f.pos, f.name), nil)
	f.havoc(f.pos, nil, nil, v)
	f.assume(f.pos, not(f.isNumber(use(v))))
	return use(v)
}

// apply applies an operation, or says its result for literals. Where the direction of rounding may be another one than to the
// nearest number, nothing is said of what depends on it.
func (f floats) apply(o machine.Operation, result tree.Type, args ...ast.Expr) ast.Expr {
	var literals []*big.Int
	for _, a := range args {
		if l, ok := a.(*ast.IntLiteral); ok {
			literals = append(literals, l.Value)
		}
	}
	known := len(literals) == len(args)
	if known {
		r := o.Compute(literals...)
		switch {
		case r == nil && o.Op != machine.FloatTo:
			return f.nan()
		case r != nil && (!f.rounds || !rounding(o)):
			return machine.Literal(f.pos, r)
		}
	}
	f.approximate(f.n, "floating-point arithmetic")
	if f.rounds && rounding(o) || known {
		return f.unknown(f.n, origin.Unspecified, result)
	}
	return o.Apply(f.pos, args...)
}

// rounding tells whether an operation depends on the direction of rounding.
func rounding(o machine.Operation) bool {
	switch o.Op {
	case machine.FloatAdd, machine.FloatSub, machine.FloatMul, machine.FloatDiv, machine.FloatSqrt:
		return true
	case machine.FloatConvert:
		return o.To.Bits < o.Type.Bits
	case machine.FloatFrom:
		format, _ := machine.FormatOf(o.To)
		return o.Type.Bits > format.Fraction+1
	}
	return false
}

// unary is an operation on one number.
func (f floats) unary(op machine.Op, t tree.Type, x ast.Expr) ast.Expr {
	return f.apply(machine.Operation{Op: op, Type: f.format.Word}, t, x)
}

// binary is an operation on two numbers.
func (f floats) binary(op machine.Op, t tree.Type, x, y ast.Expr) ast.Expr {
	return f.apply(machine.Operation{Op: op, Type: f.format.Word}, t, x, y)
}

var floatOperations = map[tree.BinaryOp]machine.Op{
	tree.Add: machine.FloatAdd, tree.Sub: machine.FloatSub, tree.Mul: machine.FloatMul, tree.Div: machine.FloatDiv,
}

// floatArithmetic is x op y.
func (f *function) floatArithmetic(n tree.Node, op tree.BinaryOp, t tree.Type, x, y ast.Expr) ast.Expr {
	format, ok := FormatOf(t)
	mop, known := floatOperations[op]
	if !ok || !known {
		return f.float(n, t)
	}
	return f.floats(n, format).binary(mop, t, x, y)
}

// convertFloat converts from or to a floating type; to is not _Bool.
func (f *function) convertFloat(n tree.Node, from, to tree.Type, e ast.Expr) ast.Expr {
	a, fromFloat := FormatOf(from)
	b, toFloat := FormatOf(to)
	i, fromInteger := from.(*tree.Integer)
	j, toInteger := to.(*tree.Integer)
	switch {
	case fromFloat && toFloat:
		return f.floats(n, b).apply(machine.Operation{Op: machine.FloatConvert, Type: a.Word, To: b.Word}, to, e)
	case fromInteger && toFloat:
		return f.floats(n, b).apply(machine.Operation{Op: machine.FloatFrom, Type: machineType(i), To: b.Word}, to, e)
	case fromFloat && toInteger:
		return f.floats(n, a).apply(machine.Operation{Op: machine.FloatTo, Type: a.Word, To: machineType(j)}, to, e)
	}
	return f.float(n, to)
}

// flip is the word that memory has for an ordinal, and the ordinal for a word: both are signed, and the function is its own inverse.
func (f floats) flip(x ast.Expr) ast.Expr {
	x = f.once(x)
	least := f.literal(f.format.Word.Min())
	return f.choose(f.atMost(f.number(0), x), x, operation(f.pos, machine.Add, f.format.Word, f.negate(x), least))
}
