package proof

import (
	"strings"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// read writes an element of a map, the application of a function, or what has still too few indices to be one.
func (x *expresser) read(t *term.Term) value {
	m := x.value(t.Arg(0), nil)
	typ, ok := m.typ.(*ast.Map)
	if !ok {
		fail("an element of something that is no map")
	}
	if m.missing == 0 {
		m.missing, m.index = len(typ.Domain), nil
	}
	i := x.expression(t.Arg(1), typ.Domain[0])
	v := value{expr: m.expr, typ: typ.Rest(), function: m.function, index: append(m.index[:len(m.index):len(m.index)], i), missing: m.missing - 1}
	if v.missing == 0 {
		v.expr, v.function, v.index = x.elementOf(v), nil, nil
	}
	return v
}

// elementOf is the element, or the application, of which all indices are there.
func (x *expresser) elementOf(v value) ast.Expr {
	if v.function == nil {
		return &ast.Select{Map: v.expr, Index: v.index}
	}
	if op, ok := v.function.ByZero(); ok {
		zero := x.zero(term.Int)
		if op == ast.RealDiv {
			zero = x.zero(term.Real)
		}
		return binary(op, v.index[0], zero)
	}
	return &ast.Application{Name: functionName(v.function.Function), Args: v.index}
}

// functionName is the name of a function as the program has it: one with type parameters has a version for each choice of
// types, which are part of the version's name.
func functionName(f *ast.Function) string {
	name, _, _ := strings.Cut(f.Name, " ")
	return name
}

// complete reports whether a term can be written as a map.
func (x *expresser) complete(t *term.Term) bool {
	c, known := x.known.complete[t]
	if !known {
		c = x.findComplete(t)
		x.known.complete[t] = c
	}
	return c
}

func (x *expresser) findComplete(t *term.Term) bool {
	switch t.Op() {
	case term.Var:
		v := x.variables[t]
		return v != nil && v.function == nil
	case term.Select:
		m := t
		indices := 0
		for m.Op() == term.Select {
			m = m.Arg(0)
			indices++
		}
		// It is when none of the maps that are read on the way lacks an index.
		typ := x.typeOf(m)
		for indices > 0 {
			mt, ok := typ.(*ast.Map)
			if !ok || len(mt.Domain) > indices {
				return false
			}
			indices -= len(mt.Domain)
			typ = mt.Range
		}
		return true
	case term.Field:
		_, part := x.typeOf(t.Arg(0)).(*ast.Map)
		return !part
	case term.Store:
		return x.complete(t.Arg(0))
	case term.Ite:
		return x.complete(t.Arg(1)) && x.complete(t.Arg(2))
	}
	return true
}

// asLambda writes a function, or a map that lacks indices, as a map of these.
func (x *expresser) asLambda(v value) ast.Expr {
	typ, ok := v.typ.(*ast.Map)
	if !ok || len(typ.Domain) != v.missing {
		fail("a part of a map")
	}
	l := &ast.Lambda{}
	index := v.index[:len(v.index):len(v.index)]
	for _, d := range typ.Domain {
		b := &ast.Variable{Kind: ast.Bound, Name: x.freshName(d), Type: d}
		l.Bound = append(l.Bound, b)
		index = append(index, &ast.Identifier{Name: b.Name, Decl: b})
	}
	v.index = index
	l.Body = x.elementOf(v)
	x.release(l.Bound)
	return l
}

// mapExpression writes a map with changed entries, or one that has one value everywhere.
func (x *expresser) mapExpression(t *term.Term, typ ast.Type) ast.Expr {
	m, ok := typ.(*ast.Map)
	if !ok {
		fail("a map of the sort %s", t.Sort())
	}
	if t.Op() == term.ConstArray {
		l := &ast.Lambda{}
		for _, d := range m.Domain {
			if t.Op() != term.ConstArray {
				fail("a map of several indices with different rows")
			}
			l.Bound = append(l.Bound, &ast.Variable{Kind: ast.Bound, Name: x.freshName(d), Type: d})
			t = t.Arg(0)
		}
		l.Body = x.expression(t, m.Range)
		x.release(l.Bound)
		return l
	}
	base := t.Arg(0)
	return x.changed(x.expression(base, typ), base, t, nil, m, m.Domain)
}

// changed is the map e, which base stands for in part at the indices so far, with the changes of t at further ones.
func (x *expresser) changed(e ast.Expr, base, t *term.Term, index []ast.Expr, m *ast.Map, domain []ast.Type) ast.Expr {
	if t == base {
		return e
	}
	if t.Op() != term.Store {
		fail("a row of a map of several indices that is another map's")
	}
	if t.Arg(0) != base {
		e = x.changed(e, base, t.Arg(0), index, m, domain)
	}
	i := append(index[:len(index):len(index)], x.expression(t.Arg(1), domain[0]))
	if len(domain) == 1 {
		return &ast.Store{Map: e, Index: i, Value: x.expression(t.Arg(2), m.Range)}
	}
	return x.changed(e, x.pool.Select(t.Arg(0), t.Arg(1)), t.Arg(2), i, m, domain[1:])
}
