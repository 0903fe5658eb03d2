package proof

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// learn notes the types of the datatypes in a sort, which is that of the type. It keeps the first type of several with the same sort.
func (x *expresser) learn(s *term.Sort, t ast.Type) {
	switch s.Kind {
	case term.ArrayKind:
		if m, ok := t.(*ast.Map); ok && len(m.Params) == 0 {
			x.learn(s.Index, m.Domain[0])
			x.learn(s.Elem, m.Rest())
		}
	case term.DatatypeKind:
		if x.types[s] != nil {
			return
		}
		x.types[s] = t
		for i, c := range s.Data.Constructors {
			for j, sel := range c.Selectors {
				if u := x.part(t, i, j); u != nil {
					x.learn(sel.Sort, u)
				}
			}
		}
	}
}

// part is the type of what the values of a type have as the j-th part when the i-th constructor made them: a field, or
// the map for a choice of types; nil for what a polymorphic map is at all others.
func (x *expresser) part(t ast.Type, i, j int) ast.Type {
	switch t := t.(type) {
	case *ast.Constructed:
		if i < len(t.Decl.Constructors) {
			return t.FieldType(t.Decl.Constructors[i].Params[j])
		}
	case *ast.Record:
		return t.Fields[j].Type
	case *ast.Map:
		if instances := x.encoding.Instances(t); j < len(instances) {
			return t.At(instances[j])
		}
	}
	return nil
}

// declared fails for a type without constructors, whose values have no parts in the program.
func declared(t *ast.Constructed) {
	if len(t.Decl.Constructors) == 0 {
		fail("values of the type %s", t)
	}
}

func (x *expresser) fieldType(t *term.Term) ast.Type {
	of := x.typeOf(t.Arg(0))
	if of == nil {
		return nil
	}
	return x.part(of, t.Sel().Ctor.Index, t.Sel().Index)
}

// field writes a field of a value, or what a polymorphic map is for some types: that can only be read.
func (x *expresser) field(t *term.Term) value {
	of := x.value(t.Arg(0), nil)
	if of.missing > 0 {
		fail("a field of a map")
	}
	sel := t.Sel()
	typ := x.part(of.typ, sel.Ctor.Index, sel.Index)
	switch u := of.typ.(type) {
	case *ast.Constructed:
		declared(u)
		return value{expr: &ast.Field{X: of.expr, Name: u.Decl.Constructors[sel.Ctor.Index].Params[sel.Index].Name}, typ: typ}
	case *ast.Record:
		return value{expr: &ast.Field{X: of.expr, Name: u.Fields[sel.Index].Name, Record: true}, typ: typ}
	case *ast.Map:
		if m, ok := typ.(*ast.Map); ok {
			return value{expr: of.expr, typ: typ, missing: len(m.Domain)}
		}
	}
	fail("what a map is for types at which the program does not use it")
	panic("unreachable")
}

// is writes the test for a constructor.
func (x *expresser) is(t *term.Term) ast.Expr {
	typ, ok := x.typed(t.Arg(0)).(*ast.Constructed)
	if !ok {
		return boolean(true)
	}
	declared(typ)
	return &ast.Is{X: x.expression(t.Arg(0), typ), Name: typ.Decl.Constructors[t.Ctor().Index].Name}
}

// construct writes a value that a constructor makes, a record, or a polymorphic map with changed entries.
func (x *expresser) construct(t *term.Term, typ ast.Type) ast.Expr {
	arguments := func() []ast.Expr {
		es := make([]ast.Expr, len(t.Args()))
		for j, a := range t.Args() {
			es[j] = x.expression(a, x.part(typ, t.Ctor().Index, j))
		}
		return es
	}
	switch u := typ.(type) {
	case *ast.Constructed:
		declared(u)
		return &ast.Application{Name: u.Decl.Constructors[t.Ctor().Index].Name, Args: arguments()}
	case *ast.Record:
		r := &ast.RecordLiteral{Values: arguments()}
		for _, f := range u.Fields {
			r.Names = append(r.Names, f.Name)
		}
		return r
	case *ast.Map:
		return x.changedParts(t, u)
	}
	fail("a value of the sort %s", t.Sort())
	return nil
}

// changedParts writes a polymorphic map of which the maps for some types have changed entries, and the others are those
// of one map.
func (x *expresser) changedParts(t *term.Term, m *ast.Map) ast.Expr {
	last := t.Arg(len(t.Args()) - 1)
	if last.Op() != term.Field {
		fail("a polymorphic map that is no other one with changed entries")
	}
	base := last.Arg(0)
	e := x.expression(base, m)
	for j, a := range slices.Backward(t.Args()) {
		part := x.pool.Field(t.Ctor().Selectors[j], base)
		if a == part {
			continue
		}
		typ, ok := x.part(m, 0, j).(*ast.Map)
		if !ok {
			fail("a polymorphic map that is no other one with changed entries")
		}
		e = x.changed(e, part, a, nil, typ, typ.Domain)
	}
	return e
}
