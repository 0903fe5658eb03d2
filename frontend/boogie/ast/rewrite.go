package ast

import "slices"

// Rewrite returns an expression that has f of each of its direct subexpressions in its place, triggers' terms included. It is a
// copy, but for what has no subexpressions: that is e itself. The attributes of binders, and the statements of code
// expressions, are the same as in e.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	all := func(es []Expr) []Expr {
		out := slices.Clone(es)
		for i := range out {
			out[i] = f(out[i])
		}
		return out
	}
	switch e := e.(type) {
	case *Application:
		n := *e
		n.Args = all(e.Args)
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
		n.Map, n.Index = f(e.Map), all(e.Index)
		return &n
	case *Store:
		n := *e
		n.Map, n.Index, n.Value = f(e.Map), all(e.Index), f(e.Value)
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
		n.Values = all(e.Values)
		return &n
	case *Quantifier:
		n := *e
		n.Triggers = slices.Clone(e.Triggers)
		for i, t := range n.Triggers {
			c := *t
			c.Terms = all(t.Terms)
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
		n.Values, n.Body = all(e.Values), f(e.Body)
		return &n
	}
	return e
}
