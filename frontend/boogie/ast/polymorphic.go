package ast

import "slices"

// Ground reports whether there are no type variables in a type.
func Ground(t Type) bool {
	switch t := t.(type) {
	case *TypeVariable:
		return false
	case *Constructed:
		return !slices.ContainsFunc(t.Args, func(a Type) bool { return !Ground(a) })
	case *Map:
		return len(t.Params) == 0 && Ground(t.Range) && !slices.ContainsFunc(t.Domain, func(a Type) bool { return !Ground(a) })
	case *Record:
		return !slices.ContainsFunc(t.Fields, func(f RecordField) bool { return !Ground(f.Type) })
	}
	return true
}

// Order has the parameters of a polymorphic map type in the order in which they occur in it: map types are the same when
// their parameters differ in names and order only.
func (m *Map) Order() []*TypeVariable {
	var out []*TypeVariable
	var visit func(t Type)
	visit = func(t Type) {
		switch t := t.(type) {
		case *TypeVariable:
			if slices.Contains(m.Params, t) && !slices.Contains(out, t) {
				out = append(out, t)
			}
		case *Constructed:
			for _, a := range t.Args {
				visit(a)
			}
		case *Map:
			for _, a := range t.Domain {
				visit(a)
			}
			visit(t.Range)
		case *Record:
			for _, f := range t.Fields {
				visit(f.Type)
			}
		}
	}
	for _, d := range m.Domain {
		visit(d)
	}
	visit(m.Range)
	return out
}

// Arguments puts types for the parameters, known ones replaced, into the order of Order; nil when one is not ground.
func (m *Map) Arguments(types []Type, known map[*TypeVariable]Type) []Type {
	var out []Type
	for _, v := range m.Order() {
		t := Substitute(types[slices.Index(m.Params, v)], known)
		if !Ground(t) {
			return nil
		}
		out = append(out, t)
	}
	return out
}

// At is a polymorphic map type at types for its parameters, which are in the order of Order.
func (m *Map) At(types []Type) *Map {
	args := map[*TypeVariable]Type{}
	for i, v := range m.Order() {
		args[v] = types[i]
	}
	plain := &Map{Range: Substitute(m.Range, args)}
	for _, d := range m.Domain {
		plain.Domain = append(plain.Domain, Substitute(d, args))
	}
	return plain
}

// FieldType is the type of a field of a datatype's values of the type c.
func (c *Constructed) FieldType(field *Variable) Type {
	args := map[*TypeVariable]Type{}
	for i, v := range c.Decl.Params {
		args[v] = c.Args[i]
	}
	return Substitute(field.Type, args)
}
