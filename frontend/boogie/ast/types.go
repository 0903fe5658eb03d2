package ast

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hornbeam/chc"
)

// Type is what a type means: Basic, *BitVector, *Constructed, *Map, *Record or *TypeVariable. Synonyms are expanded. Types are
// compared by Equal, not by ==.
type Type interface {
	// String is the type as Boogie writes it.
	String() string
	isType()
}

// Basic is one of the types that are built in and have no arguments.
type Basic uint8

// The basic types.
const (
	Bool Basic = iota
	Int
	Real
)

// BitVector is the type bvN.
type BitVector struct{ Width int }

// Constructed is an uninterpreted type or a datatype: a declared type with an argument for each of its parameters.
type Constructed struct {
	Decl *TypeDecl
	Args []Type
}

// Map is the type `<Params>[Domain]Range` of total maps. [int,int]T has two domain types, [int][int]T is a map of maps:
// they are different. Each parameter occurs in the domain or the range.
type Map struct {
	Params []*TypeVariable
	Domain []Type
	Range  Type
}

// Record is Ultimate's `{ Name: Type, … }`: a value for each field.
type Record struct{ Fields []RecordField }

// RecordField is the name and the type of a field.
type RecordField struct {
	Name string
	Type Type
}

// TypeVariable is a type parameter of a map type, function, procedure, implementation, quantifier, lambda or type
// declaration. The pointer is its identity.
type TypeVariable struct {
	Pos  chc.Position
	Name string
}

func (Basic) isType()         {}
func (*BitVector) isType()    {}
func (*Constructed) isType()  {}
func (*Map) isType()          {}
func (*Record) isType()       {}
func (*TypeVariable) isType() {}

func (b Basic) String() string {
	return [...]string{Bool: "bool", Int: "int", Real: "real"}[b]
}

func (b *BitVector) String() string    { return "bv" + strconv.Itoa(b.Width) }
func (v *TypeVariable) String() string { return quote(v.Name) }

func (c *Constructed) String() string {
	var s strings.Builder
	s.WriteString(quote(c.Decl.Name))
	for _, a := range c.Args {
		s.WriteByte(' ')
		if nullary(a) {
			s.WriteString(a.String())
		} else {
			s.WriteString("(" + a.String() + ")")
		}
	}
	return s.String()
}

// nullary reports whether t can be an argument of a type constructor without parentheses.
func nullary(t Type) bool {
	switch t := t.(type) {
	case *Constructed:
		return len(t.Args) == 0
	case *Map:
		return false
	}
	return true
}

func (m *Map) String() string {
	var s strings.Builder
	for i, v := range m.Params {
		s.WriteString([]string{"<", ", "}[min(i, 1)] + quote(v.Name))
	}
	if len(m.Params) > 0 {
		s.WriteByte('>')
	}
	s.WriteByte('[')
	for i, t := range m.Domain {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(t.String())
	}
	return s.String() + "]" + m.Range.String()
}

func (r *Record) String() string {
	var s strings.Builder
	for i, f := range r.Fields {
		s.WriteString([]string{"{ ", ", "}[min(i, 1)] + quote(f.Name) + ": " + f.Type.String())
	}
	return s.String() + " }"
}

// Field returns the type of the field of that name, or nil.
func (r *Record) Field(name string) Type {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return nil
}

// Equal reports whether two types are the same. Map types are compared up to the names and the order of the type
// variables that they bind.
func Equal(a, b Type) bool { return equal(a, b, nil) }

// binder is a pair of map types that are being compared, below outer ones: partners has for each parameter of left the
// one of right that it was found to stand for.
type binder struct {
	left, right, partners []*TypeVariable
	outer                 *binder
}

func equal(a, b Type, in *binder) bool {
	same := func(a, b Type) bool { return equal(a, b, in) }
	switch a := a.(type) {
	case Basic:
		return a == b
	case *BitVector:
		b, ok := b.(*BitVector)
		return ok && a.Width == b.Width
	case *Constructed:
		b, ok := b.(*Constructed)
		return ok && a.Decl == b.Decl && slices.EqualFunc(a.Args, b.Args, same)
	case *TypeVariable:
		b, ok := b.(*TypeVariable)
		return ok && equalVariables(a, b, in)
	case *Map:
		b, ok := b.(*Map)
		if !ok || len(a.Params) != len(b.Params) {
			return false
		}
		if len(a.Params) > 0 {
			in = &binder{a.Params, b.Params, make([]*TypeVariable, len(a.Params)), in}
		}
		return slices.EqualFunc(a.Domain, b.Domain, same) && same(a.Range, b.Range)
	case *Record:
		b, ok := b.(*Record)
		return ok && slices.EqualFunc(a.Fields, b.Fields, func(f, g RecordField) bool { return f.Name == g.Name && same(f.Type, g.Type) })
	}
	return false
}

// equalVariables reports whether the same pair of map types binds a on the left and b on the right, as partners, or
// nothing binds either and they are one.
func equalVariables(a, b *TypeVariable, in *binder) bool {
	for ; in != nil; in = in.outer {
		i, bound := slices.Index(in.left, a), slices.Contains(in.right, b)
		if i < 0 && !bound {
			continue
		}
		if i < 0 || !bound {
			return false
		}
		if in.partners[i] == nil && !slices.Contains(in.partners, b) {
			in.partners[i] = b
		}
		return in.partners[i] == b
	}
	return a == b
}

// Substitute puts types for type variables, all at once, but not for those that a map type binds. What is put in must
// not mention type variables that t binds.
func Substitute(t Type, args map[*TypeVariable]Type) Type {
	if len(args) == 0 {
		return t
	}
	switch t := t.(type) {
	case *TypeVariable:
		if u, ok := args[t]; ok {
			return u
		}
	case *Map:
		args = without(args, t.Params)
	}
	return RewriteType(t, func(t Type) Type { return Substitute(t, args) })
}

func without(args map[*TypeVariable]Type, bound []*TypeVariable) map[*TypeVariable]Type {
	if !slices.ContainsFunc(bound, func(v *TypeVariable) bool { _, ok := args[v]; return ok }) {
		return args
	}
	args = maps.Clone(args)
	for _, v := range bound {
		delete(args, v)
	}
	return args
}

// TypeSyntax is a type as the source writes it: *TypeName, *MapSyntax or *RecordSyntax.
type TypeSyntax interface {
	// At is where the type begins.
	At() chc.Position
	isTypeSyntax()
}

// TypeName is a basic type, a bit-vector type bvN, a type variable, a synonym or a type constructor, with its arguments.
type TypeName struct {
	Pos  chc.Position
	Name string
	Args []TypeSyntax
	// Decl is the declared type or synonym that is meant, if any; boogie.Check sets it.
	Decl *TypeDecl
}

// MapSyntax is `<Params>[Domain]Range`.
type MapSyntax struct {
	Pos    chc.Position
	Params []*TypeVariable
	Domain []TypeSyntax
	Range  TypeSyntax
}

// RecordSyntax is `{ Names[0]: Types[0], … }`.
type RecordSyntax struct {
	Pos   chc.Position
	Names []string
	Types []TypeSyntax
}

func (t *RecordSyntax) At() chc.Position { return t.Pos }
func (t *TypeName) At() chc.Position     { return t.Pos }
func (t *MapSyntax) At() chc.Position    { return t.Pos }

func (*TypeName) isTypeSyntax()     {}
func (*MapSyntax) isTypeSyntax()    {}
func (*RecordSyntax) isTypeSyntax() {}

// SyntaxOf writes a type as the source would. Type variables stand for themselves by name.
func SyntaxOf(t Type) TypeSyntax {
	all := func(ts []Type) []TypeSyntax {
		out := make([]TypeSyntax, len(ts))
		for i, u := range ts {
			out[i] = SyntaxOf(u)
		}
		return out
	}
	switch t := t.(type) {
	case *Constructed:
		return &TypeName{Name: t.Decl.Name, Args: all(t.Args), Decl: t.Decl}
	case *Map:
		return &MapSyntax{Params: t.Params, Domain: all(t.Domain), Range: SyntaxOf(t.Range)}
	case *Record:
		r := &RecordSyntax{}
		for _, f := range t.Fields {
			r.Names, r.Types = append(r.Names, f.Name), append(r.Types, SyntaxOf(f.Type))
		}
		return r
	case *TypeVariable:
		return &TypeName{Name: t.Name}
	}
	return &TypeName{Name: t.String()}
}
