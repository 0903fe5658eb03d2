package machine

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
)

// Numeral is the value of an integer literal, possibly negated.
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

// Shape is what the type of a variable or an expression is made of, at the bottom: maps have the shape of what they hold.
type Shape uint8

const (
	// other is what no machine integer is: truth values, floating numbers.
	OtherShape Shape = iota
	// number is an address or an index.
	NumberShape
	// word is a machine integer.
	WordShape
)

// Sort is the shape of a type with its machine type, where it is a word.
type Sort struct {
	Shape Shape
	Word  Type
}

var NumberSort = Sort{Shape: NumberShape}

func WordSort(t Type) Sort { return Sort{WordShape, t} }

// SortNamed is the sort of a type by its name.
func SortNamed(name string) Sort {
	if t, ok := ParseType(name); ok {
		return WordSort(t)
	}
	if name == Ref || name == Int {
		return NumberSort
	}
	return Sort{}
}

// SortOf is the sort of a type as declared, of a map that of what it holds.
func SortOf(t ast.TypeSyntax) Sort {
	switch t := t.(type) {
	case *ast.TypeName:
		return SortNamed(t.Name)
	case *ast.MapSyntax:
		return SortOf(t.Range)
	}
	return Sort{}
}

// IsMap tells whether a declared type is that of maps.
func IsMap(t ast.TypeSyntax) bool {
	_, ok := t.(*ast.MapSyntax)
	return ok
}

// SortOfExpr is the sort of an expression of a checked program; of a literal it is that of numbers, as its context decides.
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
