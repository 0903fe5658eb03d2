package lower

import (
	"hornbeam/frontend/boogie/ast"
	"hornbeam/frontend/c/machine"
)

// assumeLoaded assumes before the statement that an element that it reads of a map is within its type, if the plan asks for that: in the
// encoding, elements that were never stored may be any integers.
func (l *lowering) assumeLoaded(e, lowered *ast.Select) {
	s := machine.SortOfExpr(e)
	if l.procedure == nil || s.Shape != machine.WordShape || !l.wraps(s.Word) || !scalarIn(e) || mentionsBound(e) {
		return
	}
	if !l.Plan.Loads {
		l.out.Loads = true
		return
	}
	key := ast.String(lowered)
	if l.procedure.assumed[key] {
		return
	}
	l.procedure.assumed[key] = true
	b := builder{e.At()}
	l.put(&ast.Assume{Pos: b.pos, Cond: b.within(lowered, s.Word.Min(), s.Word.Max())})
}

// scalarIn reports whether an expression is an element of a variable and no map itself.
func scalarIn(e *ast.Select) bool {
	depth := 0
	var m ast.Expr = e
	for {
		switch x := m.(type) {
		case *ast.Select:
			m = x.Map
			depth++
			continue
		case *ast.Old:
			m = x.X
			continue
		case *ast.Identifier:
			t := x.Decl.Syntax
			for range depth {
				of, ok := t.(*ast.MapSyntax)
				if !ok {
					return false
				}
				t = of.Range
			}
			return !machine.IsMap(t)
		}
		return false
	}
}

// mentionsBound reports whether an expression has bound variables.
func mentionsBound(e ast.Expr) bool {
	found := false
	ast.Walk(e, func(e ast.Expr) bool {
		if id, ok := e.(*ast.Identifier); ok && id.Decl != nil && id.Decl.Kind == ast.Bound {
			found = true
		}
		return !found
	})
	return found
}
