package proof

import (
	"maps"

	"hornbeam/frontend/c/tree"
)

// scope is what a function's own names stand for at a statement.
type scope map[string]*tree.Object

// Scopes has the scopes at the statements of functions. Those of a for loop know what its head declares.
type Scopes map[*tree.Function]map[tree.Statement]scope

// Visible tells whether the object's name stands for it at a statement of a function.
func (s Scopes) Visible(f *tree.Function, at tree.Statement, o *tree.Object) bool {
	if o.Name == "" || f.Body == nil {
		return false
	}
	if s[f] == nil {
		s[f] = map[tree.Statement]scope{}
		names := scope{}
		for _, p := range f.Params {
			names[p.Name] = p
		}
		s.walk(f, f.Body, names)
	}
	names, known := s[f][at]
	if local, ok := names[o.Name]; ok || !known {
		return known && local == o
	}
	return o.Storage == tree.Global && before(o.Pos, f.Pos)
}

// before tells whether a place is before another one in the same file.
func before(a, b tree.Pos) bool {
	return a.File == b.File && a.Compare(b) < 0
}

// walk notes the scopes of a statement and of those in it, and returns the scope behind it.
func (s Scopes) walk(f *tree.Function, t tree.Statement, names scope) scope {
	s[f][t] = names
	inner := func(t tree.Statement, names scope) {
		if t != nil {
			s.walk(f, t, names)
		}
	}
	switch t := t.(type) {
	case *tree.Declare:
		if t.Object.Name == "" {
			return names
		}
		names = maps.Clone(names)
		names[t.Object.Name] = t.Object
	case *tree.Block:
		in := names
		for _, u := range t.Statements {
			in = s.walk(f, u, in)
		}
	case *tree.If:
		inner(t.Then, names)
		inner(t.Else, names)
	case *tree.While:
		inner(t.Body, names)
	case *tree.DoWhile:
		inner(t.Body, names)
	case *tree.For:
		in := names
		for _, i := range t.Init {
			in = s.walk(f, i, in)
		}
		s[f][t] = in
		inner(t.Body, in)
	case *tree.Switch:
		inner(t.Body, names)
	case *tree.Case:
		return s.walk(f, t.Statement, names)
	case *tree.Label:
		return s.walk(f, t.Statement, names)
	}
	return names
}
