package ast

import (
	"hornbeam/chc"
)

// Attribute is `{:Name Args}`. An argument is any expression, or a *StringLiteral.
type Attribute struct {
	Pos  chc.Position
	Name string
	Args []Expr
}

// Attributes are the attributes of one thing, in the source's order. Names may repeat, and any name may occur.
type Attributes []*Attribute

// Find returns the last attribute of that name, the one that counts, or nil.
func (as Attributes) Find(name string) *Attribute {
	for i := len(as) - 1; i >= 0; i-- {
		if as[i].Name == name {
			return as[i]
		}
	}
	return nil
}

// Has reports whether there is an attribute of that name, unless its only argument is the literal false: `{:name}` and
// `{:name true}` say yes.
func (as Attributes) Has(name string) bool {
	a := as.Find(name)
	if a == nil {
		return false
	}
	if len(a.Args) == 1 {
		if b, ok := a.Args[0].(*BoolLiteral); ok {
			return b.Value
		}
	}
	return true
}

// Text returns the first argument of the attribute of that name when it is a string.
func (as Attributes) Text(name string) (string, bool) {
	if a := as.Find(name); a != nil && len(a.Args) > 0 {
		if s, ok := a.Args[0].(*StringLiteral); ok {
			return s.Text, true
		}
	}
	return "", false
}

// StatementAttributes returns the attributes of an assertion, an assumption or a call; those of other statements have no
// meaning.
func StatementAttributes(s Stmt) Attributes {
	switch s := s.(type) {
	case *Assert:
		return s.Attributes
	case *Assume:
		return s.Attributes
	case *Call:
		return s.Attributes
	}
	return nil
}

// Int returns the only argument of the attribute of that name when it is a number that fits.
func (as Attributes) Int(name string) (int, bool) {
	if a := as.Find(name); a != nil && len(a.Args) == 1 {
		if n, ok := a.Args[0].(*IntLiteral); ok && n.Value.IsInt64() {
			return int(n.Value.Int64()), true
		}
	}
	return 0, false
}
