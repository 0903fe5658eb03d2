package svlib

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// instanceMark stands between the name of a constructor and that of the instance of a datatype that it belongs to.
const instanceMark = " of "

// typeOf returns the type that a sort becomes, and declares it where that is needed.
func (t *translator) typeOf(s *term.Sort) ast.Type {
	switch s.Kind {
	case term.BoolKind:
		return ast.Bool
	case term.IntKind:
		return ast.Int
	case term.RealKind:
		return ast.Real
	case term.BitVecKind:
		return &ast.BitVector{Width: s.Width}
	case term.ArrayKind:
		return &ast.Map{Domain: []ast.Type{t.typeOf(s.Index)}, Range: t.typeOf(s.Elem)}
	}
	if known := t.types[s]; known != nil {
		return known
	}
	d := &ast.TypeDecl{Pos: t.call.Pos, Name: s.String()}
	if ast.IsBitVectorName(d.Name) || slices.Contains([]string{"int", "bool", "real"}, d.Name) {
		d.Name = "#" + d.Name
	}
	typ := &ast.Constructed{Decl: d}
	t.types[s], t.sorts[d.Name] = typ, s
	t.declare(d)
	if s.IsDatatype() {
		for _, c := range s.Data.Constructors {
			f := &ast.Function{Pos: d.Pos, Name: c.Name, Datatype: d, Result: &ast.Variable{Pos: d.Pos, Kind: ast.Out}}
			if s.Data.Generic != nil {
				f.Name += instanceMark + d.Name // other instances have constructors of the same name
			}
			for _, sel := range c.Selectors {
				f.Params = append(f.Params, t.declared(sel.Name, ast.In, sel.Sort))
			}
			d.Constructors = append(d.Constructors, f)
		}
	}
	return typ
}

// declared is a new variable of the program.
func (t *translator) declared(name string, kind ast.VariableKind, s *term.Sort) *ast.Variable {
	typ := t.typeOf(s)
	return &ast.Variable{Pos: t.call.Pos, Kind: kind, Name: name, Type: typ, Syntax: ast.SyntaxOf(typ)}
}
