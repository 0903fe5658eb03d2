package interpret

import (
	"fmt"
	"strings"

	"hornbeam/frontend/boogie/ast"
)

// closure writes lambda expressions such that those with the same text are the same maps: bound variables are numbered, and
// what does not depend on them is replaced by its value.
type closure struct {
	*scope
	bound []*ast.Variable
	fails bool
}

// lambda is the text of a lambda expression, or nothing.
func (c *closure) lambda(vs []*ast.Variable, body ast.Expr) string {
	text := c.under(vs, func() string { return c.text(body) })
	if c.fails {
		return ""
	}
	return text
}

func (c *closure) under(vs []*ast.Variable, text func() string) string {
	var b strings.Builder
	for _, v := range vs {
		b.WriteString(c.typ(v.Type).String() + ",")
	}
	c.bound = append(c.bound, vs...)
	b.WriteString("." + text())
	c.bound = c.bound[:len(c.bound)-len(vs)]
	return b.String()
}

func (c *closure) all(xs ...ast.Expr) string {
	var b strings.Builder
	for _, x := range xs {
		b.WriteString(c.text(x) + ",")
	}
	return b.String()
}

func (c *closure) text(x ast.Expr) string {
	if !ast.Mentions(x, c.bound) {
		v, err := c.eval(x)
		if err == nil {
			if k, err := key(v); err == nil {
				return "=" + c.typ(x.TypeOf()).String() + " " + k + ";"
			}
		}
	}
	switch x := x.(type) {
	case *ast.Identifier:
		for i := len(c.bound) - 1; i >= 0; i-- {
			if c.bound[i] == x.Decl {
				return fmt.Sprintf("#%d", i)
			}
		}
	case *ast.Application:
		types := ""
		for _, t := range x.TypeArguments {
			types += c.typ(t).String() + ","
		}
		return x.Function.Name + "<" + types + ">(" + c.all(x.Args...) + ")"
	case *ast.Unary:
		return fmt.Sprintf("u%d(%s)", x.Op, c.text(x.X))
	case *ast.Binary:
		return fmt.Sprintf("b%d(%s)", x.Op, c.all(x.X, x.Y))
	case *ast.Select:
		return "select(" + c.text(x.Map) + ":" + c.all(x.Index...) + ")"
	case *ast.Store:
		return "store(" + c.text(x.Map) + ":" + c.all(x.Index...) + ":" + c.text(x.Value) + ")"
	case *ast.Extract:
		return fmt.Sprintf("extract%d,%d(%s)", x.High, x.Low, c.text(x.X))
	case *ast.IfThenElse:
		return "ite(" + c.all(x.Cond, x.Then, x.Else) + ")"
	case *ast.Coercion:
		return c.text(x.X)
	case *ast.Quantifier:
		if len(x.TypeParams) == 0 {
			return fmt.Sprintf("exists=%t(%s)", x.Exists, c.under(x.Bound, func() string { return c.text(x.Body) }))
		}
	case *ast.Lambda:
		if len(x.TypeParams) == 0 {
			return "lambda(" + c.under(x.Bound, func() string { return c.text(x.Body) }) + ")"
		}
	case *ast.Let:
		return "let(" + c.all(x.Values...) + c.under(x.Bound, func() string { return c.text(x.Body) }) + ")"
	case *ast.Is:
		return "is " + x.Name + "(" + c.text(x.X) + ")"
	case *ast.Field:
		return "field " + x.Name + "(" + c.text(x.X) + ")"
	}
	c.fails = true
	return ""
}
