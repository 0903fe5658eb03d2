package loops

import "hornbeam/frontend/boogie/ast"

// copier copies statements.
type copier struct {
	*extractor
	labels map[*ast.Label]*ast.Label
	left   map[ast.Stmt]ast.Stmt
}

// copyBody copies the statements of a body; calls are of the new program's procedures.
func (x *extractor) copyBody(stmts []ast.Stmt) []ast.Stmt {
	c := &copier{extractor: x, labels: map[*ast.Label]*ast.Label{}, left: map[ast.Stmt]ast.Stmt{}}
	out := c.statements(stmts)
	ast.WalkStatements(out, func(s ast.Stmt) bool {
		if g, ok := s.(*ast.Goto); ok {
			targets := make([]*ast.Label, len(g.Targets))
			for i, l := range g.Targets {
				targets[i] = c.labels[l]
			}
			g.Targets = targets
		}
		return true
	}, func(ast.Expr) bool { return false })
	return out
}

func (c *copier) statements(stmts []ast.Stmt) []ast.Stmt {
	if stmts == nil {
		return nil
	}
	out := make([]ast.Stmt, len(stmts))
	for i, s := range stmts {
		out[i] = c.statement(s)
	}
	return out
}

// statement copies a statement that has others, calls, labels or jumps in it, and returns others as they are.
func (c *copier) statement(s ast.Stmt) ast.Stmt {
	n := c.copied(s)
	if n != s {
		c.origins[n] = s
	}
	return n
}

func (c *copier) copied(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.Label:
		n := *s
		c.labels[s] = &n
		return &n
	case *ast.If:
		n := *s
		c.left[s] = &n
		n.Then, n.Else = c.statements(s.Then), c.statements(s.Else)
		return &n
	case *ast.While:
		n := *s
		c.left[s] = &n
		n.Body = c.statements(s.Body)
		return &n
	case *ast.Break:
		n := *s
		n.Target = c.left[s.Target]
		return &n
	case *ast.Goto:
		n := *s
		return &n
	case *ast.Call:
		n := *s
		n.Procedure = c.procedure(s.Procedure)
		return &n
	}
	return s
}
