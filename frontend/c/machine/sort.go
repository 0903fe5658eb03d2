package machine

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
)

// Numeral returns the value of an integer literal, possibly negated, and false for other expressions.
func Numeral(e ast.Expr) (*big.Int, bool) {
	switch e := e.(type) {
	case *ast.IntLiteral:
		return e.Value, true
	case *ast.Unary:
		if n, ok := Numeral(e.X); ok && e.Op == ast.Negate {
			return new(big.Int).Neg(n), true
		}
	case *ast.Coercion:
		return Numeral(e.X)
	}
	return nil, false
}

// Shape is the kind of the scalars of a type; a map has the shape of its elements.
type Shape uint8

const (
	// OtherShape is everything that is not an integer: conditions, and the type Float.
	OtherShape Shape = iota
	// NumberShape is an address or a mathematical integer.
	NumberShape
	// WordShape is a machine integer, which may hold the ordinal of a floating-point number.
	WordShape
)

// Sort is a shape, with the machine type of words.
type Sort struct {
	Shape Shape
	Word  Type
}

// NumberSort is the sort of addresses and mathematical integers.
var NumberSort = Sort{Shape: NumberShape}

// WordSort returns the sort of a machine type.
func WordSort(t Type) Sort { return Sort{WordShape, t} }

// SortNamed returns the sort of a type by its name.
func SortNamed(name string) Sort {
	if t, ok := ParseType(name); ok {
		return WordSort(t)
	}
	if name == Ref || name == Int {
		return NumberSort
	}
	return Sort{}
}

// SortOf returns the sort of a declared type; for a map, that of its elements.
func SortOf(t ast.TypeSyntax) Sort {
	switch t := t.(type) {
	case *ast.TypeName:
		return SortNamed(t.Name)
	case *ast.MapSyntax:
		return SortOf(t.Range)
	}
	return Sort{}
}

// IsMap reports whether a declared type is a map.
func IsMap(t ast.TypeSyntax) bool {
	_, ok := t.(*ast.MapSyntax)
	return ok
}

// SortOfExpr returns the sort of an expression of a checked program. The sort of a literal, which takes the type of its context, is
// NumberSort.
func SortOfExpr(e ast.Expr) Sort {
	switch e := e.(type) {
	case *ast.Identifier:
		return SortOf(e.Decl.Syntax)
	case *ast.Application:
		if o, _, ok := Recognise(e); ok {
			_, result := o.Signature()
			return SortNamed(result)
		}
		if e.Function != nil {
			return SortOf(e.Function.Result.Syntax)
		}
	case *ast.IntLiteral:
		return NumberSort
	case *ast.Coercion:
		return SortOf(e.Syntax)
	case *ast.Unary:
		if e.Op == ast.Negate {
			return SortOfExpr(e.X)
		}
	case *ast.Binary:
		switch e.Op {
		case ast.Add, ast.Sub, ast.Mul, ast.Div, ast.Mod:
			return NumberSort
		}
	case *ast.Select:
		return SortOfExpr(e.Map)
	case *ast.Store:
		return SortOfExpr(e.Map)
	case *ast.IfThenElse:
		if s := SortOfExpr(e.Then); s.Shape == WordShape {
			return s
		}
		return SortOfExpr(e.Else)
	case *ast.Old:
		return SortOfExpr(e.X)
	case *ast.Let:
		return SortOfExpr(e.Body)
	case *ast.Lambda:
		return SortOfExpr(e.Body)
	}
	return Sort{}
}
