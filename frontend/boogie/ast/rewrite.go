package ast

import "slices"

// Rewrite returns an expression that has f of each of its direct subexpressions in its place, triggers' terms included. It is a
// copy, but for what has no subexpressions: that is e itself. The attributes of binders, and the statements of code
// expressions, are the same as in e.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Application:
		n := *e
		n.Args = rewriteAll(e.Args, f)
		return &n
	case *Old:
		n := *e
		n.X = f(e.X)
		return &n
	case *Unary:
		n := *e
		n.X = f(e.X)
		return &n
	case *Binary:
		n := *e
		n.X, n.Y = f(e.X), f(e.Y)
		return &n
	case *Select:
		n := *e
		n.Map, n.Index = f(e.Map), rewriteAll(e.Index, f)
		return &n
	case *Store:
		n := *e
		n.Map, n.Index, n.Value = f(e.Map), rewriteAll(e.Index, f), f(e.Value)
		return &n
	case *Extract:
		n := *e
		n.X = f(e.X)
		return &n
	case *IfThenElse:
		n := *e
		n.Cond, n.Then, n.Else = f(e.Cond), f(e.Then), f(e.Else)
		return &n
	case *Coercion:
		n := *e
		n.X = f(e.X)
		return &n
	case *Is:
		n := *e
		n.X = f(e.X)
		return &n
	case *Field:
		n := *e
		n.X = f(e.X)
		return &n
	case *FieldUpdate:
		n := *e
		n.X, n.Value = f(e.X), f(e.Value)
		return &n
	case *RecordLiteral:
		n := *e
		n.Values = rewriteAll(e.Values, f)
		return &n
	case *Quantifier:
		n := *e
		n.Triggers = slices.Clone(e.Triggers)
		for i, t := range n.Triggers {
			c := *t
			c.Terms = rewriteAll(t.Terms, f)
			n.Triggers[i] = &c
		}
		n.Body = f(e.Body)
		return &n
	case *Lambda:
		n := *e
		n.Body = f(e.Body)
		return &n
	case *Let:
		n := *e
		n.Values, n.Body = rewriteAll(e.Values, f), f(e.Body)
		return &n
	}
	return e
}
