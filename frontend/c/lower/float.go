package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// float lowers an operation on floating-point numbers: to a number if ranges leave only one result, exactly if it is linear in ordinals,
// otherwise to an occurrence with facts that rounding preserves: order, signs, and when the result is NaN.
func (l *lowering) float(e *ast.Application, o machine.Operation, args []ast.Expr) ast.Expr {
	b := builder{e.Pos}
	want := l.form(e)
	in := l.ranges.Of(l.source(), e)
	if in.IsPoint() {
		if want.vector {
			return b.vector(in.Low, want.Word.Bits)
		}
		return b.number(in.Low)
	}
	if l.Mode == AllVectors {
		return l.occurrence(e, o, nil)
	}
	operands := make([]operand, len(args))
	for k, a := range args {
		operands[k] = operand{l.value(a, form{machine.WordSort(o.Type), false}), l.ranges.Of(l.source(), a)}
	}
	z := l.floatNumber(e, o, operands, in)
	if want.vector {
		return vectors{b, l.functions}.toVector(want.Word.Bits, z)
	}
	return z
}

// floatNumber lowers an operation on floating-point numbers that are represented by integers.
func (l *lowering) floatNumber(e *ast.Application, o machine.Operation, x []operand, in interval.Interval) ast.Expr {
	f := newFloats(e, l.names, o)
	with := func(body func([]operand) ast.Expr) ast.Expr { return f.each(x, nil, body) }
	exact := l.Plan.Exact[l.ids[e]]
	fresh := func() ast.Expr {
		return l.occurrence(e, o, func(z ast.Expr) []ast.Expr {
			out := []ast.Expr{with(func(x []operand) ast.Expr { return f.and(f.facts(operand{z, in}, x)...) })}
			if !in.Empty() && in.Low != nil && in.High != nil {
				out = append(out, f.builder.within(z, in.Low, in.High))
			}
			return out
		})
	}
	switch o.Op {
	case machine.FloatConvert:
		if f.to.Fraction > f.format.Fraction {
			return f.widened(x[0], exact, fresh, with)
		}
	case machine.FloatFrom:
		if all, few := f.representable(x[0].in); all && (few || exact) {
			return with(func(x []operand) ast.Expr { return f.fromInteger(x[0]) })
		}
	case machine.FloatTo:
		if exact {
			other := fresh()
			return with(func(x []operand) ast.Expr { return f.toInteger(x[0], other) })
		}
	}
	return fresh()
}

// exactable reports whether a refinement may make an operation exact: conversions between integers and floating-point numbers, and to
// formats with more digits.
func exactable(op machine.Op) bool {
	return op == machine.FloatConvert || op == machine.FloatFrom || op == machine.FloatTo
}

// operand is an expression with its interval.
type operand struct {
	e  ast.Expr
	in interval.Interval
}

// floats builds formulas about ordinals.
type floats struct {
	builder
	names *namer
	op    machine.Operation
	// format is the format of the operands, or of the result if they are integers; to is that of the result of a conversion.
	format, to machine.Format
}

func newFloats(e *ast.Application, names *namer, o machine.Operation) floats {
	f := floats{builder: builder{e.Pos}, names: names, op: o}
	f.format, _ = machine.FormatOf(o.Type)
	f.to, _ = machine.FormatOf(o.To)
	if o.Op == machine.FloatFrom {
		f.format = f.to
	}
	return f
}

// each binds operands that are used several times.
func (f floats) each(x, named []operand, body func([]operand) ast.Expr) ast.Expr {
	if len(x) == 0 {
		return body(named)
	}
	return f.names.with(f.builder, x[0].e, func(e ast.Expr) ast.Expr {
		return f.each(x[1:], append(named[:len(named):len(named)], operand{e, x[0].in}), body)
	})
}

func (f floats) truth(b bool) ast.Expr { return &ast.BoolLiteral{Node: f.node(), Value: b} }

func isTruth(e ast.Expr, value bool) bool {
	b, ok := e.(*ast.BoolLiteral)
	return ok && b.Value == value
}

// and returns a conjunction, simplified; so do or, when (an implication), choice and iff.
func (f floats) and(es ...ast.Expr) ast.Expr {
	var kept []ast.Expr
	for _, e := range es {
		if isTruth(e, false) {
			return e
		}
		if !isTruth(e, true) {
			kept = append(kept, e)
		}
	}
	return f.all(kept...)
}

func (f floats) or(x, y ast.Expr) ast.Expr {
	switch {
	case isTruth(x, true) || isTruth(y, false):
		return x
	case isTruth(y, true) || isTruth(x, false):
		return y
	}
	return f.binary(ast.Or, x, y)
}

func (f floats) when(x, y ast.Expr) ast.Expr {
	switch {
	case isTruth(x, false) || isTruth(y, true):
		return f.truth(true)
	case isTruth(x, true):
		return y
	}
	return f.implies(x, y)
}

func (f floats) choice(c, x, y ast.Expr) ast.Expr {
	switch {
	case isTruth(c, true):
		return x
	case isTruth(c, false):
		return y
	}
	return f.builder.choose(c, x, y)
}

// atLeast and below compare with a number; the interval may decide it.
func (f floats) atLeast(x operand, n *big.Int) ast.Expr {
	switch {
	case x.in.Low != nil && x.in.Low.Cmp(n) >= 0:
		return f.truth(true)
	case x.in.High != nil && x.in.High.Cmp(n) < 0:
		return f.truth(false)
	}
	return f.builder.atMost(f.builder.number(n), x.e)
}

func (f floats) below(x operand, n *big.Int) ast.Expr {
	switch {
	case x.in.High != nil && x.in.High.Cmp(n) < 0:
		return f.truth(true)
	case x.in.Low != nil && x.in.Low.Cmp(n) >= 0:
		return f.truth(false)
	}
	return f.builder.less(x.e, f.builder.number(n))
}

func (f floats) upTo(x operand, n *big.Int) ast.Expr { return f.below(x, next(n)) }

func next(n *big.Int) *big.Int { return new(big.Int).Add(n, big.NewInt(1)) }

var zero, one = new(big.Int), big.NewInt(1)

// number states that x is not NaN, finite that it is not infinite either.
func (f floats) number(x operand) ast.Expr { return f.numberOf(f.format, x) }

func (f floats) numberOf(format machine.Format, x operand) ast.Expr {
	infinity := format.Infinity()
	return f.and(f.atLeast(x, machine.Negate(infinity)), f.upTo(x, infinity))
}

func (f floats) finite(x operand) ast.Expr {
	greatest := new(big.Int).Sub(f.format.Infinity(), one)
	return f.and(f.atLeast(x, machine.Negate(greatest)), f.upTo(x, greatest))
}

func (f floats) positive(x operand) ast.Expr { return f.atLeast(x, zero) }

func (f floats) isZero(x operand) ast.Expr {
	return f.and(f.atLeast(x, big.NewInt(-1)), f.upTo(x, zero))
}

// negate returns -x, magnitude |x|.
func (f floats) negate(x operand) operand {
	var in interval.Interval
	if x.in.High != nil {
		in.Low = machine.Negate(x.in.High)
	}
	if x.in.Low != nil {
		in.High = machine.Negate(x.in.Low)
	}
	return operand{f.sub(f.small(-1), x.e), in}
}

func (f floats) magnitude(x operand) operand {
	n := f.negate(x)
	in := interval.Interval{Low: zero}
	if x.in.Low != nil && x.in.High != nil {
		in.High = interval.Greatest(machine.Magnitude(x.in.Low), machine.Magnitude(x.in.High))
	}
	e := f.choice(f.positive(x), x.e, n.e)
	if x.in.NotNegative() {
		in = x.in
	} else if isTruth(f.positive(x), false) {
		in = n.in
	}
	return operand{e, in}
}

// iff states that two conditions are equivalent.
func (f floats) iff(x, y ast.Expr) ast.Expr {
	switch {
	case isTruth(x, true):
		return y
	case isTruth(y, true):
		return x
	case isTruth(x, false):
		return f.not(y)
	case isTruth(y, false):
		return f.not(x)
	}
	return f.binary(ast.Iff, x, y)
}
