package lower

import (
	"fmt"
	"math/big"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// builder builds expressions at one position.
type builder struct{ pos chc.Position }

func (b builder) node() ast.Node { return ast.Node{Pos: b.pos} }

func (b builder) number(n *big.Int) ast.Expr {
	if n.Sign() < 0 {
		return &ast.Unary{Node: b.node(), Op: ast.Negate, X: b.number(new(big.Int).Neg(n))}
	}
	return &ast.IntLiteral{Node: b.node(), Value: n}
}

func (b builder) small(n int64) ast.Expr { return b.number(big.NewInt(n)) }

func (b builder) vector(n *big.Int, width int) ast.Expr {
	return &ast.BitVectorLiteral{Node: b.node(), Value: new(big.Int).Mod(n, machine.Power(width)), Width: width}
}

func (b builder) name(name string) *ast.Identifier {
	return &ast.Identifier{Node: b.node(), Name: name}
}

func (b builder) binary(op ast.BinaryOp, x, y ast.Expr) ast.Expr {
	return &ast.Binary{Node: b.node(), Op: op, X: x, Y: y}
}

func (b builder) add(x, y ast.Expr) ast.Expr { return b.binary(ast.Add, x, y) }
func (b builder) sub(x, y ast.Expr) ast.Expr { return b.binary(ast.Sub, x, y) }
func (b builder) mul(x, y ast.Expr) ast.Expr { return b.binary(ast.Mul, x, y) }

// floor returns the floor of x / n, modulo the remainder, which is not negative; n is positive.
func (b builder) floor(x ast.Expr, n *big.Int) ast.Expr {
	if n.Cmp(big.NewInt(1)) == 0 {
		return x
	}
	if y, m, ok := quotientOf(x); ok {
		return b.floor(y, new(big.Int).Mul(m, n))
	}
	if q := b.divideSum(x, n); q != nil {
		return q
	}
	return b.binary(ast.Div, x, b.number(n))
}

func (b builder) modulo(x ast.Expr, n *big.Int) ast.Expr {
	// A bit is written with floors only: then the sum of the bits of a number is that number by linear arithmetic.
	if _, _, ok := quotientOf(x); ok && n.Cmp(big.NewInt(2)) == 0 {
		return b.sub(x, b.mul(b.number(n), b.floor(x, n)))
	}
	return b.binary(ast.Mod, x, b.number(n))
}

// divideSum returns x / n if x is syntactically a sum of multiples of n, else nil.
func (b builder) divideSum(x ast.Expr, n *big.Int) ast.Expr {
	e, ok := x.(*ast.Binary)
	if !ok {
		return nil
	}
	switch e.Op {
	case ast.Add, ast.Sub:
		y, z := b.divideSum(e.X, n), b.divideSum(e.Y, n)
		if y != nil && z != nil {
			return b.binary(e.Op, y, z)
		}
	case ast.Mul:
		c, ok := machine.Numeral(e.X)
		if !ok || new(big.Int).Mod(c, n).Sign() != 0 {
			return nil
		}
		if c.Cmp(n) == 0 {
			return e.Y
		}
		return b.mul(b.number(new(big.Int).Div(c, n)), e.Y)
	}
	return nil
}

// quotientOf returns the dividend and the divisor of a floor.
func quotientOf(e ast.Expr) (x ast.Expr, n *big.Int, ok bool) {
	d, ok := e.(*ast.Binary)
	if !ok || d.Op != ast.Div {
		return nil, nil, false
	}
	n, ok = machine.Numeral(d.Y)
	return d.X, n, ok && n.Sign() > 0
}

func (b builder) less(x, y ast.Expr) ast.Expr   { return b.binary(ast.Less, x, y) }
func (b builder) atMost(x, y ast.Expr) ast.Expr { return b.binary(ast.LessEq, x, y) }
func (b builder) equal(x, y ast.Expr) ast.Expr  { return b.binary(ast.Eq, x, y) }

func (b builder) negate(x ast.Expr) ast.Expr {
	return &ast.Unary{Node: b.node(), Op: ast.Negate, X: x}
}

func (b builder) not(x ast.Expr) ast.Expr { return &ast.Unary{Node: b.node(), Op: ast.Not, X: x} }

func (b builder) choose(c, x, y ast.Expr) ast.Expr {
	return &ast.IfThenElse{Node: b.node(), Cond: c, Then: x, Else: y}
}

// all returns the conjunction; that of nothing is true.
func (b builder) all(conjuncts ...ast.Expr) ast.Expr {
	if len(conjuncts) == 0 {
		return &ast.BoolLiteral{Node: b.node(), Value: true}
	}
	e := conjuncts[0]
	for _, c := range conjuncts[1:] {
		e = b.binary(ast.And, e, c)
	}
	return e
}

func (b builder) implies(x, y ast.Expr) ast.Expr { return b.binary(ast.Implies, x, y) }

// within states that x is between two numbers.
func (b builder) within(x ast.Expr, least, greatest *big.Int) ast.Expr {
	return b.all(b.atMost(b.number(least), x), b.atMost(x, b.number(greatest)))
}

func (b builder) apply(function string, args ...ast.Expr) ast.Expr {
	return &ast.Application{Node: b.node(), Name: function, Args: args}
}

// simple reports whether an expression is small enough to be repeated.
func simple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Identifier, *ast.IntLiteral, *ast.BoolLiteral, *ast.BitVectorLiteral:
		return true
	case *ast.Unary:
		return simple(e.X)
	}
	return false
}

// namer binds expressions that are used several times to variables.
type namer struct{ count int }

// with returns body of a value, bound by a let unless it is simple.
func (n *namer) with(b builder, value ast.Expr, body func(ast.Expr) ast.Expr) ast.Expr {
	if simple(value) {
		return body(value)
	}
	n.count++
	v := &ast.Variable{Pos: b.pos, Kind: ast.Bound, Name: fmt.Sprintf("$v%d", n.count)}
	return &ast.Let{Node: b.node(), Bound: []*ast.Variable{v}, Values: []ast.Expr{value}, Body: body(b.name(v.Name))}
}
