package lower

import (
	"fmt"
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// division returns C's quotient or remainder. By a constant it is an expression. Otherwise it is a fresh value, described by linear facts
// at first and exactly where the plan asks for it; in modes without refinement exactly at once.
func (l *lowering) division(e *ast.Application, i integers, o machine.Operation, x, y ast.Expr, args []ast.Expr, inX, inY interval.Interval) ast.Expr {
	t := o.Type
	// The one quotient that overflows wraps around where integers have ranges.
	i.wraps = l.bounded()
	byNumber := func(x ast.Expr, n *big.Int) ast.Expr {
		if o.Op == machine.Div {
			return i.quotient(t, x, inX, n)
		}
		return i.remainder(x, inX, n)
	}
	if n, ok := machine.Numeral(args[1]); ok && n.Sign() != 0 && !o.Fits {
		return byNumber(x, n)
	}
	if o.Fits {
		// Only the quotient of the least number by -1 overflows.
		return i.not(i.all(i.equal(x, i.number(t.Min())), i.equal(y, i.small(-1))))
	}
	// Intervals do not apply to unbounded integers.
	trusted := l.bounded() && !(l.Unbounded && t.Signed)
	few := l.few(inY) && !inY.HasZero()
	if trusted && few {
		return i.byCases(x, y, inY, nil, byNumber)
	}
	if l.procedure == nil {
		l.fail(e.Pos, "the operation %s outside of a procedure", o.Name())
		return x
	}
	if z, ok := l.procedure.occurred[e]; ok {
		return z
	}
	d := divided{integers: i, id: l.ids[e]}
	// The absolute values of quotient and remainder are fresh; their signs follow from those of the operands.
	negativeX, negativeY := i.less(x, i.small(0)), i.less(y, i.small(0))
	d.x, d.y = i.size(x, inX), i.size(y, inY)
	exact := !l.wrapping() || l.Plan.Exact[d.id] || trusted && quotientLength(inX, inY) <= cheapBits
	var q, r *ast.Identifier
	var chosen []*ast.Identifier
	if exact || o.Op == machine.Div {
		q = i.name(l.fresh("q", d.id, typeName(e.Pos, machine.Int)))
		d.q, chosen = q, append(chosen, q)
	}
	if exact || o.Op == machine.Rem {
		r = i.name(l.fresh("r", d.id, typeName(e.Pos, machine.Int)))
		d.r, chosen = r, append(chosen, r)
	}
	l.put(&ast.Havoc{Pos: e.Pos, Variables: chosen})
	switch {
	case !exact:
		l.put(&ast.Assume{Pos: e.Pos, Cond: d.facts(d.q != nil, d.r != nil)})
		l.record(e, o, chosen[0].Name)
	case trusted && quotientLength(inX, inY) <= quotientBits:
		d.byBits(l, quotientLength(inX, inY))
	default:
		l.put(&ast.Assume{Pos: e.Pos, Cond: i.implies(d.defined(), i.all(d.bounds(), i.equal(d.x, i.add(i.mul(d.y, q), r))))})
	}
	var z ast.Expr
	switch {
	case o.Op == machine.Rem && inX.NotNegative():
		z = r
	case o.Op == machine.Rem:
		z = i.choose(negativeX, i.negate(r), r)
	case inX.NotNegative() && inY.NotNegative():
		z = q
	default:
		in := interval.OfType(t)
		in.High = new(big.Int).Add(in.High, big.NewInt(1))
		z = i.once(t, i.choose(i.binary(ast.Iff, negativeX, negativeY), q, i.negate(q)), in)
	}
	if few {
		z = i.byCases(x, y, inY, func(_, _ ast.Expr) ast.Expr { return z }, byNumber)
	}
	l.procedure.occurred[e] = z
	return z
}

// quotientLength returns how many bits the absolute value of a quotient may have, a large number if that is not known.
func quotientLength(x, y interval.Interval) int {
	if x.Low == nil || x.High == nil {
		return 1 << 10
	}
	most := interval.Greatest(new(big.Int).Abs(x.Low), new(big.Int).Abs(x.High))
	if y.Low != nil && y.Low.Sign() > 0 {
		most = new(big.Int).Quo(most, y.Low)
	}
	return most.BitLen()
}

// size returns the absolute value of x.
func (b integers) size(x ast.Expr, in interval.Interval) ast.Expr {
	if in.NotNegative() {
		return x
	}
	return b.choose(b.less(x, b.small(0)), b.negate(x), x)
}

// divided is a division with quotient and remainder, all of them absolute values.
type divided struct {
	integers
	id         int
	x, y, q, r ast.Expr
}

// defined states that the divisor is not 0.
func (d divided) defined() ast.Expr { return d.binary(ast.Neq, d.y, d.small(0)) }

// bounds states that the remainder is less than the divisor, and quotient and remainder are not negative.
func (d divided) bounds() ast.Expr {
	return d.all(d.atMost(d.small(0), d.r), d.less(d.r, d.y), d.atMost(d.small(0), d.q))
}

// facts returns linear facts about the quotient, the remainder, or both. They determine them where the quotient is 0 or 1 or the divisor
// is 1.
func (d divided) facts(quotient, remainder bool) ast.Expr {
	return d.names.with(d.builder, d.x, func(x ast.Expr) ast.Expr {
		return d.names.with(d.builder, d.y, func(y ast.Expr) ast.Expr {
			zero, one, two := d.small(0), d.small(1), d.small(2)
			twice := d.mul(two, y)
			var all, is0, is1, more []ast.Expr
			if remainder {
				all = append(all, d.atMost(zero, d.r), d.less(d.r, y))
				is0, is1, more = append(is0, d.equal(d.r, x)), append(is1, d.equal(d.r, d.sub(x, y))), append(more, d.atMost(d.r, d.sub(x, twice)))
			}
			if quotient {
				is0, is1, more = append(is0, d.equal(d.q, zero)), append(is1, d.equal(d.q, one)), append(more, d.atMost(two, d.q), d.atMost(d.q, x))
				all = append(all, d.implies(d.equal(y, one), d.equal(d.q, x)), d.implies(d.less(one, y), d.atMost(d.mul(two, d.q), x)))
			}
			all = append(all, d.choose(d.less(x, y), d.all(is0...), d.choose(d.less(x, twice), d.all(is1...), d.all(more...))))
			return d.implies(d.binary(ast.Neq, y, zero), d.all(all...))
		})
	})
}

// byBits describes a quotient of n bits exactly: the bits are fresh, and each adds a multiple of the divisor.
func (d divided) byBits(l *lowering, n int) {
	var quotient, product ast.Expr = d.small(0), d.small(0)
	var bits []*ast.Identifier
	for k := range n {
		bit := d.name(l.fresh(fmt.Sprintf("q%dbit", d.id), k, typeName(d.pos, machine.Bool)))
		bits = append(bits, bit)
		quotient = d.add(quotient, d.choose(bit, d.number(machine.Power(k)), d.small(0)))
		product = d.add(product, d.choose(bit, d.mul(d.number(machine.Power(k)), d.y), d.small(0)))
	}
	if n > 0 {
		l.put(&ast.Havoc{Pos: d.pos, Variables: bits})
	}
	l.put(&ast.Assume{Pos: d.pos, Cond: d.implies(d.defined(), d.all(d.bounds(), d.equal(d.q, quotient), d.equal(d.x, d.add(product, d.r))))})
}
