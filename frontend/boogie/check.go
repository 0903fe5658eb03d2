package boogie

import "hornbeam/frontend/boogie/ast"

// Check is to come.
func Check(p *ast.Program, o Options) error { return nil }
