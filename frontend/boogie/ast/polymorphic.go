package ast

import (
	"maps"
	"slices"
)

// inspectType calls visit for a type and, when visit returns true, for the types that it is made of: arguments, a map's
// domain and then its range, fields.
func inspectType(t Type, visit func(Type) bool) {
	if t == nil || !visit(t) {
		return
	}
	switch t := t.(type) {
	case *Constructed:
		for _, a := range t.Args {
			inspectType(a, visit)
		}
	case *Map:
		for _, d := range t.Domain {
			inspectType(d, visit)
		}
		inspectType(t.Range, visit)
	case *Record:
		for _, f := range t.Fields {
			inspectType(f.Type, visit)
		}
	}
}

// AnyType reports whether a type, or one that it is made of, has a property.
func AnyType(t Type, has func(Type) bool) bool {
	found := false
	inspectType(t, func(t Type) bool {
		found = found || has(t)
		return !found
	})
	return found
}

// RewriteType returns a type with f of each type that it is directly made of in its place; it is t itself when f changes
// none of them.
func RewriteType(t Type, f func(Type) Type) Type {
	changed := false
	one := func(t Type) Type {
		u := f(t)
		changed = changed || u != t
		return u
	}
	all := func(ts []Type) []Type {
		out := slices.Clone(ts)
		for i := range out {
			out[i] = one(out[i])
		}
		return out
	}
	switch t := t.(type) {
	case *Constructed:
		if args := all(t.Args); changed {
			return &Constructed{t.Decl, args}
		}
	case *Map:
		if domain, result := all(t.Domain), one(t.Range); changed {
			return &Map{t.Params, domain, result}
		}
	case *Record:
		fields := slices.Clone(t.Fields)
		for i := range fields {
			fields[i].Type = one(fields[i].Type)
		}
		if changed {
			return &Record{fields}
		}
	}
	return t
}

// FreeVariables returns the type variables in types that no map type among them binds, in the order in which they occur.
func FreeVariables(ts ...Type) []*TypeVariable {
	var found, bound []*TypeVariable
	for _, t := range ts {
		inspectType(t, func(t Type) bool {
			switch t := t.(type) {
			case *TypeVariable:
				if !slices.Contains(found, t) {
					found = append(found, t)
				}
			case *Map:
				bound = append(bound, t.Params...)
			}
			return true
		})
	}
	return slices.DeleteFunc(found, func(v *TypeVariable) bool { return slices.Contains(bound, v) })
}

// Bind returns a map from type parameters to the types that they stand for, with what else is known; nil when there is
// nothing in it.
func Bind(known map[*TypeVariable]Type, params []*TypeVariable, args []Type) map[*TypeVariable]Type {
	if len(params) == 0 {
		return known
	}
	out := make(map[*TypeVariable]Type, len(known)+len(params))
	maps.Copy(out, known)
	for i, v := range params {
		out[v] = args[i]
	}
	return out
}

// TypesOf returns type variables as types.
func TypesOf(vs []*TypeVariable) []Type {
	out := make([]Type, len(vs))
	for i, v := range vs {
		out[i] = v
	}
	return out
}

// Ground reports whether there are no type variables in a type.
func Ground(t Type) bool {
	return !AnyType(t, func(t Type) bool {
		m, isMap := t.(*Map)
		_, isVariable := t.(*TypeVariable)
		return isVariable || isMap && len(m.Params) > 0
	})
}

// Order returns the parameters of a polymorphic map type in the order in which they occur in it: map types are the same
// when their parameters differ in names and order only.
func (m *Map) Order() []*TypeVariable {
	free := FreeVariables(append(slices.Clone(m.Domain), m.Range)...)
	return slices.DeleteFunc(free, func(v *TypeVariable) bool { return !slices.Contains(m.Params, v) })
}

// Arguments returns types for the parameters in the order of Order, with known type variables replaced; nil when one of
// them is not ground.
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

// At returns a polymorphic map type at types for its parameters, which are in the order of Order.
func (m *Map) At(types []Type) *Map {
	return Substitute(&Map{Domain: m.Domain, Range: m.Range}, Bind(nil, m.Order(), types)).(*Map)
}

// Rest returns the type of what a map has at one index: a map from the other indices, if there are any.
func (m *Map) Rest() Type {
	if len(m.Domain) == 1 {
		return m.Range
	}
	return &Map{Domain: m.Domain[1:], Range: m.Range}
}

// FieldType returns the type of a field of a datatype's values of the type c.
func (c *Constructed) FieldType(field *Variable) Type {
	return Substitute(field.Type, Bind(nil, c.Decl.Params, c.Args))
}
