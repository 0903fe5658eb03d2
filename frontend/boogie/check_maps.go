package boogie

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// mapType returns the map type that an expression that is indexed has, with the parameters instantiated by what is put
// into *args; nil after an error. While the type is not known, it returns a type of unknown parts, and *args waits.
func (c *checker) mapType(pos chc.Position, t ast.Type, arguments int, args *[]ast.Type) *ast.Map {
	t = c.infer.walk(t)
	v, ok := c.infer.flexible(t)
	if !ok {
		return c.knownMap(pos, t, arguments, args)
	}
	m := &ast.Map{Domain: make([]ast.Type, arguments)}
	for i := range m.Domain {
		m.Domain[i] = c.infer.fresh([]*ast.TypeVariable{v})[0]
	}
	m.Range = c.infer.fresh([]*ast.TypeVariable{v})[0]
	*args = nil
	c.infer.waiting = append(c.infer.waiting, func(force bool) bool {
		t := c.infer.walk(v)
		if _, ok := c.infer.flexible(t); ok {
			if force && !c.infer.unify(t, m) {
				c.Errorf(pos, "the type of this map contains itself")
			}
			return force
		}
		if known := c.knownMap(pos, t, arguments, args); known != nil && !c.infer.unify(known, m) {
			c.mismatchf(pos, "a map of type %s is used as one of type %s", c.show(t), c.show(m))
		}
		for i := range *args {
			c.infer.later(&(*args)[i])
		}
		return true
	})
	return m
}

// knownMap instantiates the type of a map.
func (c *checker) knownMap(pos chc.Position, t ast.Type, arguments int, args *[]ast.Type) *ast.Map {
	m, ok := t.(*ast.Map)
	if !ok {
		if t != nil {
			c.Errorf(pos, "this is indexed like a map, but has type %s", c.show(t))
		}
		return nil
	}
	if len(m.Domain) != arguments {
		c.Errorf(pos, "a map of type %s takes %s, got %d", c.show(m), count(len(m.Domain), "index argument"), arguments)
		return nil
	}
	*args = c.infer.fresh(m.Params)
	if len(m.Params) == 0 {
		return m
	}
	sub := ast.Bind(nil, m.Params, *args)
	out := &ast.Map{Range: ast.Substitute(m.Range, sub)}
	for _, d := range m.Domain {
		out.Domain = append(out.Domain, ast.Substitute(d, sub))
	}
	return out
}

// indices checks the indices of a selection or an update.
func (c *checker) indices(m *ast.Map, index []ast.Expr) {
	for i, x := range index {
		t := c.expr(x)
		if m != nil && !c.infer.unify(m.Domain[i], t) {
			c.mismatchf(x.At(), "index %d should have type %s, but has type %s", i+1, c.show(m.Domain[i]), c.show(t))
		}
	}
}

func (c *checker) selection(e *ast.Select) ast.Type {
	m := c.mapType(e.Pos, c.expr(e.Map), len(e.Index), &e.TypeArguments)
	c.indices(m, e.Index)
	if m == nil {
		e.Type = nil
		return nil
	}
	return c.instantiated(&e.Node, m.Range, e.TypeArguments)
}

func (c *checker) store(e *ast.Store) ast.Type {
	t := c.expr(e.Map)
	m := c.mapType(e.Pos, t, len(e.Index), &e.TypeArguments)
	c.indices(m, e.Index)
	v := c.expr(e.Value)
	if m == nil {
		e.Type = nil
		return nil
	}
	if !c.infer.unify(m.Range, v) {
		c.mismatchf(e.Value.At(), "the new entry of the map should have type %s, but has type %s", c.show(m.Range), c.show(v))
	}
	for i := range e.TypeArguments {
		c.infer.later(&e.TypeArguments[i])
	}
	return c.typed(&e.Node, t)
}

// is types `x is Constructor`.
func (c *checker) is(e *ast.Is) ast.Type {
	t := c.expr(e.X)
	f := c.functions[e.Name]
	if f == nil || f.Datatype == nil {
		c.Errorf(e.Pos, "%s is not the constructor of a datatype", shorten(e.Name))
	} else {
		e.Constructor = f
		m := ast.Bind(nil, f.TypeParams, c.infer.fresh(f.TypeParams))
		if want := ast.Substitute(f.Result.Type, m); !c.infer.unify(want, t) {
			c.Errorf(e.Pos, "%s makes values of type %s, but this has type %s", f.Name, c.show(want), c.show(t))
		}
	}
	e.Type = ast.Bool
	return ast.Bool
}

// fieldType returns the type of a field of a value of type t, or nil after an error.
func (c *checker) fieldType(pos chc.Position, t ast.Type, name string, record bool) ast.Type {
	switch t := c.infer.walk(t).(type) {
	case nil:
		return nil
	case *ast.Record:
		if f := t.Field(name); f != nil && record {
			return f
		}
	case *ast.Constructed:
		if record {
			break
		}
		for _, f := range t.Decl.Constructors {
			if v := fieldOf(f, name); v != nil {
				return ast.Substitute(v.Type, ast.Bind(nil, t.Decl.Params, t.Args))
			}
		}
	}
	c.Errorf(pos, "type %s has no field %s", c.show(t), shorten(name))
	return nil
}

func (c *checker) record(e *ast.RecordLiteral) ast.Type {
	r := &ast.Record{}
	ok := true
	for i, name := range e.Names {
		t := c.expr(e.Values[i])
		ok = ok && t != nil
		if slices.Contains(e.Names[:i], name) {
			c.Errorf(e.Pos, "field %s is given twice", name)
			ok = false
		}
		r.Fields = append(r.Fields, ast.RecordField{Name: name, Type: t})
	}
	if ok && !small(c.infer.expand(r)) {
		c.Errorf(e.Pos, "the type of this expression has more than %d parts", maxType)
		ok = false
	}
	if !ok {
		e.Type = nil
		return nil
	}
	return c.typed(&e.Node, r)
}
