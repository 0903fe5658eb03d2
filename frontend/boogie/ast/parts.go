package ast

import (
	"reflect"
	"slices"
)

// parts calls f for the direct subexpressions of e, in the source's order. Attributes and triggers are not among them, nor
// is the body of a CodeExpr.
func parts(e Expr, f func(Expr)) {
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

// Parts returns the direct subexpressions of e, in the source's order. Attributes and triggers are not among them, nor is
// the body of a CodeExpr.
func Parts(e Expr) []Expr {
	out := make([]Expr, 0, 3)
	parts(e, func(part Expr) { out = append(out, part) })
	return out
}

// Inspect calls visit for e and, when visit returns true, for the expressions in it. What has no part in the value is not
// visited: attributes, triggers, and the statements of code expressions, all of which Walk visits.
func Inspect(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	parts(e, func(part Expr) { Inspect(part, visit) })
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

// Rewrite returns a copy of an expression with f of each direct subexpression in its place, triggers' terms included. A
// literal, an identifier or a code expression is returned as it is. The attributes of binders are shared with e.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	switch e.(type) {
	case *BoolLiteral, *IntLiteral, *RealLiteral, *BitVectorLiteral, *StringLiteral, *Identifier, *CodeExpr:
		return e
	}
	return rewritten(e, f, false)
}

// RewriteAttributes returns copies of attributes with f of each argument in its place.
func RewriteAttributes(as Attributes, f func(Expr) Expr) Attributes {
	out := slices.Clone(as)
	for i, a := range out {
		out[i] = rewritten(a, f, true)
	}
	return out
}

// RewriteSpecifications returns copies of specifications with f of each condition and each argument of an attribute in its
// place.
func RewriteSpecifications(specs []*Specification, f func(Expr) Expr) []*Specification {
	out := slices.Clone(specs)
	for i, s := range out {
		out[i] = rewritten(s, f, true)
	}
	return out
}

// RewriteStatement returns a copy of a statement with f of each expression in its place, the arguments of attributes
// included; f of an identifier is an identifier. The statements in it are shared with s.
func RewriteStatement[S Stmt](s S, f func(Expr) Expr) S { return rewritten(s, f, true) }

// CopyStatements copies statements and the statements in them, as RewriteStatement does. The jumps of the copies lead to
// copies. made is called for each statement and its copy, in the source's order, one that contains others after these.
func CopyStatements(stmts []Stmt, f func(Expr) Expr, made func(s, copied Stmt)) []Stmt {
	copies := map[Stmt]Stmt{}
	var all func(stmts []Stmt) []Stmt
	all = func(stmts []Stmt) []Stmt {
		out := slices.Clone(stmts)
		for i, s := range stmts {
			n := RewriteStatement(s, f)
			switch n := n.(type) {
			case *If:
				n.Then, n.Else = all(n.Then), all(n.Else)
			case *While:
				n.Body = all(n.Body)
			}
			copies[s], out[i] = n, n
			made(s, n)
		}
		return out
	}
	out := all(stmts)
	for _, n := range copies {
		switch n := n.(type) {
		case *Goto:
			n.Targets = slices.Clone(n.Targets)
			for i, l := range n.Targets {
				n.Targets[i] = copies[l].(*Label)
			}
		case *Break:
			n.Target = copies[n.Target]
		}
	}
	return out
}

// rewritten returns a copy of a node, which is a pointer to a struct, with f of each expression in its place: its own and
// those of its triggers, and with attributes set those of its attributes and specifications.
func rewritten[T any](node T, f func(Expr) Expr, attributes bool) T {
	n := reflect.New(reflect.TypeOf(node).Elem())
	n.Elem().Set(reflect.ValueOf(node).Elem())
	for i := range n.Elem().NumField() {
		switch field := n.Elem().Field(i).Addr().Interface().(type) {
		case *Expr:
			if *field != nil {
				*field = f(*field)
			}
		case *[]Expr:
			*field = slices.Clone(*field)
			for i, e := range *field {
				if e != nil {
					(*field)[i] = f(e)
				}
			}
		case *[]*Identifier:
			*field = slices.Clone(*field)
			for i, id := range *field {
				if id != nil {
					(*field)[i] = f(id).(*Identifier)
				}
			}
		case *[]*Trigger:
			*field = slices.Clone(*field)
			for i, t := range *field {
				(*field)[i] = rewritten(t, f, attributes)
			}
		case *Attributes:
			if attributes {
				*field = RewriteAttributes(*field, f)
			}
		case *[]*Specification:
			*field = RewriteSpecifications(*field, f)
		}
	}
	return n.Interface().(T)
}
