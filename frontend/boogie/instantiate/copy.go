package instantiate

import (
	"maps"

	"hornbeam/frontend/boogie/ast"
)

// copier copies the parts of a procedure, with types for its type parameters and calls of instances.
type copier struct {
	*instantiator
	types map[*ast.TypeVariable]ast.Type
	// now has the copies of the variables in scope.
	now map[*ast.Variable]*ast.Variable
	err error
}

func newCopier(x *instantiator, types map[*ast.TypeVariable]ast.Type) *copier {
	return &copier{instantiator: x, types: types, now: map[*ast.Variable]*ast.Variable{}}
}

func (c *copier) typ(t ast.Type) ast.Type {
	if t == nil {
		return nil
	}
	return ast.Substitute(t, c.types)
}

func (c *copier) allTypes(ts []ast.Type) []ast.Type {
	out := make([]ast.Type, len(ts))
	for i, t := range ts {
		out[i] = c.typ(t)
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
		n.Attributes = ast.RewriteAttributes(v.Attributes, c.expression)
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

// expression copies an expression, its types and its variables.
func (c *copier) expression(e ast.Expr) ast.Expr {
	if let, ok := e.(*ast.Let); ok {
		return c.let(let)
	}
	var bound []*ast.Variable
	switch e := e.(type) {
	case *ast.StringLiteral:
		return e
	case *ast.Identifier:
		n := *e
		n.Type = c.typ(e.Type)
		if v := c.now[e.Decl]; v != nil {
			n.Decl = v
		}
		return &n
	case *ast.CodeExpr:
		n := *e
		n.Body = c.body(e.Body)
		return &n
	case *ast.Quantifier:
		bound = c.variables(e.Bound)
	case *ast.Lambda:
		bound = c.variables(e.Bound)
	}
	n := ast.Rewrite(e, c.expression)
	if n == e {
		return e // a literal
	}
	switch n := n.(type) {
	case *ast.Quantifier:
		n.Bound, n.Attributes = bound, ast.RewriteAttributes(n.Attributes, c.expression)
	case *ast.Lambda:
		n.Bound, n.Attributes = bound, ast.RewriteAttributes(n.Attributes, c.expression)
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

// let copies a let expression, the values of which do not see the bound variables.
func (c *copier) let(e *ast.Let) ast.Expr {
	n := *e
	n.Values = make([]ast.Expr, len(e.Values))
	for i, x := range e.Values {
		n.Values[i] = c.expression(x)
	}
	n.Bound = c.variables(e.Bound)
	n.Attributes = ast.RewriteAttributes(e.Attributes, c.expression)
	n.Body, n.Type = c.expression(e.Body), c.typ(e.Type)
	return &n
}

// body copies the locals and the statements of a body.
func (c *copier) body(b *ast.Body) *ast.Body {
	inner := *c
	inner.now = maps.Clone(c.now)
	out := &ast.Body{Pos: b.Pos, End: b.End, Locals: inner.variables(b.Locals)}
	inner.wheres(out.Locals)
	out.Stmts = ast.CopyStatements(b.Stmts, inner.expression, func(s, copied ast.Stmt) {
		if call, ok := copied.(*ast.Call); ok {
			inner.call(s.(*ast.Call), call)
		}
	})
	if c.err == nil {
		c.err = inner.err
	}
	return out
}

// call lets the copy of a call call the instance for the call's types.
func (c *copier) call(s, copied *ast.Call) {
	callee, err := c.instance(s, c.allTypes(s.TypeArguments))
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return
	}
	copied.Name, copied.Procedure, copied.TypeArguments = callee.Name, callee, ast.TypesOf(callee.TypeParams)
}
