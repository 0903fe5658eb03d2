package ranges

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/lower/interval"
	"hornbeam/frontend/c/machine"
)

// within tells whether a number is in an interval, by what the parts of an interval mean.
func within(i interval.Interval, n *big.Int) bool {
	return (i.Low == nil || i.Low.Cmp(n) <= 0) && (i.High == nil || i.High.Cmp(n) >= 0) &&
		(i.Ones == nil || n.Sign() >= 0 && new(big.Int).AndNot(n, i.Ones).Sign() == 0) &&
		i.Congruence.Has(n) && (!i.Nonzero || n.Sign() != 0)
}

// drawInterval is an interval, and numbers of a type that are in it.
func drawInterval(rt *rapid.T, t machine.Type) (interval.Interval, []*big.Int) {
	step := rapid.SampledFrom([]int64{1, 1, 2, 3, 4, 6, 8}).Draw(rt, "step")
	base := rapid.OneOf(rapid.Int64Range(-9, 9), rapid.Int64()).Draw(rt, "base")
	var members []*big.Int
	var i interval.Interval
	for k := range rapid.IntRange(1, 4).Draw(rt, "members") {
		n := new(big.Int).Add(big.NewInt(base), big.NewInt(step*rapid.Int64Range(0, 9).Draw(rt, "member")))
		n = t.Wrap(n)
		members = append(members, n)
		if k == 0 {
			i = interval.Point(n)
		} else {
			i = i.Join(interval.Point(n))
		}
	}
	if ones := i.Bits(); ones != nil && rapid.Bool().Draw(rt, "bits") {
		all := new(big.Int)
		for _, n := range members {
			all.Or(all, n)
		}
		i = i.WithBits(all)
	}
	if i.HasZero() && rapid.Bool().Draw(rt, "no zero") {
		i = i.WithoutZero()
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

var anyType = rapid.SampledFrom([]machine.Type{
	{Bits: 8, Signed: true}, {Bits: 8}, {Bits: 16, Signed: true}, {Bits: 32, Signed: true}, {Bits: 32}, {Bits: 64},
})

// results compute operations as the machine does, but for wrap-around.
var results = map[machine.Op]func(z, x, y *big.Int) *big.Int{
	machine.Add: (*big.Int).Add, machine.Sub: (*big.Int).Sub, machine.Mul: (*big.Int).Mul, machine.Div: (*big.Int).Quo,
	machine.Rem: (*big.Int).Rem, machine.And: (*big.Int).And, machine.Or: (*big.Int).Or, machine.Xor: (*big.Int).Xor,
	machine.Shl:     func(z, x, y *big.Int) *big.Int { return z.Lsh(x, uint(y.Int64())) },
	machine.Shr:     func(z, x, y *big.Int) *big.Int { return z.Rsh(x, uint(y.Int64())) },
	machine.Neg:     func(z, x, _ *big.Int) *big.Int { return z.Neg(x) },
	machine.Not:     func(z, x, _ *big.Int) *big.Int { return z.Not(x) },
	machine.Convert: func(z, x, _ *big.Int) *big.Int { return z.Set(x) },
}

// knowing is an analysis with two variables, and a state that has intervals for them.
func knowing(x *ast.Variable, i interval.Interval, y *ast.Variable, j interval.Interval) (*Analysis, *state) {
	r, s := &Analysis{o: Options{PointerBits: 32, Bounded: true}, slots: map[*ast.Variable]*slot{}, values: map[evaluated]interval.Interval{}}, &state{}
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
			j, ys = interval.Point(n), []*big.Int{n}
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
				z := o.Result().Wrap(results[o.Op](new(big.Int), m, n))
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
		holdsFor := map[machine.Op]func(c int) bool{
			machine.Lt: func(c int) bool { return c < 0 }, machine.Le: func(c int) bool { return c <= 0 },
			machine.Gt: func(c int) bool { return c > 0 }, machine.Ge: func(c int) bool { return c >= 0 },
		}
		draw := func() (ast.Expr, func(m, n *big.Int) bool) {
			op := rapid.SampledFrom([]machine.Op{machine.Lt, machine.Le, machine.Gt, machine.Ge, machine.Add}).Draw(rt, "comparison")
			if op == machine.Add {
				return &ast.Binary{Op: ast.Eq, X: ex, Y: ey}, func(m, n *big.Int) bool { return m.Cmp(n) == 0 }
			}
			o := machine.Operation{Op: op, Type: k}
			return o.Apply(chc.Position{}, ex, ey), func(m, n *big.Int) bool { return holdsFor[op](m.Cmp(n)) }
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
