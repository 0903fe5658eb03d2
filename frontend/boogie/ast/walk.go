package ast

import "iter"

// Walk calls visit for an expression and, when visit returns true, for the expressions in it, from left to right: those
// of attributes and triggers too, and those in the statements of code expressions.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	switch e := e.(type) {
	case *Quantifier:
		walkVariables(e.Bound, visit)
		walkAttributes(e.Attributes, visit)
		for _, t := range e.Triggers {
			walkAll(t.Terms, visit)
		}
	case *Lambda:
		walkVariables(e.Bound, visit)
		walkAttributes(e.Attributes, visit)
	case *Let:
		walkVariables(e.Bound, visit)
		walkAll(e.Values, visit)
		walkAttributes(e.Attributes, visit)
		Walk(e.Body, visit)
		return
	case *CodeExpr:
		walkVariables(e.Body.Locals, visit)
		WalkStatements(e.Body.Stmts, func(Stmt) bool { return true }, visit)
	}
	parts(e, func(part Expr) { Walk(part, visit) })
}

func walkAll(es []Expr, visit func(Expr) bool) {
	for _, e := range es {
		Walk(e, visit)
	}
}

func walkAttributes(as Attributes, visit func(Expr) bool) {
	for _, a := range as {
		walkAll(a.Args, visit)
	}
}

func walkVariables(vs []*Variable, visit func(Expr) bool) {
	for i, v := range vs {
		// Variables that are declared together share these.
		if i == 0 || len(v.Attributes) > 0 && &v.Attributes[0] != first(vs[i-1].Attributes) {
			walkAttributes(v.Attributes, visit)
		}
		if i == 0 || v.Where != vs[i-1].Where {
			Walk(v.Where, visit)
		}
	}
}

func first(as Attributes) **Attribute {
	if len(as) == 0 {
		return nil
	}
	return &as[0]
}

// WalkStatements calls statement for each statement and, when that returns true, expression for the expressions in it as
// Walk does, and both for the statements in it. Variables that are assigned are visited as expressions.
func WalkStatements(stmts []Stmt, statement func(Stmt) bool, expression func(Expr) bool) {
	for _, s := range stmts {
		if !statement(s) {
			continue
		}
		switch s := s.(type) {
		case *Assert:
			walkAttributes(s.Attributes, expression)
			Walk(s.Cond, expression)
		case *Assume:
			walkAttributes(s.Attributes, expression)
			Walk(s.Cond, expression)
		case *Havoc:
			for _, v := range s.Variables {
				Walk(v, expression)
			}
		case *Assign:
			walkAll(s.Left, expression)
			walkAll(s.Right, expression)
		case *Call:
			walkAttributes(s.Attributes, expression)
			for _, v := range s.Results {
				if v != nil {
					Walk(v, expression)
				}
			}
			walkAll(s.Args, expression)
		case *If:
			walkAttributes(s.Attributes, expression)
			Walk(s.Guard, expression)
			WalkStatements(s.Then, statement, expression)
			WalkStatements(s.Else, statement, expression)
		case *While:
			Walk(s.Guard, expression)
			WalkSpecifications(s.Invariants, expression)
			WalkStatements(s.Body, statement, expression)
		case *Goto:
			walkAttributes(s.Attributes, expression)
		case *Return:
			walkAttributes(s.Attributes, expression)
			Walk(s.Value, expression)
		}
	}
}

// Statements returns the statements of a list and those in them, in the source's order.
func Statements(stmts []Stmt) iter.Seq[Stmt] {
	return func(yield func(Stmt) bool) {
		more := true
		WalkStatements(stmts, func(s Stmt) bool {
			more = more && yield(s)
			return more
		}, func(Expr) bool { return false })
	}
}

// Calls returns the calls among statements and in them, in the source's order.
func Calls(stmts []Stmt) []*Call {
	var out []*Call
	for s := range Statements(stmts) {
		if c, ok := s.(*Call); ok {
			out = append(out, c)
		}
	}
	return out
}

// WalkSpecifications walks the conditions and attributes of specifications.
func WalkSpecifications(specs []*Specification, visit func(Expr) bool) {
	for _, s := range specs {
		walkAttributes(s.Attributes, visit)
		Walk(s.Cond, visit)
	}
}
