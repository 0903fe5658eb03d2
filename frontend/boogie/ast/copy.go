package ast

import "slices"

// RewriteAttributes returns a copy of attributes that has f of each argument in its place.
func RewriteAttributes(as Attributes, f func(Expr) Expr) Attributes {
	out := slices.Clone(as)
	for i, a := range out {
		n := *a
		n.Args = rewriteAll(a.Args, f)
		out[i] = &n
	}
	return out
}

// RewriteSpecifications returns a copy of specifications that has f of each condition and attribute in its place.
func RewriteSpecifications(specs []*Specification, f func(Expr) Expr) []*Specification {
	out := slices.Clone(specs)
	for i, s := range out {
		n := *s
		n.Attributes, n.Cond = RewriteAttributes(s.Attributes, f), f(s.Cond)
		out[i] = &n
	}
	return out
}

func rewriteAll(es []Expr, f func(Expr) Expr) []Expr {
	out := slices.Clone(es)
	for i := range out {
		out[i] = f(out[i])
	}
	return out
}

// Copier copies statements: gotos and breaks of a copy lead to its own labels and statements.
type Copier struct {
	// Expr is what stands for an expression in the copy; identifiers are to stay identifiers. Where it is not set, expressions
	// stay the same, and so do the statements that have neither others, nor labels, nor jumps, nor calls in them.
	Expr func(Expr) Expr
	// Call is what stands for a call.
	Call func(*Call) Stmt
	// Copied, where it is set, is told of each statement that is not the same in the copy.
	Copied func(n, from Stmt)

	labels map[*Label]*Label
	// left has the copies of the statements that a break may leave.
	left map[Stmt]Stmt
}

// Body copies all statements of a body.
func (c *Copier) Body(stmts []Stmt) []Stmt {
	c.labels, c.left = map[*Label]*Label{}, map[Stmt]Stmt{}
	out := c.statements(stmts)
	WalkStatements(out, func(s Stmt) bool {
		if g, ok := s.(*Goto); ok {
			targets := make([]*Label, len(g.Targets))
			for i, l := range g.Targets {
				targets[i] = c.labels[l]
			}
			g.Targets = targets
		}
		return true
	}, func(Expr) bool { return false })
	return out
}

func (c *Copier) statements(stmts []Stmt) []Stmt {
	out := slices.Clone(stmts)
	for i, s := range stmts {
		out[i] = c.statement(s)
		if c.Copied != nil && out[i] != s {
			c.Copied(out[i], s)
		}
	}
	return out
}

func (c *Copier) expression(e Expr) Expr {
	if e == nil || c.Expr == nil {
		return e
	}
	return c.Expr(e)
}

func (c *Copier) attributes(as Attributes) Attributes {
	if c.Expr == nil {
		return as
	}
	return RewriteAttributes(as, c.Expr)
}

func (c *Copier) invariants(specs []*Specification) []*Specification {
	if c.Expr == nil {
		return specs
	}
	return RewriteSpecifications(specs, c.Expr)
}

func (c *Copier) statement(s Stmt) Stmt {
	switch s := s.(type) {
	case *Label:
		n := *s
		c.labels[s] = &n
		return &n
	case *If:
		n := *s
		c.left[s] = &n
		n.Attributes, n.Guard = c.attributes(s.Attributes), c.expression(s.Guard)
		n.Then, n.Else = c.statements(s.Then), c.statements(s.Else)
		return &n
	case *While:
		n := *s
		c.left[s] = &n
		n.Guard, n.Invariants = c.expression(s.Guard), c.invariants(s.Invariants)
		n.Body = c.statements(s.Body)
		return &n
	case *Break:
		n := *s
		n.Target = c.left[s.Target]
		return &n
	case *Goto:
		n := *s
		n.Attributes = c.attributes(s.Attributes)
		return &n
	case *Call:
		return c.Call(s)
	}
	if c.Expr == nil {
		return s
	}
	switch s := s.(type) {
	case *Assert:
		n := *s
		n.Attributes, n.Cond = c.attributes(s.Attributes), c.expression(s.Cond)
		return &n
	case *Assume:
		n := *s
		n.Attributes, n.Cond = c.attributes(s.Attributes), c.expression(s.Cond)
		return &n
	case *Havoc:
		n := *s
		n.Variables = slices.Clone(s.Variables)
		for i, v := range s.Variables {
			n.Variables[i] = c.Expr(v).(*Identifier)
		}
		return &n
	case *Assign:
		n := *s
		n.Left, n.Right = rewriteAll(s.Left, c.expression), rewriteAll(s.Right, c.expression)
		return &n
	case *Return:
		n := *s
		n.Attributes, n.Value = c.attributes(s.Attributes), c.expression(s.Value)
		return &n
	}
	return s
}
