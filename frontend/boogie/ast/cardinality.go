package ast

import "slices"

// Bounds returns the uninterpreted types of which a formula may say that they have no more than so many values, when it
// is assumed: those with an equality that is to hold between values of which one depends on a universally quantified
// variable, other than as an argument of a function without a body. A formula without such an equality holds with
// infinitely many values of each type if it holds with finitely many, since further ones may be copies of one of these.
func Bounds(x Expr) []*TypeDecl {
	b := newBounds()
	b.formula(x, true, false)
	return b.types
}

// BoundsAnywhere is Bounds of what occurs where its polarity is not known, such as a condition that is both assumed and
// checked.
func BoundsAnywhere(x Expr) []*TypeDecl {
	b := newBounds()
	b.formula(x, true, true)
	return b.types
}

// bounds collects types.
type bounds struct {
	types []*TypeDecl
	// universal has the variables that are universally quantified, or stand for what depends on those.
	universal map[*Variable]bool
	// functions has those whose bodies have been looked at.
	functions map[*Function]bool
}

func newBounds() *bounds {
	return &bounds{universal: map[*Variable]bool{}, functions: map[*Function]bool{}}
}

// formula collects the types of a condition that is assumed (positive), whose negation is (negative), or both.
func (b *bounds) formula(x Expr, positive, negative bool) {
	switch x := x.(type) {
	case nil:
	case *Unary:
		if x.Op == Not {
			b.formula(x.X, negative, positive)
			return
		}
		b.parts(x)
	case *Binary:
		switch x.Op {
		case And, Or:
			b.formula(x.X, positive, negative)
			b.formula(x.Y, positive, negative)
			return
		case Implies:
			b.formula(x.X, negative, positive)
			b.formula(x.Y, positive, negative)
			return
		case Explies:
			b.formula(x.X, positive, negative)
			b.formula(x.Y, negative, positive)
			return
		case Eq, Neq:
			if (x.Op == Eq && positive || x.Op == Neq && negative) && (b.depends(x.X) || b.depends(x.Y)) {
				b.add(x.X.TypeOf())
				b.add(x.Y.TypeOf())
			}
		}
		b.parts(x)
	case *Quantifier:
		if x.Exists && negative || !x.Exists && positive {
			b.mark(x.Bound...)
		}
		b.formula(x.Body, positive, negative)
	case *Lambda:
		b.mark(x.Bound...)
		b.formula(x.Body, true, true)
	case *Let:
		for i, v := range x.Values {
			b.formula(v, true, true)
			if i < len(x.Bound) && b.depends(v) {
				b.mark(x.Bound[i])
			}
		}
		b.formula(x.Body, positive, negative)
	case *IfThenElse:
		b.formula(x.Cond, true, true)
		b.formula(x.Then, positive, negative)
		b.formula(x.Else, positive, negative)
	case *Old:
		b.formula(x.X, positive, negative)
	case *Coercion:
		b.formula(x.X, positive, negative)
	case *Application:
		f, more := x.Function, false
		for i, a := range x.Args {
			b.formula(a, true, true)
			if f != nil && f.Body != nil && i < len(f.Params) && b.depends(a) {
				more = b.mark(f.Params[i]) || more
			}
		}
		if f != nil && f.Body != nil && (more || !b.functions[f]) {
			b.functions[f] = true
			b.formula(f.Body, true, true)
		}
	case *CodeExpr:
		WalkStatements(x.Body.Stmts, func(Stmt) bool { return true }, func(e Expr) bool {
			b.formula(e, true, true)
			return false
		})
	default:
		b.parts(x)
	}
}

// mark notes that variables are universally quantified, or depend on those that are, and reports whether that is new.
func (b *bounds) mark(vs ...*Variable) bool {
	before := len(b.universal)
	for _, v := range vs {
		b.universal[v] = true
	}
	return len(b.universal) > before
}

// parts looks at the parts of a term, which may be conditions of any polarity.
func (b *bounds) parts(x Expr) {
	parts(x, func(part Expr) { b.formula(part, true, true) })
}

// depends reports whether a value depends on a universally quantified variable other than by what a function without a body
// makes of it.
func (b *bounds) depends(x Expr) bool {
	found := false
	Inspect(x, func(part Expr) bool {
		switch part := part.(type) {
		case *Identifier:
			found = found || b.universal[part.Decl]
		case *Application:
			f := part.Function
			return f == nil || f.Body != nil || f.Datatype != nil || f.Attributes.Find("builtin") != nil || f.Attributes.Find("bvbuiltin") != nil
		}
		return !found
	})
	return found
}

// add adds the uninterpreted types that a type mentions.
func (b *bounds) add(t Type) {
	for _, d := range Uninterpreted(t) {
		if !slices.Contains(b.types, d) {
			b.types = append(b.types, d)
		}
	}
}

// Uninterpreted returns the uninterpreted types that a type mentions, by the fields of datatypes too.
func Uninterpreted(t Type) []*TypeDecl {
	var out []*TypeDecl
	seen := map[*TypeDecl]bool{}
	var visit func(t Type) bool
	visit = func(t Type) bool {
		c, ok := t.(*Constructed)
		if !ok {
			return true
		}
		for _, a := range c.Args {
			inspectType(a, visit)
		}
		if seen[c.Decl] {
			return false
		}
		seen[c.Decl] = true
		if len(c.Decl.Constructors) == 0 {
			out = append(out, c.Decl)
		}
		for _, constructor := range c.Decl.Constructors {
			for _, f := range constructor.Params {
				inspectType(f.Type, visit)
			}
		}
		return false
	}
	inspectType(t, visit)
	return out
}
