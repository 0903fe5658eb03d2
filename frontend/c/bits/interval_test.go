package bits

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// within tells whether a number is in an interval, by what the parts of an interval mean.
func within(i interval, n *big.Int) bool {
	return (i.low == nil || i.low.Cmp(n) <= 0) && (i.high == nil || i.high.Cmp(n) >= 0) &&
		(i.ones == nil || n.Sign() >= 0 && new(big.Int).AndNot(n, i.ones).Sign() == 0) &&
		i.congruence.has(n) && (!i.nonzero || n.Sign() != 0)
}

// drawInterval is an interval, and numbers of a type that are in it.
func drawInterval(rt *rapid.T, t machine.Type) (interval, []*big.Int) {
	step := rapid.SampledFrom([]int64{1, 1, 2, 3, 4, 6, 8}).Draw(rt, "step")
	base := rapid.OneOf(rapid.Int64Range(-9, 9), rapid.Int64()).Draw(rt, "base")
	var members []*big.Int
	var i interval
	for k := range rapid.IntRange(1, 4).Draw(rt, "members") {
		n := new(big.Int).Add(big.NewInt(base), big.NewInt(step*rapid.Int64Range(0, 9).Draw(rt, "member")))
		n = t.Wrap(n)
		members = append(members, n)
		if k == 0 {
			i = point(n)
		} else {
			i = i.join(point(n))
		}
	}
	if ones := i.bits(); ones != nil && rapid.Bool().Draw(rt, "bits") {
		all := new(big.Int)
		for _, n := range members {
			all.Or(all, n)
		}
		i = i.withBits(all)
	}
	if i.has0() && rapid.Bool().Draw(rt, "no zero") {
		i = i.without0()
		var rest []*big.Int
		for _, n := range members {
			if n.Sign() != 0 {
				rest = append(rest, n)
			}
		}
		members = rest
	}
	return i, members
}

var anyType = rapid.SampledFrom(kinds)

// What operations on intervals say is true of all numbers in them; none is forgotten, by bounds, bits, congruences or 0.
func TestIntervals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		i, xs := drawInterval(rt, anyType.Draw(rt, "type"))
		j, ys := drawInterval(rt, anyType.Draw(rt, "type"))
		thresholds := []*big.Int{big.NewInt(-100), new(big.Int), big.NewInt(7), big.NewInt(1 << 40)}
		stride := rapid.IntRange(1, 6).Draw(rt, "stride")
		for _, x := range xs {
			require.True(rt, within(i, x))
			require.True(rt, within(i.join(j), x), "join")
			require.True(rt, within(j.join(i), x), "join")
			require.True(rt, within(i.widen(j, thresholds, stride), x), "widening")
			require.True(rt, within(j.widen(i, thresholds, stride), x), "widening")
			require.True(rt, within(i.negate(), new(big.Int).Neg(x)), "negation")
			if within(j, x) {
				require.True(rt, within(i.meet(j), x) && within(j.meet(i), x), "meet")
			}
			if b := i.bits(); b != nil {
				require.Zero(rt, new(big.Int).AndNot(x, b).Sign(), "bits")
			}
			require.True(rt, i.congruences().has(x))
			for _, y := range ys {
				require.True(rt, within(i.add(j), new(big.Int).Add(x, y)), "sum")
				require.True(rt, within(i.mul(j), new(big.Int).Mul(x, y)), "product of %v and %v", x, y)
			}
		}
	})
}

// The join of numbers with known bits has the bits of both, and no others.
func TestJoinsOfBits(t *testing.T) {
	i, j := between(new(big.Int), big.NewInt(255)).withBits(big.NewInt(0xf0)), between(new(big.Int), big.NewInt(255)).withBits(big.NewInt(0x05))
	require.Equal(t, int64(0xf5), i.join(j).bits().Int64())
	require.Equal(t, int64(0xf5), j.join(i).bits().Int64())
	// A number without that knowledge has those of its size.
	require.Equal(t, int64(0xf7), i.join(between(big.NewInt(1), big.NewInt(5))).bits().Int64())
	// What may be negative has none.
	require.Nil(t, i.join(point(big.NewInt(-1))).bits())
	// Widening gives up bits that do not stay.
	require.Nil(t, i.widen(j, nil, 1).ones)
	require.Equal(t, int64(0xf0), i.widen(i, nil, 1).ones.Int64())
}

// Of products the corners of both intervals count, whatever the signs.
func TestProductsOfIntervals(t *testing.T) {
	of := func(low, high int64) interval { return between(big.NewInt(low), big.NewInt(high)) }
	for _, c := range []struct{ x, y, want interval }{
		{of(2, 3), of(5, 7), of(10, 21)},
		{of(-2, 3), of(5, 7), of(-14, 21)},
		{of(-3, -2), of(-7, -5), of(10, 21)},
		{of(-3, 2), of(-7, 5), of(-15, 21)},
	} {
		require.True(t, c.x.mul(c.y).in(c.want) && c.want.in(c.x.mul(c.y)), "%v", c)
	}
	require.Nil(t, interval{low: new(big.Int)}.mul(of(1, 2)).high)
}

// knowing is an analysis with two variables, and a state that has intervals for them.
func knowing(x *ast.Variable, i interval, y *ast.Variable, j interval) (*ranges, *state) {
	r, s := &ranges{o: Options{Mode: Ranged, PointerBits: 32}, slots: map[*ast.Variable]*slot{}, values: map[evaluated]interval{}}, &state{}
	r.number(x, 0)
	r.number(y, 1)
	r.put(s, x, i)
	r.put(s, y, j)
	return r, s
}

// The ranges of operations have what the machine computes of all numbers in those of the operands.
func TestRangesOfOperations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := anyType.Draw(rt, "type")
		o := machine.Operation{Type: k, Op: rapid.SampledFrom([]machine.Op{
			machine.Add, machine.Sub, machine.Mul, machine.Div, machine.Rem, machine.And, machine.Or, machine.Xor, machine.Shl, machine.Shr,
			machine.Neg, machine.Not, machine.Convert,
		}).Draw(rt, "op")}
		i, xs := drawInterval(rt, k)
		j, ys := drawInterval(rt, k)
		x := &ast.Variable{Name: "x", Syntax: machine.TypeNamed(chc.Position{}, k.String())}
		y := &ast.Variable{Name: "y", Syntax: machine.TypeNamed(chc.Position{}, k.String())}
		args := []ast.Expr{&ast.Identifier{Name: "x", Decl: x}, &ast.Identifier{Name: "y", Decl: y}}
		switch o.Op {
		case machine.Shl, machine.Shr:
			n := big.NewInt(rapid.Int64Range(0, int64(k.Bits-1)).Draw(rt, "count"))
			j, ys = point(n), []*big.Int{n}
		case machine.Neg, machine.Not:
			args = args[:1]
		case machine.Convert:
			o.To = anyType.Draw(rt, "to")
			args = args[:1]
		}
		r, s := knowing(x, i, y, j)
		in := r.eval(s, o.Apply(chc.Position{}, args...))
		for _, m := range xs {
			for _, n := range ys {
				if (o.Op == machine.Div || o.Op == machine.Rem) && n.Sign() == 0 {
					continue
				}
				z := compute(o, m, n)
				require.True(rt, within(in, z), "%s of %v and %v is %v, and that is not in %v", o.Name(), m, n, z, in)
			}
		}
	})
}

// Conditions narrow ranges to what they hold for, and never lose a number that they hold for.
func TestGuards(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := anyType.Draw(rt, "type")
		i, xs := drawInterval(rt, k)
		j, ys := drawInterval(rt, k)
		x := &ast.Variable{Name: "x", Syntax: machine.TypeNamed(chc.Position{}, k.String())}
		y := &ast.Variable{Name: "y", Syntax: machine.TypeNamed(chc.Position{}, k.String())}
		ex, ey := &ast.Identifier{Name: "x", Decl: x}, &ast.Identifier{Name: "y", Decl: y}
		draw := func() (ast.Expr, func(m, n *big.Int) bool) {
			op := rapid.SampledFrom([]machine.Op{machine.Lt, machine.Le, machine.Gt, machine.Ge, machine.Add}).Draw(rt, "comparison")
			if op == machine.Add {
				return &ast.Binary{Op: ast.Eq, X: ex, Y: ey}, func(m, n *big.Int) bool { return m.Cmp(n) == 0 }
			}
			o := machine.Operation{Op: op, Type: k}
			return o.Apply(chc.Position{}, ex, ey), func(m, n *big.Int) bool { return compute(o, m, n).Sign() != 0 }
		}
		first, isFirst := draw()
		second, isSecond := draw()
		cond := &ast.Binary{Op: rapid.SampledFrom([]ast.BinaryOp{ast.And, ast.Or}).Draw(rt, "of"), X: first, Y: second}
		negated := rapid.Bool().Draw(rt, "negated")
		r, s := knowing(x, i, y, j)
		possible := r.assume(s, cond, negated)
		for _, m := range xs {
			for _, n := range ys {
				holds := isFirst(m, n) && isSecond(m, n)
				if cond.Op == ast.Or {
					holds = isFirst(m, n) || isSecond(m, n)
				}
				if holds != negated {
					require.True(rt, possible, "%v %v", m, n)
					require.True(rt, within(r.eval(s, ex), m) && within(r.eval(s, ey), n), "%v %v", m, n)
				}
			}
		}
	})
}
