package proof

import (
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// typeOf is the type of a term's values, nil when any type of the sort will do, as for a number. A map of several
// indices that was read at the first of them is a map of the others.
func (x *expresser) typeOf(t *term.Term) ast.Type {
	if len(t.Args()) == 0 {
		return x.findType(t)
	}
	typ, known := x.known.types[t]
	if !known {
		typ = x.findType(t)
		x.known.types[t] = typ
	}
	return typ
}

// memo has what is known of terms where variables have the types that they have.
type memo struct {
	types    map[*term.Term]ast.Type
	complete map[*term.Term]bool
}

func newMemo() *memo { return &memo{map[*term.Term]ast.Type{}, map[*term.Term]bool{}} }

func (x *expresser) findType(t *term.Term) ast.Type {
	switch t.Op() {
	case term.Var:
		if v := x.variables[t]; v != nil {
			return v.typ
		}
	case term.Select:
		if m, ok := x.typeOf(t.Arg(0)).(*ast.Map); ok {
			return m.Rest()
		}
	case term.Store:
		if typ := x.typeOf(t.Arg(0)); typ != nil {
			return typ
		}
	case term.Ite:
		if typ := x.typeOf(t.Arg(1)); typ != nil {
			return typ
		}
		return x.typeOf(t.Arg(2))
	case term.Numeral, term.ConstArray:
		return nil
	case term.Field:
		if typ := x.fieldType(t); typ != nil {
			return typ
		}
	case term.Construct:
		for i, a := range t.Args() {
			// A value that has a field of another one is of the other one's type, most likely.
			if a.Op() == term.Field && a.Sel() == t.Ctor().Selectors[i] {
				return x.typeOf(a.Arg(0))
			}
		}
	case term.Add, term.Mul, term.IntDiv, term.Mod, term.Abs, term.RealDiv, term.ToInt, term.ToReal:
		return x.ofSort(t.Sort())
	}
	if t.Sort().IsArray() {
		return nil
	}
	return x.ofSort(t.Sort())
}

// typed is the type of a term where nothing else says which of its sort it is.
func (x *expresser) typed(t *term.Term) ast.Type {
	if typ := x.typeOf(t); typ != nil {
		return typ
	}
	return x.ofSort(t.Sort())
}

// ofSort is the type that has a sort by itself.
func (x *expresser) ofSort(s *term.Sort) ast.Type {
	switch s.Kind {
	case term.DatatypeKind, term.UninterpretedKind:
		if t := x.types[s]; t != nil {
			return t
		}
	case term.BoolKind:
		return ast.Bool
	case term.IntKind:
		return ast.Int
	case term.RealKind:
		return ast.Real
	case term.BitVecKind:
		return &ast.BitVector{Width: s.Width}
	case term.ArrayKind:
		return &ast.Map{Domain: []ast.Type{x.ofSort(s.Index)}, Range: x.ofSort(s.Elem)}
	}
	fail("values of the sort %s", s)
	return nil
}

// uninterpreted reports whether values of a type that has the sort can only be compared, since the numbers only stand for
// them.
func uninterpreted(s *term.Sort, t ast.Type) bool {
	return s.IsArith() && t != ast.Int && t != ast.Real
}

// boundType is the type of a variable that is bound in a body: that of the index where it reads a map, or what it is
// compared with.
func (x *expresser) boundType(v, body *term.Term) ast.Type {
	var found ast.Type
	term.Walk(body, func(t *term.Term) bool {
		switch {
		case found != nil:
		case (t.Op() == term.Select || t.Op() == term.Store) && t.Arg(1) == v:
			if m, ok := x.typeOf(t.Arg(0)).(*ast.Map); ok {
				found = m.Domain[0]
			}
		case t.Op() == term.Store && t.Arg(2) == v:
			if m, ok := x.typeOf(t.Arg(0)).(*ast.Map); ok {
				found = m.Rest()
			}
		case t.Op() == term.Eq && v.Sort() == term.Int && t.Arg(0).Sort() == term.Int:
			monomials := x.pool.Linear(t.Arg(0)).Monomials
			if len(monomials) != 2 || monomials[0].Term != v && monomials[1].Term != v {
				break
			}
			for _, m := range monomials {
				if typ := x.typeOf(m.Term); m.Term != v && typ != nil && uninterpreted(v.Sort(), typ) {
					found = typ
				}
			}
		case t.Op() == term.Eq && t.Arg(0) == v:
			found = x.typeOf(t.Arg(1))
		case t.Op() == term.Eq && t.Arg(1) == v:
			found = x.typeOf(t.Arg(0))
		}
		return found == nil
	})
	if found == nil {
		return x.ofSort(v.Sort())
	}
	return found
}
