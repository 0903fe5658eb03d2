package ast

// Parts returns the expressions that e is made of directly, in the source's order. Attributes and triggers are not
// among them, nor is the body of a CodeExpr.
func Parts(e Expr) []Expr {
	switch e := e.(type) {
	case *Application:
		return e.Args
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Select:
		return append([]Expr{e.Map}, e.Index...)
	case *Store:
		return append(append([]Expr{e.Map}, e.Index...), e.Value)
	case *Extract:
		return []Expr{e.X}
	case *IfThenElse:
		return []Expr{e.Cond, e.Then, e.Else}
	case *Old:
		return []Expr{e.X}
	case *Coercion:
		return []Expr{e.X}
	case *Is:
		return []Expr{e.X}
	case *Field:
		return []Expr{e.X}
	case *FieldUpdate:
		return []Expr{e.X, e.Value}
	case *RecordLiteral:
		return e.Values
	case *Quantifier:
		return []Expr{e.Body}
	case *Lambda:
		return []Expr{e.Body}
	case *Let:
		return append(append([]Expr{}, e.Values...), e.Body)
	}
	return nil
}

// Inspect calls visit for e and everything in it, before its parts; those of an expression for which visit returns false
// are left out.
func Inspect(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, part := range Parts(e) {
		Inspect(part, visit)
	}
}
