package loops

import (
	"hornbeam/frontend/boogie/ast"
)

// rewriter says what stands for the variables of an implementation in a loop's procedure: now for its locals, old for
// globals as they were when the implementation was entered. A nil one is that of the implementation itself.
type rewriter struct {
	now, old map[*ast.Variable]*ast.Variable
}

func identifier(v *ast.Variable) *ast.Identifier {
	return &ast.Identifier{Node: ast.Node{Pos: v.Pos, Type: v.Type}, Name: v.Name, Decl: v}
}

func (r *rewriter) variable(v *ast.Variable) *ast.Variable {
	if r != nil && r.now[v] != nil {
		return r.now[v]
	}
	return v
}

// oldValue is the value of a global when the implementation was entered.
func (r *rewriter) oldValue(g *ast.Variable) ast.Expr {
	if r != nil {
		return identifier(r.old[g])
	}
	return &ast.Old{Node: ast.Node{Pos: g.Pos, Type: g.Type}, X: identifier(g)}
}

func (r *rewriter) identifier(id *ast.Identifier) *ast.Identifier {
	if r == nil || id == nil || r.now[id.Decl] == nil {
		return id
	}
	return &ast.Identifier{Node: id.Node, Name: r.now[id.Decl].Name, Decl: r.now[id.Decl]}
}

// expression rewrites an expression; an identifier becomes an identifier.
func (r *rewriter) expression(e ast.Expr) ast.Expr {
	if r == nil || e == nil {
		return e
	}
	return r.rewrite(e, false)
}

func (r *rewriter) rewrite(e ast.Expr, inOld bool) ast.Expr {
	switch e := e.(type) {
	case *ast.Identifier:
		if g := r.old[e.Decl]; inOld && g != nil {
			return &ast.Identifier{Node: e.Node, Name: g.Name, Decl: g}
		}
		return r.identifier(e)
	case *ast.Old:
		return r.rewrite(e.X, true)
	}
	// Implementations with code expressions are left alone.
	return ast.Rewrite(e, func(x ast.Expr) ast.Expr { return r.rewrite(x, inOld) })
}
