package bits

import (
	"math/big"

	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// spans are the intervals of the types' values.
var spans = func() map[machine.Type]interval {
	all := map[machine.Type]interval{}
	for _, bits := range []int{8, 16, 32, 64, 128} {
		for _, signed := range []bool{false, true} {
			t := machine.Type{Bits: bits, Signed: signed}
			all[t] = between(t.Min(), t.Max())
		}
	}
	return all
}()

// span is the interval of a type's values.
func span(t machine.Type) interval { return spans[t] }

// numeral is the value of an integer literal, possibly negated.
func numeral(e ast.Expr) (*big.Int, bool) {
	switch e := e.(type) {
	case *ast.IntLiteral:
		return e.Value, true
	case *ast.Unary:
		if n, ok := numeral(e.X); ok && e.Op == ast.Negate {
			return new(big.Int).Neg(n), true
		}
	case *ast.Coercion:
		return numeral(e.X)
	}
	return nil, false
}

// shape is what the type of a variable or an expression is made of, at the bottom: maps have the shape of what they hold.
type shape uint8

const (
	// other is what no machine integer is: truth values, floating numbers.
	other shape = iota
	// number is an address or an index.
	number
	// word is a machine integer.
	word
)

// sort is the shape of a type with its machine type, where it is a word.
type sort struct {
	shape shape
	word  machine.Type
}

var numbers = sort{shape: number}

func words(t machine.Type) sort { return sort{word, t} }

// sortNamed is the sort of a type by its name.
func sortNamed(name string) sort {
	if t, ok := machine.ParseType(name); ok {
		return words(t)
	}
	if name == machine.Ref || name == machine.Int {
		return numbers
	}
	return sort{}
}

// sortOf is the sort of a type as declared, of a map that of what it holds.
func sortOf(t ast.TypeSyntax) sort {
	switch t := t.(type) {
	case *ast.TypeName:
		return sortNamed(t.Name)
	case *ast.MapSyntax:
		return sortOf(t.Range)
	}
	return sort{}
}

// isMap tells whether a declared type is that of maps.
func isMap(t ast.TypeSyntax) bool {
	_, ok := t.(*ast.MapSyntax)
	return ok
}

// sort is the sort of an expression of a checked program; of a literal it is that of numbers, as its context decides.
func sortOfExpr(e ast.Expr) sort {
	switch e := e.(type) {
	case *ast.Identifier:
		return sortOf(e.Decl.Syntax)
	case *ast.Application:
		if o, _, ok := machine.Recognise(e); ok {
			_, result := o.Signature()
			return sortNamed(result)
		}
		if e.Function != nil {
			return sortOf(e.Function.Result.Syntax)
		}
	case *ast.IntLiteral:
		return numbers
	case *ast.Coercion:
		return sortOf(e.Syntax)
	case *ast.Unary:
		if e.Op == ast.Negate {
			return sortOfExpr(e.X)
		}
	case *ast.Binary:
		switch e.Op {
		case ast.Add, ast.Sub, ast.Mul, ast.Div, ast.Mod:
			return numbers
		}
	case *ast.Select:
		return sortOfExpr(e.Map)
	case *ast.Store:
		return sortOfExpr(e.Map)
	case *ast.IfThenElse:
		if s := sortOfExpr(e.Then); s.shape == word {
			return s
		}
		return sortOfExpr(e.Else)
	case *ast.Old:
		return sortOfExpr(e.X)
	case *ast.Let:
		return sortOfExpr(e.Body)
	case *ast.Lambda:
		return sortOfExpr(e.Body)
	}
	return sort{}
}
