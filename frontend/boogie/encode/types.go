package encode

import (
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// unsupported is the panic value that ends an encoding at a construct that is not supported.
type unsupported struct{ err *boogie.Error }

// refuse ends the encoding: the construct at pos is not supported.
func refuse(pos chc.Position, format string, args ...any) {
	panic(unsupported{&boogie.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Unsupported: true}})
}

// sort returns the sort for the values of a type. Values of an uninterpreted type are integers: equal values are the
// same integer, and whatever else is done with them has an arbitrary result. Those of a type that may be bounded are integers
// in a box of their own: nothing that is assumed for all of them may be used for a number that is none.
func (e *encoder) sort(t ast.Type, pos chc.Position) *term.Sort {
	switch t := t.(type) {
	case ast.Basic:
		return map[ast.Basic]*term.Sort{ast.Bool: term.Bool, ast.Int: term.Int, ast.Real: term.Real}[t]
	case *ast.BitVector:
		if t.Width == 0 {
			return term.Int
		}
		return e.pool.BitVec(t.Width)
	case *ast.Constructed:
		if len(t.Decl.Constructors) > 0 || t.Decl.Bounded {
			return e.datatypes.sort(t, pos)
		}
		return term.Int
	case *ast.Map:
		if len(t.Params) > 0 {
			return e.datatypes.sort(t, pos)
		}
		s := e.sort(t.Range, pos)
		for i := len(t.Domain) - 1; i >= 0; i-- {
			s = e.pool.Array(e.sort(t.Domain[i], pos), s)
		}
		return s
	case *ast.Record:
		return e.datatypes.sort(t, pos)
	case *ast.TypeVariable:
		// A procedure with type parameters can only copy and compare such values; calls are held to types of this sort.
		return term.Int
	}
	panic(fmt.Sprintf("an expression at %v has no type", pos))
}

// sortKey is the same for types whose values are of the same sort: uninterpreted types that are not bounded are integers.
func sortKey(t ast.Type) string {
	switch t := t.(type) {
	case *ast.Constructed:
		if len(t.Decl.Constructors) == 0 && !t.Decl.Bounded {
			return "int"
		}
	case *ast.Record:
		var b strings.Builder
		for _, f := range t.Fields {
			b.WriteString("{" + f.Name + ": " + sortKey(f.Type) + "}")
		}
		return b.String()
	case *ast.TypeVariable:
		return "int"
	}
	return spell(t, sortKey)
}
