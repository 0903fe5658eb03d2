package encode

import (
	"fmt"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie"
	"hornbeam/frontend/boogie/ast"
)

// unsupported is the panic that ends an encoding at something that has no meaning in clauses.
type unsupported struct{ err *boogie.Error }

// refuse gives up the encoding, since what stands at pos is not supported.
func refuse(pos chc.Position, format string, args ...any) {
	panic(unsupported{&boogie.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Unsupported: true}})
}

// sort returns the sort for the values of a type without free type variables.
func (e *encoder) sort(t ast.Type, pos chc.Position) *term.Sort {
	switch t := t.(type) {
	case ast.Basic:
		return map[ast.Basic]*term.Sort{ast.Bool: term.Bool, ast.Int: term.Int, ast.Real: term.Real}[t]
	case *ast.BitVector:
		if t.Width == 0 {
			refuse(pos, "bit-vectors without bits")
		}
		return e.pool.BitVec(t.Width)
	case *ast.Constructed:
		if len(t.Decl.Constructors) > 0 {
			refuse(pos, "values of the datatype %s", t.Decl.Name)
		}
		return term.Int
	case *ast.Map:
		if len(t.Params) > 0 {
			refuse(pos, "the polymorphic map type %s", t)
		}
		s := e.sort(t.Range, pos)
		for i := len(t.Domain) - 1; i >= 0; i-- {
			s = e.pool.Array(e.sort(t.Domain[i], pos), s)
		}
		return s
	case *ast.Record:
		refuse(pos, "records")
	case *ast.TypeVariable:
		// A procedure with type parameters can only copy and compare such values; calls are held to types of this sort.
		return term.Int
	}
	panic(fmt.Sprintf("an expression at %v has no type", pos))
}
