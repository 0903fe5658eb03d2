package ast

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// typeGrower makes random types over a few constructors and the type variables in scope.
type typeGrower struct {
	t     *rapid.T
	decls []*TypeDecl
}

func (g *typeGrower) typ(scope []*TypeVariable, depth int) Type {
	n := rapid.IntRange(0, 7).Draw(g.t, "kind")
	if depth == 0 {
		n %= 4
	}
	switch n {
	case 0, 1:
		return Basic(rapid.IntRange(0, 2).Draw(g.t, "basic"))
	case 2:
		return &BitVector{Width: rapid.IntRange(1, 3).Draw(g.t, "width")}
	case 3:
		if len(scope) == 0 {
			return Int
		}
		return rapid.SampledFrom(scope).Draw(g.t, "variable")
	case 4, 5:
		d := rapid.SampledFrom(g.decls).Draw(g.t, "constructor")
		c := &Constructed{Decl: d}
		for range d.Params {
			c.Args = append(c.Args, g.typ(scope, depth-1))
		}
		return c
	case 6:
		return &Record{Fields: []RecordField{{"a", g.typ(scope, depth-1)}, {"b", g.typ(scope, depth-1)}}}
	}
	m := &Map{}
	for range rapid.IntRange(0, 2).Draw(g.t, "parameters") {
		v := &TypeVariable{Name: rapid.SampledFrom([]string{"a", "b"}).Draw(g.t, "name")}
		m.Params = append(m.Params, v)
		m.Domain = append(m.Domain, v)
	}
	inner := append(scope[:len(scope):len(scope)], m.Params...)
	m.Domain = append(m.Domain, g.typ(inner, depth-1))
	m.Range = g.typ(inner, depth-1)
	return m
}

// renamed is a copy of t with new bound variables, those of each map type in another order.
func renamed(t Type, to map[*TypeVariable]Type) Type {
	switch t := t.(type) {
	case *TypeVariable:
		if u, ok := to[t]; ok {
			return u
		}
		return t
	case *Constructed:
		c := &Constructed{Decl: t.Decl}
		for _, a := range t.Args {
			c.Args = append(c.Args, renamed(a, to))
		}
		return c
	case *Record:
		r := &Record{}
		for _, f := range t.Fields {
			r.Fields = append(r.Fields, RecordField{f.Name, renamed(f.Type, to)})
		}
		return r
	case *Map:
		inner := map[*TypeVariable]Type{}
		for v, u := range to {
			inner[v] = u
		}
		m := &Map{}
		for i := range t.Params {
			v := &TypeVariable{Name: "c"}
			m.Params = append(m.Params, v)
			inner[t.Params[len(t.Params)-1-i]] = v
		}
		for _, d := range t.Domain {
			m.Domain = append(m.Domain, renamed(d, inner))
		}
		m.Range = renamed(t.Range, inner)
		return m
	}
	return t
}

// Equality of types is an equivalence that doesn't see names and order of bound variables, and a type and its image under
// a substitution are equal only if what is substituted is.
func TestEqualTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		free := []*TypeVariable{{Name: "a"}, {Name: "b"}}
		g := &typeGrower{t, []*TypeDecl{{Name: "T"}, {Name: "L", Params: free[:1]}, {Name: "P", Params: free}}}
		a, b := g.typ(free, 3), g.typ(free, 3)
		require.True(t, Equal(a, a))
		require.Equal(t, Equal(a, b), Equal(b, a))
		other := renamed(a, nil)
		require.True(t, Equal(a, other), "%s and %s", a, other)
		require.True(t, Equal(other, a))
		require.Equal(t, Equal(a, b), Equal(other, b))

		x := &TypeVariable{Name: "x"}
		moved := Substitute(a, map[*TypeVariable]Type{free[0]: x})
		back := Substitute(moved, map[*TypeVariable]Type{x: free[0]})
		require.True(t, Equal(a, back))
		require.Equal(t, moved == a, Equal(a, moved), "%s and %s", a, moved)
	})
}

// Map types that bind the same variables differently are different, also inside one another.
func TestBoundVariables(t *testing.T) {
	a, b, c, d := &TypeVariable{Name: "a"}, &TypeVariable{Name: "b"}, &TypeVariable{Name: "c"}, &TypeVariable{Name: "d"}
	one := &Map{Params: []*TypeVariable{a, b}, Domain: []Type{a, b}, Range: a}
	two := &Map{Params: []*TypeVariable{c, d}, Domain: []Type{d, c}, Range: d}
	three := &Map{Params: []*TypeVariable{c, d}, Domain: []Type{c, d}, Range: d}
	four := &Map{Params: []*TypeVariable{c, d}, Domain: []Type{c, c}, Range: c}
	require.True(t, Equal(one, two))
	require.False(t, Equal(one, three))
	require.False(t, Equal(one, four))
	require.False(t, Equal(four, one))
	// The same binder inside itself, as instantiating a synonym makes it.
	nest := func(v *TypeVariable, inner Type) *Map {
		return &Map{Params: []*TypeVariable{v}, Domain: []Type{v}, Range: inner}
	}
	require.True(t, Equal(nest(a, nest(a, a)), nest(b, nest(c, c))))
	require.False(t, Equal(nest(a, nest(a, a)), nest(b, nest(c, b))))
	require.False(t, Equal(nest(a, b), nest(b, b)))
	require.Equal(t, "<a>[a]<a>[a]a", Substitute(nest(a, nest(a, a)), map[*TypeVariable]Type{a: Int}).String())
	require.Equal(t, "<a>[a]int", Substitute(nest(a, b), map[*TypeVariable]Type{b: Int}).String())
}

// The attribute that stands last counts.
func TestAttributes(t *testing.T) {
	text := func(s string) []Expr { return []Expr{&StringLiteral{Text: s}} }
	as := Attributes{{Name: "a", Args: text("x")}, {Name: "b", Args: []Expr{&BoolLiteral{Value: false}}}, {Name: "a", Args: text("y")}, {Name: "c"}}
	s, ok := as.Text("a")
	require.True(t, ok)
	require.Equal(t, "y", s)
	_, ok = as.Text("c")
	require.False(t, ok)
	require.Same(t, as[2], as.Find("a"))
	require.True(t, as.Has("a") && as.Has("c"))
	require.False(t, as.Has("b") || as.Has("d"))
	_, ok = as.Int("a")
	require.False(t, ok)
}
