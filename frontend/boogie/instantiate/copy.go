package instantiate

import (
	"maps"
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// copier copies what is in a procedure, with types for its type parameters and calls of instances.
type copier struct {
	*instantiator
	types map[*ast.TypeVariable]ast.Type
	// now has the copies of the variables in scope.
	now map[*ast.Variable]*ast.Variable
	err error
}

func newCopier(x *instantiator) *copier {
	return &copier{instantiator: x, types: map[*ast.TypeVariable]ast.Type{}, now: map[*ast.Variable]*ast.Variable{}}
}

func (c *copier) typ(t ast.Type) ast.Type {
	if t == nil {
		return nil
	}
	return ast.Substitute(t, c.types)
}

func (c *copier) allTypes(ts []ast.Type) []ast.Type {
	out := slices.Clone(ts)
	for i := range out {
		out[i] = c.typ(out[i])
	}
	return out
}

// variables copies variables and brings the copies into scope. Their where clauses are still the old ones.
func (c *copier) variables(vs []*ast.Variable) []*ast.Variable {
	out := make([]*ast.Variable, len(vs))
	for i, v := range vs {
		n := *v
		if n.Type = c.typ(v.Type); n.Type != nil && v.Syntax != nil && !ast.Equal(n.Type, v.Type) {
			n.Syntax = ast.SyntaxOf(n.Type)
		}
		n.Attributes = c.attributes(v.Attributes)
		c.now[v] = &n
		out[i] = &n
	}
	return out
}

// wheres copies the where clauses of variables, that of one declaration once.
func (c *copier) wheres(vs []*ast.Variable) {
	copies := map[ast.Expr]ast.Expr{}
	for _, v := range vs {
		if v.Where != nil && copies[v.Where] == nil {
			copies[v.Where] = c.expression(v.Where)
		}
		v.Where = copies[v.Where]
	}
}

func (c *copier) specifications(specs []*ast.Specification) []*ast.Specification {
	return ast.RewriteSpecifications(specs, c.expression)
}

func (c *copier) attributes(as ast.Attributes) ast.Attributes {
	return ast.RewriteAttributes(as, c.expression)
}

func (c *copier) expressions(es []ast.Expr) []ast.Expr {
	out := slices.Clone(es)
	for i := range out {
		out[i] = c.expression(out[i])
	}
	return out
}

func (c *copier) identifier(id *ast.Identifier) *ast.Identifier {
	if id == nil {
		return nil
	}
	n := *id
	n.Type = c.typ(id.Type)
	if v := c.now[id.Decl]; v != nil {
		n.Decl = v
	}
	return &n
}

func (c *copier) identifiers(ids []*ast.Identifier) []*ast.Identifier {
	out := slices.Clone(ids)
	for i := range out {
		out[i] = c.identifier(out[i])
	}
	return out
}

// expression copies an expression, its types and its variables.
func (c *copier) expression(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	switch e := e.(type) {
	case *ast.StringLiteral:
		return e
	case *ast.Identifier:
		return c.identifier(e)
	case *ast.CodeExpr:
		n := *e
		n.Body = c.body(e.Body)
		return &n
	case *ast.Quantifier:
		n := *e
		n.Bound = c.variables(e.Bound)
		n.Attributes = c.attributes(e.Attributes)
		n.Triggers = slices.Clone(e.Triggers)
		for i, t := range n.Triggers {
			u := *t
			u.Terms = c.expressions(t.Terms)
			n.Triggers[i] = &u
		}
		n.Body = c.expression(e.Body)
		return &n
	case *ast.Lambda:
		n := *e
		n.Bound = c.variables(e.Bound)
		n.Attributes = c.attributes(e.Attributes)
		n.Body = c.expression(e.Body)
		n.Type = c.typ(e.Type)
		return &n
	case *ast.Let:
		n := *e
		n.Values = c.expressions(e.Values)
		n.Bound = c.variables(e.Bound)
		n.Attributes = c.attributes(e.Attributes)
		n.Body = c.expression(e.Body)
		n.Type = c.typ(e.Type)
		return &n
	}
	n := ast.Rewrite(e, c.expression)
	if n == e {
		return e // a literal
	}
	switch n := n.(type) {
	case *ast.Application:
		n.TypeArguments = c.allTypes(n.TypeArguments)
	case *ast.Select:
		n.TypeArguments = c.allTypes(n.TypeArguments)
	case *ast.Store:
		n.TypeArguments = c.allTypes(n.TypeArguments)
	case *ast.Coercion:
		if t := c.typ(n.Type); t != nil && !ast.Equal(t, n.Type) {
			n.Syntax = ast.SyntaxOf(t)
		}
	}
	ast.SetType(n, c.typ(n.TypeOf()))
	return n
}

// body copies the locals and the statements of a body.
func (c *copier) body(b *ast.Body) *ast.Body {
	inner := *c
	inner.now = maps.Clone(c.now)
	out := &ast.Body{Pos: b.Pos, End: b.End, Locals: inner.variables(b.Locals)}
	inner.wheres(out.Locals)
	statements := &ast.Copier{Expr: inner.expression, Call: inner.call}
	out.Stmts = statements.Body(b.Stmts)
	if c.err == nil {
		c.err = inner.err
	}
	return out
}

// call calls the instance for the types of a call.
func (c *copier) call(s *ast.Call) ast.Stmt {
	n := *s
	n.Attributes = c.attributes(s.Attributes)
	n.Args, n.Results = c.expressions(s.Args), c.identifiers(s.Results)
	types := c.allTypes(s.TypeArguments)
	callee, err := c.instance(s, types)
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return &n
	}
	n.Name, n.Procedure, n.TypeArguments = callee.Name, callee, nil
	for _, v := range callee.TypeParams {
		n.TypeArguments = append(n.TypeArguments, v)
	}
	return &n
}
