package loops

import "hornbeam/frontend/boogie/ast"

// copyBody copies the statements of a body; calls are of the new program's procedures.
func (x *extractor) copyBody(stmts []ast.Stmt) []ast.Stmt {
	c := &ast.Copier{
		Call: func(s *ast.Call) ast.Stmt {
			n := *s
			n.Procedure = x.procedure(s.Procedure)
			return &n
		},
		Copied: func(n, from ast.Stmt) { x.origins[n] = from },
	}
	return c.Body(stmts)
}
