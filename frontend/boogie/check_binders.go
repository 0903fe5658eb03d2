package boogie

import (
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/frontend/boogie/ast"
)

// bound opens the scope of a quantifier or lambda; the function that it returns closes it.
func (c *checker) bound(params []*ast.TypeVariable, vs []*ast.Variable) func() {
	closeTypes := c.openTypes(params, false)
	c.variableTypes(vs)
	n := len(c.shadowed)
	c.declare(vs, n)
	for _, v := range vs {
		c.attributes(v.Attributes)
	}
	return func() {
		c.restore(n)
		closeTypes()
	}
}

func (c *checker) quantifier(e *ast.Quantifier) ast.Type {
	defer c.bound(e.TypeParams, e.Bound)()
	c.attributes(e.Attributes)
	for _, t := range e.Triggers {
		c.trigger(e, t)
	}
	c.expect(e.Body, ast.Bool, "the body of the quantifier")
	var missing []*ast.TypeVariable
	ts := typesOf(e.Bound)
	for _, v := range e.TypeParams {
		if wellTyped(ts) && !occursIn(v, ts) {
			missing = append(missing, v)
		}
	}
	if len(missing) > 0 {
		c.mustTrigger(e, missing)
	}
	e.Type = ast.Bool
	return ast.Bool
}

// mustTrigger reports the triggers of a quantifier that do not mention its type parameters although the bound
// variables' types don't either.
func (c *checker) mustTrigger(e *ast.Quantifier, missing []*ast.TypeVariable) {
	check := func(force bool) bool {
		if !force {
			return false
		}
		for _, v := range missing {
			for _, t := range e.Triggers {
				if !t.Exclude && !c.mentionedIn(v, t.Terms) {
					c.Errorf(t.Pos, "this trigger does not mention type variable %s", v.Name)
				}
			}
		}
		return true
	}
	// Type arguments are known only in the end.
	c.infer.waiting = append(c.infer.waiting, check)
}

// mentionedIn reports whether the type of a part of one of the terms mentions a type variable.
func (c *checker) mentionedIn(v *ast.TypeVariable, terms []ast.Expr) bool {
	found := false
	for _, x := range terms {
		ast.Walk(x, func(x ast.Expr) bool {
			if t := x.TypeOf(); t != nil && occurs(v, c.infer.expand(t)) {
				found = true
			}
			if a, ok := x.(*ast.Application); ok {
				for _, t := range a.TypeArguments {
					found = found || t != nil && occurs(v, c.infer.expand(t))
				}
			}
			return !found
		})
	}
	return found
}

// trigger checks the terms of a trigger: they are made of functions, maps and arithmetic, and together they mention all
// variables that the quantifier binds.
func (c *checker) trigger(q *ast.Quantifier, t *ast.Trigger) {
	for _, x := range t.Terms {
		c.expr(x)
		if _, ok := x.(*ast.Identifier); ok {
			c.Errorf(x.At(), "a variable alone is no trigger")
		}
		ast.Walk(x, func(x ast.Expr) bool {
			what := ""
			switch x := x.(type) {
			case *ast.Binary:
				switch x.Op {
				case ast.Neq, ast.PartialOrder, ast.Add, ast.Sub, ast.Mul, ast.Div, ast.Mod, ast.RealDiv, ast.Power, ast.Concat:
				default:
					what = x.Op.String()
				}
			case *ast.Unary:
				if x.Op == ast.Not {
					what = "!"
				}
			case *ast.Quantifier, *ast.Lambda:
				what = "a quantifier"
			case *ast.CodeExpr:
				what = "a code expression"
			}
			if what != "" {
				c.Errorf(x.At(), "%s in a trigger", what)
			}
			return what == ""
		})
	}
	if t.Exclude {
		return
	}
	used := map[*ast.Variable]bool{}
	for _, x := range t.Terms {
		ast.Walk(x, func(x ast.Expr) bool {
			if v, ok := x.(*ast.Identifier); ok {
				used[v.Decl] = true
			}
			return true
		})
	}
	for _, v := range q.Bound {
		if !used[v] {
			c.Errorf(t.Pos, "this trigger does not mention variable %s", v.Name)
		}
	}
}

func (c *checker) lambda(e *ast.Lambda) ast.Type {
	defer c.bound(e.TypeParams, e.Bound)()
	c.attributes(e.Attributes)
	ts := typesOf(e.Bound)
	t := c.expr(e.Body)
	if t == nil || !wellTyped(ts) {
		e.Type = nil
		return nil
	}
	c.mustOccur(e.TypeParams, ts, "the types of the variables of its lambda")
	return c.typed(&e.Node, &ast.Map{Params: e.TypeParams, Domain: ts, Range: t})
}

func (c *checker) let(e *ast.Let) ast.Type {
	if len(e.Bound) != len(e.Values) {
		c.Errorf(e.Pos, "let has %s but %s", count(len(e.Bound), "variable"), count(len(e.Values), "value"))
	}
	for i, x := range e.Values {
		t := c.expr(x)
		if i < len(e.Bound) {
			e.Bound[i].Type = t
			if t != nil {
				c.infer.later(&e.Bound[i].Type)
			}
		}
	}
	n := len(c.shadowed)
	c.declare(e.Bound, n)
	defer c.restore(n)
	for _, v := range e.Bound {
		c.attributes(v.Attributes)
	}
	c.attributes(e.Attributes)
	return c.typed(&e.Node, c.expr(e.Body))
}

// notModelled notes that the program has more runs here than it means, by an attribute that is not followed.
func (c *checker) notModelled(pos chc.Position, a *ast.Attribute) {
	c.approximated(pos, a.Explain()+", which is not modelled")
}

// approximated notes, once, that the program has more runs here than it means.
func (c *checker) approximated(pos chc.Position, what string) {
	a := ast.Approximation{Pos: pos, What: what}
	if !slices.Contains(c.program.Approximated, a) {
		c.program.Approximated = append(c.program.Approximated, a)
	}
}

// attributes checks the arguments of attributes, which may use globals, old and the variables in scope.
func (c *checker) attributes(as ast.Attributes) {
	if len(as) == 0 {
		return
	}
	if a := as.NotModelled(); a != nil && c.scope.noGlobals != inFunctionHead {
		c.notModelled(a.Pos, a)
	}
	outer := c.scope
	c.scope.old, c.scope.noGlobals, c.scope.pure = true, "", false
	for _, a := range as {
		for _, x := range a.Args {
			if _, ok := x.(*ast.StringLiteral); !ok {
				c.expr(x)
			}
		}
	}
	c.scope = outer
}

// statementAttributes checks the attributes of a statement or specification, some of which have a meaning.
func (c *checker) statementAttributes(as ast.Attributes) {
	c.attributes(as)
	for _, a := range as {
		switch a.Name {
		case "id":
			if len(a.Args) != 1 {
				break
			}
			id, ok := a.Args[0].(*ast.StringLiteral)
			if !ok {
				break
			}
			if other := c.ids[id.Text]; other != nil && other != a {
				c.Errorf(a.Pos, "the id %q is already used at %s", id.Text, other.Pos)
			}
			c.ids[id.Text] = a
		case "verified_under":
			if t, ok := c.onlyArgument(a); ok && !c.infer.unify(ast.Bool, t) {
				c.Errorf(a.Args[0].At(), "the argument of verified_under should have type bool, but has type %s", c.show(t))
			}
		case "minimize", "maximize":
			t, ok := c.onlyArgument(a)
			if !ok {
				break
			}
			if _, isVector := c.infer.walk(t).(*ast.BitVector); !isVector && !c.infer.unify(ast.Int, t) && !c.infer.unify(ast.Real, t) {
				c.Errorf(a.Args[0].At(), "the argument of %s should be a number, but has type %s", a.Name, c.show(t))
			}
		}
	}
	c.infer.finish()
}

// onlyArgument returns the type of an attribute's only argument; false after an error.
func (c *checker) onlyArgument(a *ast.Attribute) (ast.Type, bool) {
	if len(a.Args) != 1 {
		c.Errorf(a.Pos, "%s takes 1 argument, got %d", a.Name, len(a.Args))
		return nil, false
	}
	if _, ok := a.Args[0].(*ast.StringLiteral); ok {
		c.Errorf(a.Args[0].At(), "the argument of %s is a string", a.Name)
		return nil, false
	}
	return a.Args[0].TypeOf(), true
}

// declarationAttributes checks the attributes of a declaration.
func (c *checker) declarationAttributes(as ast.Attributes) {
	c.attributes(as)
	c.infer.finish()
}

// assumption checks the rules for a variable that is {:assumption}: a local bool without where.
func (c *checker) assumption(v *ast.Variable) {
	if !v.Attributes.Has("assumption") {
		return
	}
	if v.Where != nil {
		c.Errorf(v.Pos, "assumption variable %s has a where clause", v.Name)
	}
	if v.Type != nil && !ast.Equal(v.Type, ast.Bool) {
		c.Errorf(v.Pos, "assumption variable %s should have type bool, but has type %s", v.Name, v.Type)
	}
}

// assumptionAssigned checks an assignment to an {:assumption} variable: there is one in the body, `a := a && …`.
func (c *checker) assumptionAssigned(v *ast.Variable, left, right ast.Expr) {
	if v.Kind != ast.Local || !v.Attributes.Has("assumption") {
		return
	}
	if c.assumed[v] {
		c.Errorf(left.At(), "assumption variable %s is assigned twice", v.Name)
	}
	c.assumed[v] = true
	if b, ok := right.(*ast.Binary); ok && b.Op == ast.And {
		if x, ok := b.X.(*ast.Identifier); ok && x.Decl == v {
			return
		}
	}
	c.Errorf(left.At(), "%s", fmt.Sprintf("assumption variable %s can only be assigned %s && …", v.Name, v.Name))
}
