package ast

import "slices"

// eachPart calls f for the expressions that e is made of directly, in the source's order. Attributes and triggers are not
// among them, nor is the body of a CodeExpr.
func eachPart(e Expr, f func(Expr)) {
	each := func(es []Expr) {
		for _, e := range es {
			f(e)
		}
	}
	switch e := e.(type) {
	case *Application:
		each(e.Args)
	case *Unary:
		f(e.X)
	case *Binary:
		f(e.X)
		f(e.Y)
	case *Select:
		f(e.Map)
		each(e.Index)
	case *Store:
		f(e.Map)
		each(e.Index)
		f(e.Value)
	case *Extract:
		f(e.X)
	case *IfThenElse:
		f(e.Cond)
		f(e.Then)
		f(e.Else)
	case *Old:
		f(e.X)
	case *Coercion:
		f(e.X)
	case *Is:
		f(e.X)
	case *Field:
		f(e.X)
	case *FieldUpdate:
		f(e.X)
		f(e.Value)
	case *RecordLiteral:
		each(e.Values)
	case *Quantifier:
		f(e.Body)
	case *Lambda:
		f(e.Body)
	case *Let:
		each(e.Values)
		f(e.Body)
	}
}

// Inspect calls visit for e and everything in it, before its parts; those of an expression for which visit returns false
// are left out. What has no part in the value is not visited, as Walk does: attributes, triggers, and the statements of
// code expressions.
func Inspect(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	eachPart(e, func(part Expr) { Inspect(part, visit) })
}

// Mentions reports whether one of the variables occurs in an expression, as Inspect visits it.
func Mentions(e Expr, vs []*Variable) bool {
	found := false
	Inspect(e, func(e Expr) bool {
		if id, ok := e.(*Identifier); ok && slices.Contains(vs, id.Decl) {
			found = true
		}
		return !found
	})
	return found
}
