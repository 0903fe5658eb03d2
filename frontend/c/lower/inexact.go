package lower

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// nonlinear lowers an operation that is not linear: exactly if constants or small ranges allow it or the plan asks for it, otherwise to an
// occurrence.
func (l *lowering) nonlinear(e *ast.Application, i integers, o machine.Operation, x, y ast.Expr, args []ast.Expr, inX, inY interval.Interval) ast.Expr {
	t := o.Type
	switch o.Op {
	case machine.Div, machine.Rem:
		return l.division(e, i, o, x, y, args, inX, inY)
	case machine.Not:
		if l.Mode == Ranged {
			return i.complement(t, x)
		}
	case machine.Shl:
		if o.Fits {
			return i.names.with(i.builder, x, func(x ast.Expr) ast.Expr {
				return i.names.with(i.builder, y, func(y ast.Expr) ast.Expr { return i.shiftFits(t, x, y, inY) })
			})
		}
	}
	if l.Mode != Ranged {
		return l.occurrence(e, o, nil)
	}
	exact := l.Plan.Exact[l.ids[e]]
	switch o.Op {
	case machine.And, machine.Or, machine.Xor:
		if inY.IsPoint() {
			return constantMask(i, o, x, inY.Low)
		}
		if inX.IsPoint() {
			return constantMask(i, o, y, inX.Low)
		}
		if a, b := inX.Bits(), inY.Bits(); a != nil && b != nil && new(big.Int).And(a, b).Sign() == 0 {
			// The operands have no bit in common.
			if o.Op == machine.And {
				return i.small(0)
			}
			return i.add(x, y)
		}
		if exact || bitsOf(inX, inY) <= cheapBits {
			return i.names.with(i.builder, x, func(x ast.Expr) ast.Expr {
				return i.names.with(i.builder, y, func(y ast.Expr) ast.Expr {
					return i.fromAnd(o.Op, x, y, i.andBits(t, x, y, inX, inY))
				})
			})
		}
		return l.conjunction(e, i, o, x, y)
	}
	left := o.Op == machine.Shl
	if n, ok := interval.ShiftCount(t, inY); ok {
		if left {
			return i.shiftLeft(t, x, inX, n)
		}
		return i.shiftRight(x, n)
	}
	from, to := shiftSpan(t, inY)
	if exact || to-from < cheapShifts {
		return i.shiftCases(t, left, x, y, inX, from, to)
	}
	return l.occurrence(e, o, func(z ast.Expr) []ast.Expr {
		return []ast.Expr{i.names.with(i.builder, x, func(x ast.Expr) ast.Expr {
			return i.names.with(i.builder, y, func(y ast.Expr) ast.Expr { return i.all(i.shiftFacts(left, x, y, z)...) })
		})}
	})
}

// shiftFits states that x times two to the power of y is within the type, for each count that y can be.
func (i integers) shiftFits(t machine.Type, x, y ast.Expr, inY interval.Interval) ast.Expr {
	var all []ast.Expr
	from, to := shiftSpan(t, inY)
	for n := max(from, 1); n <= to; n++ {
		low, high := new(big.Int).Rsh(t.Min(), uint(n)), new(big.Int).Rsh(t.Max(), uint(n))
		all = append(all, i.implies(i.equal(y, i.small(int64(n))), i.within(x, low, high)))
	}
	return i.all(all...)
}

// maskedParts returns (x | y) & c or (x ^ y) & c for a constant c as the sum of x & c and y & c, if these have no bit in common; otherwise
// nil.
func (l *lowering) maskedParts(e *ast.Application, o machine.Operation, args []ast.Expr) ast.Expr {
	for k := range 2 {
		mask := l.ranges.Of(l.source(), args[1-k])
		joined, parts, ok := machine.Recognise(args[k])
		if !ok || joined.Op != machine.Or && joined.Op != machine.Xor || !mask.IsPoint() || mask.Low.Sign() < 0 {
			continue
		}
		a, b := l.ranges.Of(l.source(), parts[0]).Bits(), l.ranges.Of(l.source(), parts[1]).Bits()
		if a == nil || b == nil || new(big.Int).And(new(big.Int).And(a, b), mask.Low).Sign() != 0 {
			continue
		}
		i := integers{builder{e.Pos}, l.names, l.wraps(o.Type)}
		operand := form{machine.WordSort(o.Type), false}
		return i.add(i.and(o.Type, l.value(parts[0], operand), mask.Low), i.and(o.Type, l.value(parts[1], operand), mask.Low))
	}
	return nil
}

// constantMask lowers a bit operation with a constant.
func constantMask(i integers, o machine.Operation, x ast.Expr, n *big.Int) ast.Expr {
	if o.Op == machine.And {
		return i.and(o.Type, x, n)
	}
	return i.names.with(i.builder, x, func(x ast.Expr) ast.Expr {
		return i.fromAnd(o.Op, x, i.number(n), i.and(o.Type, x, n))
	})
}

// bitsOf returns the number of bits of the narrower operand, a large number if none is bounded and not negative.
func bitsOf(x, y interval.Interval) int {
	n := 1 << 10
	for _, in := range []interval.Interval{x, y} {
		if in.NotNegative() && in.High != nil {
			n = min(n, in.High.BitLen())
		}
	}
	return n
}

// shiftSpan returns the least and greatest count within an interval.
func shiftSpan(t machine.Type, in interval.Interval) (from, to int) {
	to = t.Bits - 1
	if in.NotNegative() && in.Low.IsInt64() {
		from = int(min(in.Low.Int64(), int64(to)))
	}
	if in.High != nil && in.High.Cmp(big.NewInt(int64(to))) < 0 {
		to = max(int(in.High.Int64()), from)
	}
	return from, to
}

// occurrence returns a fresh value in place of an operation, and assumes facts about it before the statement.
func (l *lowering) occurrence(e *ast.Application, o machine.Operation, facts func(z ast.Expr) []ast.Expr) ast.Expr {
	b := builder{e.Pos}
	if l.procedure == nil {
		l.fail(e.Pos, "the operation %s outside of a procedure", o.Name())
		return b.small(0)
	}
	if z, ok := l.procedure.occurred[e]; ok {
		return z
	}
	id := l.ids[e]
	variable := machine.Int
	if l.Mode == AllVectors {
		variable = vectorType(o.Result().Bits)
	}
	name := l.fresh("b", id, typeName(e.Pos, variable))
	z := b.name(name)
	l.procedure.occurred[e] = z
	l.put(&ast.Havoc{Pos: e.Pos, Variables: []*ast.Identifier{z}})
	if t := o.Result(); l.bounded() && l.Mode != AllVectors {
		l.put(&ast.Assume{Pos: e.Pos, Cond: b.within(z, t.Min(), t.Max())})
	}
	if facts != nil {
		for _, f := range facts(z) {
			l.put(&ast.Assume{Pos: e.Pos, Cond: f})
		}
	}
	l.record(e, o, name)
	return z
}

// record lists an operation as not exact.
func (l *lowering) record(e *ast.Application, o machine.Operation, variable string) {
	l.out.Occurrences = append(l.out.Occurrences, &Occurrence{
		ID: l.ids[e], Operation: o, Statement: l.procedure.source, Variable: variable, Class: l.classes.of(e),
	})
}

// conjunction lowers x & y, x | y or x ^ y by a fresh value for x & y.
func (l *lowering) conjunction(e *ast.Application, i integers, o machine.Operation, x, y ast.Expr) ast.Expr {
	z := l.occurrence(e, o, func(z ast.Expr) []ast.Expr {
		return []ast.Expr{i.names.with(i.builder, x, func(x ast.Expr) ast.Expr {
			return i.names.with(i.builder, y, func(y ast.Expr) ast.Expr { return i.all(i.andFacts(o.Type, x, y, z)...) })
		})}
	})
	return i.fromAnd(o.Op, x, y, z)
}
