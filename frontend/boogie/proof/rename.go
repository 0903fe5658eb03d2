package proof

import (
	"slices"

	"hornbeam/frontend/boogie/ast"
)

// avoidHiding chooses new names for parameters, results and locals that have the name of a global or constant which a
// claim in their scope mentions.
func (x *Expressions) avoidHiding(claims []*Claim) {
	var taken map[string]bool
	for _, c := range claims {
		mentioned := map[string]bool{}
		for _, n := range c.Names {
			if v := n.Argument.Variable; v != nil && (v.Kind == ast.Global || v.Kind == ast.Constant) {
				mentioned[v.Name] = true
			}
		}
		for _, ns := range x.constants {
			for _, n := range ns {
				mentioned[n.constant.Name] = true
			}
		}
		for _, v := range c.scope() {
			if !mentioned[v.Name] || x.renamed[v] != "" {
				continue
			}
			if taken == nil {
				taken = namesOf(x.encoding.Program)
			}
			name := v.Name + "'"
			for taken[name] {
				name += "'"
			}
			taken[name] = true
			x.renamed[v] = name
		}
	}
}

// scope are the variables that may hide others where a claim holds.
func (c *Claim) scope() []*ast.Variable {
	if c.Head == nil {
		return slices.Concat(c.Procedure.In, c.Procedure.Out)
	}
	impl := c.Head.Implementation
	return slices.Concat(impl.In, impl.Out, impl.Body.Locals)
}

// eachExpression calls visit for all expressions of a program, as ast.Walk does.
func eachExpression(p *ast.Program, visit func(ast.Expr) bool) {
	variables := func(vs []*ast.Variable) {
		for _, v := range vs {
			ast.Walk(v.Where, visit)
		}
	}
	variables(p.Globals)
	for _, f := range p.Functions {
		ast.Walk(f.Body, visit)
	}
	for _, a := range p.Axioms {
		ast.Walk(a.Cond, visit)
	}
	for _, q := range p.Procedures {
		variables(q.In)
		variables(q.Out)
		ast.WalkSpecifications(q.Requires, visit)
		ast.WalkSpecifications(q.Ensures, visit)
		for _, impl := range q.Implementations {
			variables(impl.In)
			variables(impl.Out)
			variables(impl.Body.Locals)
			ast.WalkStatements(impl.Body.Stmts, func(ast.Stmt) bool { return true }, visit)
		}
	}
}

// namesOf has the names of all variables of a program.
func namesOf(p *ast.Program) map[string]bool {
	names := map[string]bool{}
	add := func(vs ...*ast.Variable) {
		for _, v := range vs {
			names[v.Name] = true
		}
	}
	add(p.Constants...)
	add(p.Globals...)
	for _, q := range p.Procedures {
		add(q.In...)
		add(q.Out...)
		for _, impl := range q.Implementations {
			add(impl.In...)
			add(impl.Out...)
			add(impl.Body.Locals...)
		}
	}
	eachExpression(p, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Quantifier:
			add(e.Bound...)
		case *ast.Lambda:
			add(e.Bound...)
		case *ast.Let:
			add(e.Bound...)
		case *ast.CodeExpr:
			add(e.Body.Locals...)
		}
		return true
	})
	return names
}

// applyNames gives the variables of the program their new names.
func (x *Expressions) applyNames() {
	if len(x.renamed) == 0 {
		return
	}
	eachExpression(x.encoding.Program, func(e ast.Expr) bool {
		if id, ok := e.(*ast.Identifier); ok && x.renamed[id.Decl] != "" {
			id.Name = x.renamed[id.Decl]
		}
		return true
	})
	for v, name := range x.renamed {
		v.Name = name
	}
}
