package boogie

import (
	"fmt"
	"strings"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// formula checks a Boolean expression that stands by itself; what says which, for errors.
func (c *checker) formula(e ast.Expr, what string) {
	c.expect(e, ast.Bool, what)
	c.infer.finish()
}

// expect checks an expression that must have the type.
func (c *checker) expect(e ast.Expr, want ast.Type, what string) {
	if got := c.expr(e); !c.infer.unify(want, got) {
		c.mismatchf(e.At(), "%s should have type %s, but has type %s", what, c.show(want), c.show(got))
	}
}

// mismatchf reports types that do not fit together.
func (c *checker) mismatchf(pos chc.Position, format string, args ...any) {
	c.mismatches++
	c.Errorf(pos, format, args...)
}

// tolerating runs f and reports whether it found nothing wrong but types that do not fit together, in a lenient check;
// these errors are forgotten then, and the first one is returned.
func (c *checker) tolerating(f func()) *Error {
	errors, mismatches := len(c.Errors), c.mismatches
	f()
	if found := len(c.Errors) - errors; !c.lenient || found == 0 || found != c.mismatches-mismatches {
		return nil
	}
	first := c.Errors[errors]
	c.Errors = c.Errors[:errors]
	return first
}

// show writes a type for an error.
func (c *checker) show(t ast.Type) string {
	if t == nil {
		return "an unknown type"
	}
	return shorten(c.infer.expand(t).String())
}

// typed sets the type of an expression; nil after an error that has been reported.
func (c *checker) typed(n *ast.Node, t ast.Type) ast.Type {
	n.Type = t
	if t != nil && !c.infer.idle() {
		c.infer.later(&n.Type)
	}
	return t
}

// expr resolves and types an expression, and returns its type, which may mention flexible variables until
// infer.finish. nil is returned after an error that has been reported.
func (c *checker) expr(e ast.Expr) ast.Type {
	switch e := e.(type) {
	case *ast.Identifier:
		return c.identifier(e)
	case *ast.Binary:
		return c.typed(&e.Node, c.binary(e))
	case *ast.Application:
		return c.application(e)
	case *ast.IntLiteral:
		e.Type = ast.Int
	case *ast.BoolLiteral:
		e.Type = ast.Bool
	case *ast.RealLiteral:
		e.Type = ast.Real
	case *ast.BitVectorLiteral:
		e.Type = &ast.BitVector{Width: e.Width}
	case *ast.Unary:
		return c.typed(&e.Node, c.unary(e))
	case *ast.Select:
		return c.selection(e)
	case *ast.Store:
		return c.store(e)
	case *ast.Extract:
		return c.extract(e)
	case *ast.IfThenElse:
		c.expect(e.Cond, ast.Bool, "the condition")
		a, b := c.expr(e.Then), c.expr(e.Else)
		if !c.infer.unify(a, b) {
			c.mismatchf(e.Pos, "the branches should have one type, but have types %s and %s", c.show(a), c.show(b))
			return nil
		}
		return c.typed(&e.Node, a)
	case *ast.Old:
		if !c.scope.old {
			c.Errorf(e.Pos, "old is only for ensures clauses and bodies of procedures")
		}
		return c.typed(&e.Node, c.expr(e.X))
	case *ast.Coercion:
		t := c.expr(e.X)
		want := c.resolve(e.Syntax)
		if !c.infer.unify(want, t) {
			c.Errorf(e.Pos, "an expression of type %s cannot be coerced to type %s", c.show(t), c.show(want))
		}
		return c.typed(&e.Node, want)
	case *ast.Is:
		return c.is(e)
	case *ast.Field:
		if strings.Contains(e.Name, " ") && !c.unpacked(e) {
			c.expr(e.X)
			e.Type = nil
			return nil
		}
		return c.typed(&e.Node, c.fieldType(e.Pos, c.expr(e.X), e.Name, e.Record))
	case *ast.FieldUpdate:
		t := c.expr(e.X)
		if f := c.fieldType(e.Pos, t, e.Name, e.Record); f != nil {
			c.expect(e.Value, f, "the new value of field "+e.Name)
		} else {
			c.expr(e.Value)
		}
		return c.typed(&e.Node, t)
	case *ast.RecordLiteral:
		return c.record(e)
	case *ast.Quantifier:
		return c.quantifier(e)
	case *ast.Lambda:
		return c.lambda(e)
	case *ast.Let:
		return c.let(e)
	case *ast.CodeExpr:
		c.codeExpression(e)
		e.Type = ast.Bool
	case *ast.StringLiteral:
		c.Unsupportedf(e.Pos, "strings outside of attributes")
	}
	return e.TypeOf()
}

func (c *checker) identifier(e *ast.Identifier) ast.Type {
	v := c.variables[e.Name]
	if v == nil {
		switch {
		case c.functions[e.Name] != nil:
			c.Errorf(e.Pos, "%s is a function and needs arguments", shorten(e.Name))
		default:
			c.Errorf(e.Pos, "unknown variable %s", shorten(e.Name))
		}
		e.Type = nil
		return nil
	}
	e.Decl = v
	c.mustCount(e.Pos, v, v.Name)
	if v.Kind == ast.Global {
		if c.scope.noGlobals != "" {
			c.Errorf(e.Pos, "global variable %s in %s", e.Name, c.scope.noGlobals)
		} else if c.scope.pure {
			c.Errorf(e.Pos, "global variable %s in a pure procedure", e.Name)
		}
	}
	return c.typed(&e.Node, v.Type)
}

// unpacked finds the name of a field that an assignment takes out of a value by its place (see ast.UnpackedField).
func (c *checker) unpacked(e *ast.Field) bool {
	name, rest, _ := strings.Cut(e.Name, " ")
	var i, n int
	if _, err := fmt.Sscan(rest, &i, &n); err != nil {
		c.Errorf(e.Pos, "no field is called %s", shorten(e.Name))
		return false
	}
	f := c.functions[name]
	if f == nil || f.Datatype == nil {
		return false // which the assertion that comes first reports
	}
	if len(f.Params) != n {
		if i == 0 {
			c.Errorf(e.Pos, "the constructor %s has %s, but %s", name, count(len(f.Params), "field"), count(n, "variable"))
		}
		return false
	}
	e.Name = f.Params[i].Name
	return true
}

// mustCount reports the use of a declaration that is {:ignore}d.
func (c *checker) mustCount(pos chc.Position, d ast.Declaration, name string) {
	if len(c.ignored) > 0 && c.ignored[d] {
		c.Errorf(pos, "%s is declared with {:ignore} at %s", shorten(name), d.At())
	}
}

func (c *checker) application(e *ast.Application) ast.Type {
	f := c.functions[e.Name]
	if f == nil {
		for _, a := range e.Args {
			c.expr(a)
		}
		if c.procedures[e.Name] != nil {
			c.Errorf(e.Pos, "%s is a procedure: it needs a call statement", shorten(e.Name))
		} else {
			c.Errorf(e.Pos, "unknown function %s", shorten(e.Name))
		}
		e.Type = nil
		return nil
	}
	e.Function = f
	if f.Datatype == nil {
		c.mustCount(e.Pos, f, f.Name)
	}
	if a := f.Attributes.NotModelled(); a != nil {
		c.notModelled(e.Pos, a)
	}
	if f.Attributes.Has("smtdefined") && f.Body == nil && f.Builtin() == "" {
		c.approximated(e.Pos, "what the function "+f.Name+" is by {:smtdefined} is not understood")
	}
	e.TypeArguments = c.infer.fresh(f.TypeParams)
	m := ast.Bind(nil, f.TypeParams, e.TypeArguments)
	for i, a := range e.Args {
		t := c.expr(a)
		if i >= len(f.Params) {
			continue
		}
		if want := f.Params[i].Type; want != nil && t != want {
			if want = ast.Substitute(want, m); !c.infer.unify(want, t) {
				c.mismatchf(a.At(), "argument %d of %s should have type %s, but has type %s", i+1, f.Name, c.show(want), c.show(t))
			}
		}
	}
	if len(e.Args) != len(f.Params) {
		c.Errorf(e.Pos, "function %s takes %s, got %d", f.Name, count(len(f.Params), "argument"), len(e.Args))
	}
	if f.Result.Type == nil {
		e.Type = nil
		return nil
	}
	return c.instantiated(&e.Node, ast.Substitute(f.Result.Type, m), e.TypeArguments)
}

// instantiated sets the type of an expression that comes from instantiating type parameters by args.
func (c *checker) instantiated(n *ast.Node, t ast.Type, args []ast.Type) ast.Type {
	if len(args) == 0 {
		return c.typed(n, t)
	}
	for i := range args {
		c.infer.later(&args[i])
	}
	t = c.infer.expand(t)
	if !small(t) {
		c.Errorf(n.Pos, "the type of this expression has more than %d parts", maxType)
		t = nil
	}
	return c.typed(n, t)
}
