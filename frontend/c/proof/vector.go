package proof

import (
	"fmt"
	"math/big"

	"hornbeam/frontend/boogie/ast"
)

// vector is a bit-vector as an expression of the type unsigned long long, which has no other bits set.
type vector struct {
	text  string
	width int
}

func maskOf(width int) *big.Int {
	n := big.NewInt(1)
	return n.Sub(n.Lsh(n, uint(width)), big.NewInt(1))
}

// masked keeps the bits that a vector of the width has.
func masked(text string, width int) vector {
	switch {
	case width > 64:
		panic(unsayable{"numbers wider than long long"})
	case width == 64:
		return vector{text, 64}
	}
	return vector{fmt.Sprintf("(%s & %sULL)", text, maskOf(width)), width}
}

// isVector tells whether an expression is a bit-vector.
func (x *expresser) isVector(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BitVectorLiteral, *ast.Extract:
		return true
	case *ast.Binary:
		return e.Op == ast.Concat
	case *ast.Identifier:
		_, ok := typeOf(e).(*ast.BitVector)
		return ok
	case *ast.Old:
		return x.isVector(e.X)
	case *ast.Select:
		if m, ok := typeOf(e.Map).(*ast.Map); ok {
			_, ok := m.Range.(*ast.BitVector)
			return ok
		}
	case *ast.IfThenElse:
		return x.isVector(e.Then)
	case *ast.Application:
		if e.Function != nil && e.Function.Result != nil {
			_, ok := e.Function.Result.Type.(*ast.BitVector)
			return ok
		}
	}
	return false
}

// typeOf is the type of a variable or an element of one.
func typeOf(e ast.Expr) ast.Type {
	switch e := e.(type) {
	case *ast.Identifier:
		if e.Decl != nil {
			return e.Decl.Type
		}
	case *ast.Old:
		return typeOf(e.X)
	case *ast.Select:
		if m, ok := typeOf(e.Map).(*ast.Map); ok {
			return m.Range
		}
	}
	return nil
}

// operation is the operator of SMT-LIB that a function stands for.
func operation(e *ast.Application) string {
	if e.Function == nil {
		return ""
	}
	op, _ := e.Function.Attributes.Text("bvbuiltin")
	return op
}

// asNumber is a vector as the number that a variable or a literal has, by its type.
func (x *expresser) asNumber(e ast.Expr, signed bool) (n number, ok bool) {
	switch e := e.(type) {
	case *ast.BitVectorLiteral:
		v := new(big.Int).Set(e.Value)
		if signed && v.Bit(e.Width-1) == 1 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(e.Width)))
		}
		return x.literal(v), true
	case *ast.Identifier, *ast.Select, *ast.Old:
		n := x.number(e)
		return n, n.atom && n.pointer || n.atom && (n.low.Sign() < 0) == signed
	}
	return n, false
}

// vectorEquality writes an equality of bit-vectors.
func (x *expresser) vectorEquality(op ast.BinaryOp, e, f ast.Expr) string {
	for _, signed := range []bool{true, false} {
		a, ok := x.asNumber(e, signed)
		if !ok {
			continue
		}
		if b, ok := x.asNumber(f, signed); ok {
			return x.compare(op, a, b)
		}
	}
	return x.vector(e).text + " " + op.String() + " " + x.vector(f).text
}

// vectorComparison writes the application of a comparison.
func (x *expresser) vectorComparison(e *ast.Application) string {
	op, signed := ast.LessEq, false
	switch operation(e) {
	case "bvule":
	case "bvult":
		op = ast.Less
	case "bvsle":
		signed = true
	case "bvslt":
		op, signed = ast.Less, true
	default:
		panic(unsayable{"an operator on bits that C does not have"})
	}
	if a, ok := x.asNumber(e.Args[0], signed); ok {
		if b, ok := x.asNumber(e.Args[1], signed); ok {
			return "(" + x.compare(op, a, b) + ")"
		}
	}
	a, b := x.vector(e.Args[0]), x.vector(e.Args[1])
	if signed {
		// The order of signed numbers is that of unsigned ones when the sign is the other way round.
		sign := new(big.Int).Lsh(big.NewInt(1), uint(a.width-1))
		a.text, b.text = fmt.Sprintf("(%s ^ %sULL)", a.text, sign), fmt.Sprintf("(%s ^ %sULL)", b.text, sign)
	}
	return fmt.Sprintf("(%s %s %s)", a.text, op, b.text)
}

// vector writes a bit-vector.
func (x *expresser) vector(e ast.Expr) vector {
	x.spend()
	switch e := e.(type) {
	case *ast.BitVectorLiteral:
		if e.Width > 64 {
			panic(unsayable{"numbers wider than long long"})
		}
		return vector{e.Value.String() + "ULL", e.Width}
	case *ast.Identifier, *ast.Select, *ast.Old:
		b, ok := typeOf(e).(*ast.BitVector)
		n := x.number(e)
		if !ok || n.pointer || !n.atom {
			panic(unsayable{"bits of a pointer, or of no variable"})
		}
		return masked("(unsigned long long)"+n.text(false), b.Width)
	case *ast.Extract:
		v := x.vector(e.X)
		return masked(fmt.Sprintf("(%s >> %d)", v.text, e.Low), e.High-e.Low)
	case *ast.Binary:
		if e.Op == ast.Concat {
			a, b := x.vector(e.X), x.vector(e.Y)
			if a.width+b.width > 64 {
				panic(unsayable{"numbers wider than long long"})
			}
			return vector{fmt.Sprintf("((%s << %d) | %s)", a.text, b.width, b.text), a.width + b.width}
		}
	case *ast.IfThenElse:
		test, a, b := x.truth(e.Cond, neither), x.vector(e.Then), x.vector(e.Else)
		return vector{fmt.Sprintf("(%s ? %s : %s)", test, a.text, b.text), a.width}
	case *ast.Application:
		return x.vectorOperation(e)
	}
	panic(unsayable{"an operator on bits that C does not have"})
}

// vectorOperations are the operators that C has for unsigned numbers.
var vectorOperations = map[string]string{"bvadd": "+", "bvsub": "-", "bvmul": "*", "bvand": "&", "bvor": "|", "bvxor": "^"}

func (x *expresser) vectorOperation(e *ast.Application) vector {
	op := operation(e)
	if len(e.Args) == 0 || len(e.Args) > 2 {
		panic(unsayable{"an operator on bits that C does not have"})
	}
	a := x.vector(e.Args[0])
	var extra int
	if _, err := fmt.Sscanf(op, "(_ sign_extend %d)", &extra); err == nil {
		sign := new(big.Int).Lsh(big.NewInt(1), uint(a.width-1))
		return masked(fmt.Sprintf("((%s ^ %sULL) - %sULL)", a.text, sign, sign), a.width+extra)
	}
	switch op {
	case "bvnot":
		return masked("(~"+a.text+")", a.width)
	case "bvneg":
		return masked("(0ULL - "+a.text+")", a.width)
	}
	if len(e.Args) != 2 {
		panic(unsayable{"an operator on bits that C does not have"})
	}
	b := x.vector(e.Args[1])
	if c := vectorOperations[op]; c != "" {
		text := fmt.Sprintf("(%s %s %s)", a.text, c, b.text)
		if c == "&" || c == "|" || c == "^" {
			return vector{text, a.width}
		}
		return masked(text, a.width)
	}
	switch op {
	case "bvshl":
		v := masked(fmt.Sprintf("(%s << %s)", a.text, b.text), a.width)
		return vector{fmt.Sprintf("(%s < %dULL ? %s : 0ULL)", b.text, a.width, v.text), a.width}
	case "bvlshr":
		return vector{fmt.Sprintf("(%s < %dULL ? %s >> %s : 0ULL)", b.text, a.width, a.text, b.text), a.width}
	case "bvudiv", "bvurem":
		if l, ok := e.Args[1].(*ast.BitVectorLiteral); ok && l.Value.Sign() > 0 {
			return vector{fmt.Sprintf("(%s %s %s)", a.text, map[string]string{"bvudiv": "/", "bvurem": "%"}[op], b.text), a.width}
		}
	}
	panic(unsayable{"an operator on bits that C does not have"})
}
