package boogie

import (
	"hornbeam/frontend/boogie/ast"
)

// target is a loop, or an if with a label, that break may leave.
type target struct {
	stmt  ast.Stmt
	label string
}

// body checks the locals and the statements of a body. The parameters are in scope since there were n shadowed names.
func (c *checker) body(b *ast.Body, n int) {
	outerLabels, outerEnclosing, outerAssumed := c.labels, c.enclosing, c.assumed
	c.labels, c.enclosing, c.assumed = map[string]*ast.Label{}, nil, map[*ast.Variable]bool{}
	c.variableTypes(b.Locals)
	c.declare(b.Locals, n)
	for _, v := range b.Locals {
		c.attributes(v.Attributes)
		c.assumption(v)
	}
	c.wheres(b.Locals)
	c.collectLabels(b.Stmts)
	c.statements(b.Stmts)
	b.Stmts = append(assumptions(b), b.Stmts...)
	c.labels, c.enclosing, c.assumed = outerLabels, outerEnclosing, outerAssumed
}

// assumptions are assumptions that the {:assumption} variables of a body are true, which they are at first.
func assumptions(b *ast.Body) []ast.Stmt {
	const mark = "assumption_variable_initialization"
	if len(b.Stmts) > 0 {
		if s, ok := b.Stmts[0].(*ast.Assume); ok && s.Attributes.Has(mark) {
			return nil // from an earlier check
		}
	}
	var out []ast.Stmt
	for _, v := range b.Locals {
		if v.Attributes.Has("assumption") && v.Where == nil && v.Type == ast.Bool {
			id := &ast.Identifier{Node: ast.Node{Pos: v.Pos, Type: v.Type}, Name: v.Name, Decl: v}
			out = append(out, &ast.Assume{Pos: v.Pos, Attributes: ast.Attributes{{Pos: v.Pos, Name: mark}}, Cond: id})
		}
	}
	return out
}

// wheres checks the where clauses of variables, those of one declaration once.
func (c *checker) wheres(vs []*ast.Variable) {
	outer := c.scope
	c.scope.old = false
	for i, v := range vs {
		if v.Where != nil && (i == 0 || v.Where != vs[i-1].Where) {
			c.formula(v.Where, "the where clause")
		}
	}
	c.scope = outer
}

// collectLabels registers all labels of a body: they may be jumped to from everywhere in it.
func (c *checker) collectLabels(stmts []ast.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.Label:
			if other := c.labels[s.Name]; other != nil {
				c.Errorf(s.Pos, "label %s is already declared at %s", s.Name, other.Pos)
				continue
			}
			c.labels[s.Name] = s
		case *ast.If:
			c.collectLabels(s.Then)
			c.collectLabels(s.Else)
		case *ast.While:
			c.collectLabels(s.Body)
		}
	}
}

func (c *checker) statements(stmts []ast.Stmt) {
	label := ""
	for i, s := range stmts {
		if a, ok := s.(*ast.Assign); ok && c.lenient {
			stmts[i] = c.tolerantAssign(a)
		} else {
			c.statement(s, label)
		}
		label = ""
		if l, ok := s.(*ast.Label); ok {
			label = l.Name
		}
	}
}

// statement checks a statement; label is the one directly before it.
func (c *checker) statement(s ast.Stmt, label string) {
	switch s := s.(type) {
	case *ast.Assert:
		c.statementAttributes(s.Attributes)
		c.formula(s.Cond, "the assertion")
	case *ast.Assume:
		c.statementAttributes(s.Attributes)
		c.formula(s.Cond, "the assumption")
	case *ast.Havoc:
		for _, v := range s.Variables {
			c.expr(v)
			c.assigned(v)
		}
		c.infer.finish()
	case *ast.Assign:
		c.assign(s)
		c.infer.finish()
	case *ast.Call:
		c.call(s)
	case *ast.If:
		c.statementAttributes(s.Attributes)
		if s.Guard != nil {
			c.formula(s.Guard, "the condition")
		}
		c.within(target{s, label}, s.Then, s.Else)
	case *ast.While:
		if s.Guard != nil {
			c.formula(s.Guard, "the condition")
		}
		for _, i := range s.Invariants {
			c.statementAttributes(i.Attributes)
			c.onlyAssertions(i.Attributes)
			c.formula(i.Cond, "the invariant")
		}
		c.within(target{s, label}, s.Body)
	case *ast.Break:
		c.breakOut(s)
	case *ast.Goto:
		c.statementAttributes(s.Attributes)
		s.Targets = s.Targets[:0]
		for _, name := range s.Labels {
			l := c.labels[name]
			if l == nil {
				c.Errorf(s.Pos, "unknown label %s", shorten(name))
				continue
			}
			s.Targets = append(s.Targets, l)
		}
	case *ast.Return:
		c.statementAttributes(s.Attributes)
		if s.Value != nil {
			c.formula(s.Value, "the value of a code expression")
		}
	}
}

// within checks the statements inside a loop or an if.
func (c *checker) within(t target, lists ...[]ast.Stmt) {
	n := len(c.enclosing)
	c.enclosing = append(c.enclosing, t)
	for _, stmts := range lists {
		c.statements(stmts)
	}
	c.enclosing = c.enclosing[:n]
}

// breakOut finds what a break leaves.
func (c *checker) breakOut(s *ast.Break) {
	s.Target = nil
	for i := len(c.enclosing) - 1; i >= 0 && s.Target == nil; i-- {
		t := c.enclosing[i]
		if _, loop := t.stmt.(*ast.While); s.Label == "" && loop || s.Label != "" && s.Label == t.label {
			s.Target = t.stmt
		}
	}
	switch {
	case s.Target != nil:
	case s.Label == "":
		c.Errorf(s.Pos, "break outside of a loop")
	case c.labels[s.Label] == nil:
		c.Errorf(s.Pos, "unknown label %s", shorten(s.Label))
	default:
		c.Errorf(s.Pos, "label %s does not stand directly before a loop or an if around this break", shorten(s.Label))
	}
}

// assigned checks that a variable may be changed here, and notes that it is.
func (c *checker) assigned(v *ast.Identifier) {
	if v == nil || v.Decl == nil {
		return
	}
	switch v.Decl.Kind {
	case ast.Global:
		c.changes(v)
	case ast.Constant:
		c.Errorf(v.Pos, "constant %s cannot be changed", v.Name)
	case ast.In:
		c.Errorf(v.Pos, "parameter %s cannot be changed", v.Name)
	case ast.Bound:
		c.Errorf(v.Pos, "bound variable %s cannot be changed", v.Name)
	}
}

// tolerantAssign checks an assignment. One whose types do not fit becomes a havoc of the variables that it assigns.
func (c *checker) tolerantAssign(s *ast.Assign) ast.Stmt {
	err := c.tolerating(func() {
		c.assign(s)
		c.infer.finish()
	})
	if err == nil {
		return s
	}
	h := &ast.Havoc{Pos: s.Pos}
	for _, left := range s.Left {
		v := ast.Target(left)
		if v.Decl.Where != nil { // which a havoc would assume
			c.Report(err)
			return s
		}
		h.Variables = append(h.Variables, v)
	}
	c.program.Approximated = append(c.program.Approximated, ast.Approximation{Pos: err.Pos,
		What: err.Msg + "; the assignment is taken for a havoc"})
	return h
}

func (c *checker) assign(s *ast.Assign) {
	if len(s.Left) != len(s.Right) {
		c.Errorf(s.Pos, "%s but %s", count(len(s.Left), "left side"), count(len(s.Right), "right side"))
	}
	var assigned map[string]bool
	if len(s.Left) > 1 {
		assigned = make(map[string]bool, len(s.Left))
	}
	for i, left := range s.Left {
		t := c.expr(left)
		v := ast.Target(left)
		c.assigned(v)
		if assigned[v.Name] {
			c.Errorf(v.Pos, "variable %s is assigned twice by one statement", v.Name)
		}
		if assigned != nil {
			assigned[v.Name] = true
		}
		if i >= len(s.Right) {
			continue
		}
		u := c.expr(s.Right[i])
		if !c.infer.unify(t, u) {
			c.mismatchf(left.At(), "a value of type %s is assigned to type %s", c.show(u), c.show(t))
		}
		if v.Decl != nil {
			c.assumptionAssigned(v.Decl, left, s.Right[i])
		}
	}
}

// onlyAssertions notes that {:verified_under} is not followed but at assertions: the condition is checked everywhere.
func (c *checker) onlyAssertions(as ast.Attributes) {
	if a := as.Find("verified_under"); a != nil {
		c.approximated(a.Pos, "{:verified_under} is followed at assertions only")
	}
}

func (c *checker) call(s *ast.Call) {
	c.statementAttributes(s.Attributes)
	c.onlyAssertions(s.Attributes)
	d := c.procedures[s.Name]
	s.Procedure = d
	if d == nil {
		if c.functions[s.Name] != nil {
			c.Errorf(s.Pos, "%s is a function and cannot be called by a statement", shorten(s.Name))
		} else {
			c.Errorf(s.Pos, "unknown procedure %s", shorten(s.Name))
		}
		d = &ast.Procedure{Pure: true}
	} else {
		c.mustCount(s.Pos, d, d.Name)
		if len(s.Args) != len(d.In) {
			c.Errorf(s.Pos, "procedure %s takes %s, got %d", d.Name, count(len(d.In), "argument"), len(s.Args))
		}
		if len(s.Results) != len(d.Out) {
			c.Errorf(s.Pos, "procedure %s has %s, got %d to assign", d.Name, count(len(d.Out), "result"), len(s.Results))
		}
		if c.scope.pure && !d.Pure {
			c.Errorf(s.Pos, "a pure procedure calls %s, which is not pure", d.Name)
		}
	}
	s.TypeArguments = c.infer.fresh(d.TypeParams)
	m := ast.Bind(nil, d.TypeParams, s.TypeArguments)
	for i, x := range s.Args {
		if x == nil {
			continue
		}
		t := c.expr(x)
		if i >= len(d.In) || d.In[i].Type == nil {
			continue
		}
		if want := ast.Substitute(d.In[i].Type, m); !c.infer.unify(want, t) {
			c.Errorf(x.At(), "argument %d of %s should have type %s, but has type %s", i+1, d.Name, c.show(want), c.show(t))
		}
	}
	for i, v := range s.Results {
		if v == nil {
			continue
		}
		t := c.expr(v)
		c.assigned(v)
		for _, other := range s.Results[:i] {
			if other != nil && other.Name == v.Name {
				c.Errorf(v.Pos, "variable %s is assigned twice by one call", v.Name)
				break
			}
		}
		if i >= len(d.Out) || d.Out[i].Type == nil {
			continue
		}
		if got := ast.Substitute(d.Out[i].Type, m); !c.infer.unify(got, t) {
			c.Errorf(v.Pos, "result %d of %s has type %s, but variable %s has type %s", i+1, d.Name, c.show(got), v.Name, c.show(t))
		}
	}
	for i := range s.TypeArguments {
		c.infer.later(&s.TypeArguments[i])
	}
	c.infer.finish()
	c.calls(s)
}

// codeExpression checks a code expression. Its statements infer types of their own.
func (c *checker) codeExpression(e *ast.CodeExpr) {
	outer := c.infer
	c.infer = inference{}
	c.infer.init()
	n := len(c.shadowed)
	c.body(e.Body, n)
	c.restore(n)
	c.infer = outer
}
