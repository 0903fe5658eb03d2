package proof

import (
	"fmt"
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/tree"
)

// number is an expression with what is known of its value and of all values that are computed on the way.
type number struct {
	// text is the expression, with its variables as long long if it is wide.
	text func(wide bool) string
	// low and high are the bounds of its value, most is the greatest absolute value on the way.
	low, high, most *big.Int
	// unsigned says that a variable in it is not changed to a signed type by C's promotions, atom that it is a variable.
	unsigned, atom, pointer bool
	constant                *big.Int
	// points is what a pointer points to.
	points tree.Type
}

// within tells whether everything that is computed has at most so many bits, beside the sign.
func (n number) within(bits int) bool { return n.most.BitLen() <= bits }

func (n number) zero() bool { return n.constant != nil && n.constant.Sign() == 0 }

// bounded notes the bounds of a value that is computed from others.
func bounded(low, high *big.Int, of ...number) number {
	n := number{low: low, high: high, most: new(big.Int).Abs(low)}
	grow := func(b *big.Int) {
		if b.CmpAbs(n.most) > 0 {
			n.most = new(big.Int).Abs(b)
		}
	}
	grow(high)
	for _, o := range of {
		grow(o.most)
		n.unsigned = n.unsigned || o.unsigned
		if o.pointer {
			panic(unsayable{"arithmetic with pointers"})
		}
	}
	return n
}

func (x *expresser) literal(n *big.Int) number {
	out := bounded(n, n)
	out.constant = n
	out.text = func(wide bool) string {
		s := n.String()
		if !x.logical() && (wide || n.BitLen() > 31) {
			s += "LL"
		}
		if n.Sign() < 0 {
			s = "(" + s + ")"
		}
		return s
	}
	return out
}

func (x *expresser) number(e ast.Expr) number {
	x.spend()
	switch e := e.(type) {
	case *ast.Let:
		inner := x.let(e)
		n := inner.number(e.Body)
		x.guards = inner.guards
		return n
	case *ast.IntLiteral:
		return x.literal(e.Value)
	case *ast.Identifier:
		if other := x.bound[e.Name]; other != nil {
			return x.number(other)
		}
		if x.named[e.Name] {
			// A logical integer has no bounds: these are beyond those of all types.
			far := new(big.Int).Lsh(big.NewInt(1), 128)
			return number{text: func(bool) string { return e.Name }, low: new(big.Int).Neg(far), high: far, most: far, atom: true}
		}
		return x.variable(e, nil)
	case *ast.Old:
		before := x.earlier
		x.earlier = true
		n := x.number(e.X)
		x.earlier = before
		return n
	case *ast.Select:
		m, earlier := e.Map, x.earlier
		if old, ok := m.(*ast.Old); ok {
			m, earlier = old.X, true
		}
		if id, ok := m.(*ast.Identifier); ok && len(e.Index) == 1 {
			inner := *x
			inner.earlier = earlier
			n := inner.variable(id, e.Index[0])
			x.guards = inner.guards
			return n
		}
	case *ast.Unary:
		if e.Op == ast.Negate {
			a := x.number(e.X)
			if a.constant != nil {
				return x.literal(new(big.Int).Neg(a.constant))
			}
			n := bounded(new(big.Int).Neg(a.high), new(big.Int).Neg(a.low), a)
			n.text = func(wide bool) string { return "(-" + a.text(wide) + ")" }
			return n
		}
	case *ast.Binary:
		return x.binary(e)
	case *ast.IfThenElse:
		test, a, b := x.truth(e.Cond, neither), x.number(e.Then), x.number(e.Else)
		n := bounded(least(a.low, b.low), greatest(a.high, b.high), a, b)
		n.text = func(wide bool) string {
			return fmt.Sprintf("(%s ? %s : %s)", test, a.text(wide), b.text(wide))
		}
		return n
	}
	panic(unsayable{"a number of a kind that C does not have"})
}

func (x *expresser) binary(e *ast.Binary) number {
	a, b := x.number(e.X), x.number(e.Y)
	var n number
	op := ""
	switch e.Op {
	case ast.Add:
		op, n = "+", bounded(new(big.Int).Add(a.low, b.low), new(big.Int).Add(a.high, b.high), a, b)
	case ast.Sub:
		op, n = "-", bounded(new(big.Int).Sub(a.low, b.high), new(big.Int).Sub(a.high, b.low), a, b)
	case ast.Mul:
		var low, high *big.Int
		for _, p := range []*big.Int{
			new(big.Int).Mul(a.low, b.low), new(big.Int).Mul(a.low, b.high), new(big.Int).Mul(a.high, b.low), new(big.Int).Mul(a.high, b.high),
		} {
			low, high = least(low, p), greatest(high, p)
		}
		op, n = "*", bounded(low, high, a, b)
	case ast.Div, ast.Mod:
		return x.euclidean(e.Op, a, b)
	default:
		panic(unsayable{"an operator that C does not have"})
	}
	n.text = func(wide bool) string {
		return "(" + x.summand(e.X, a.text(wide), op != "*") + " " + op + " " + x.summand(e.Y, b.text(wide), false) + ")"
	}
	return n
}

// summand is an operand, in ACSL without parentheses that readers do not need: around products in sums, and around a sum before one.
func (x *expresser) summand(e ast.Expr, text string, first bool) string {
	b, ok := e.(*ast.Binary)
	if !ok || !x.logical() || b.Op != ast.Mul && !(first && (b.Op == ast.Add || b.Op == ast.Sub)) {
		return text
	}
	return unwrapped(text)
}

// euclidean writes a division by a positive constant whose remainder is never negative. C's division is the same one where
// nothing is negative; else the remainder is what the lowest bits have, for a power of two, or is corrected.
func (x *expresser) euclidean(op ast.BinaryOp, a, b number) number {
	if b.constant == nil || b.constant.Sign() <= 0 {
		panic(unsayable{"a division by what is no positive constant"})
	}
	natural := a.low.Sign() >= 0
	one := big.NewInt(1)
	mod := bounded(new(big.Int), new(big.Int).Sub(b.constant, one), a, b)
	if natural {
		mod.high = least(mod.high, a.high)
	}
	mask := new(big.Int).Sub(b.constant, one)
	switch {
	case natural:
		mod.text = func(wide bool) string { return "(" + a.text(wide) + " % " + b.text(wide) + ")" }
	case new(big.Int).And(mask, b.constant).Sign() == 0 && !a.unsigned:
		mod.text = func(wide bool) string { return "(" + a.text(wide) + " & " + x.literal(mask).text(wide) + ")" }
	default:
		mod.most = greatest(mod.most, new(big.Int).Lsh(b.constant, 1))
		mod.text = func(wide bool) string {
			return "((" + a.text(wide) + " % " + b.text(wide) + " + " + b.text(wide) + ") % " + b.text(wide) + ")"
		}
	}
	if op == ast.Mod {
		return mod
	}
	// The quotient of the numbers that are not negative, and the exact one of what is left without the remainder.
	div := func(n *big.Int) *big.Int { return new(big.Int).Div(n, b.constant) }
	n := bounded(div(a.low), div(a.high), a, b, mod)
	if natural {
		n.text = func(wide bool) string { return "(" + a.text(wide) + " / " + b.text(wide) + ")" }
		return n
	}
	n.most = greatest(n.most, new(big.Int).Add(a.most, b.constant))
	n.text = func(wide bool) string {
		return "((" + a.text(wide) + " - " + mod.text(wide) + ") / " + b.text(wide) + ")"
	}
	return n
}

func least(a, b *big.Int) *big.Int {
	if a == nil || b.Cmp(a) < 0 {
		return b
	}
	return a
}

func greatest(a, b *big.Int) *big.Int {
	if a == nil || b.Cmp(a) > 0 {
		return b
	}
	return a
}
