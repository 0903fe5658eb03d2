package encode

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// pooled notes the pools of bound variables, {:pool "name"}, and what the attributes {:add_to_pool "name", terms} of a
// quantifier or lambda expression put into pools wherever there is an instance.
func (u *universal) pooled(e *encoder, s *state, vs []*ast.Variable, as ast.Attributes, sc *scope) {
	note := func(as ast.Attributes, vs []*ast.Variable) {
		for _, a := range as {
			if a.Name != "pool" {
				continue
			}
			for _, arg := range a.Args {
				name, ok := arg.(*ast.StringLiteral)
				for _, v := range vs {
					if !ok {
						break
					}
					if u.pools == nil {
						u.pools = map[*term.Term][]string{}
					}
					u.pools[sc.now[v]] = append(slices.Clip(u.pools[sc.now[v]]), name.Text)
				}
			}
		}
	}
	note(as, vs)
	for _, v := range vs {
		note(v.Attributes, []*ast.Variable{v})
	}
	e.eachPut(as, sc, func(name string, x ast.Expr) { u.puts = append(u.puts, put{name, e.value(s, x, sc)}) })
}

// putAll puts the terms of {:add_to_pool "name", terms} into the pools of a state.
func (e *encoder) putAll(s *state, as ast.Attributes, sc *scope) {
	if sc.bound != nil {
		return
	}
	e.eachPut(as, sc, func(name string, x ast.Expr) { s.pool = append(slices.Clip(s.pool), put{name, e.value(s, x, sc)}) })
}

// eachPut calls put for the terms that attributes put into pools, but not for those about variables without a value:
// attributes alone don't keep them.
func (e *encoder) eachPut(as ast.Attributes, sc *scope, put func(name string, x ast.Expr)) {
	for _, a := range as {
		if a.Name != "add_to_pool" || len(a.Args) == 0 {
			continue
		}
		name, ok := a.Args[0].(*ast.StringLiteral)
		if !ok {
			continue
		}
		for _, x := range a.Args[1:] {
			if !bindsVariables(x, sc) && !valueless(x, sc) {
				put(name.Text, x)
			}
		}
	}
}

// valueless reports whether there are variables in an expression that have no value.
func valueless(x ast.Expr, sc *scope) bool {
	found := false
	ast.Inspect(x, func(part ast.Expr) bool {
		switch part := part.(type) {
		case *ast.Identifier:
			found = found || part.Decl.Kind != ast.Constant && sc.now[part.Decl] == nil
		case *ast.Old:
			found = true
		}
		return !found
	})
	return found
}

// compared notes with which terms a condition compares the variables of a quantifier: where nothing else suggests values,
// these and their neighbours decide conditions that are about nothing but an order.
func (u *universal) compared(e *encoder, s *state, x *ast.Quantifier, cond ast.Expr, outer, inner *scope) {
	seen := map[*term.Term]bool{}
	ast.Inspect(cond, func(part ast.Expr) bool {
		b, ok := part.(*ast.Binary)
		if !ok {
			_, ok := part.(*ast.Quantifier)
			return !ok
		}
		for _, sides := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			id, ok := sides[0].(*ast.Identifier)
			if !ok || !slices.Contains(x.Bound, id.Decl) || ast.Mentions(sides[1], x.Bound) || bindsVariables(sides[1], outer) {
				continue
			}
			switch b.Op {
			case ast.Eq, ast.Neq, ast.Less, ast.LessEq, ast.Greater, ast.GreaterEq:
			default:
				continue
			}
			v, t := inner.now[id.Decl], e.value(s, sides[1], outer)
			if v.Sort() != t.Sort() || seen[t] {
				continue
			}
			seen[t] = true
			if u.bounds == nil {
				u.bounds = map[*term.Term][]*term.Term{}
			}
			u.bounds[v] = append(u.bounds[v], t)
			if t.Sort().IsArith() && b.Op != ast.Eq && b.Op != ast.Neq {
				one := e.pool.Numeral(term.NewInt(1), t.Sort())
				u.bounds[v] = append(u.bounds[v], e.pool.Add(t, one), e.pool.Sub(t, one))
			}
		}
		return true
	})
}

// bindsVariables reports whether an expression binds variables, or mentions some that are bound around it in a scope
// further inside.
func bindsVariables(x ast.Expr, sc *scope) bool {
	found := false
	ast.Inspect(x, func(part ast.Expr) bool {
		switch part := part.(type) {
		case *ast.Quantifier, *ast.Lambda, *ast.Let, *ast.CodeExpr:
			found = true
		case *ast.Identifier:
			found = found || part.Decl.Kind == ast.Bound && sc.now[part.Decl] == nil
		}
		return !found
	})
	return found
}

// suggested are assignments of the variables of an assumption by terms of their pools, or where a variable has no pool by
// terms with which the condition compares it.
func (u *universal) suggested(pool []put) []map[*term.Term]*term.Term {
	matches := []map[*term.Term]*term.Term{{}}
	for _, v := range u.variables {
		var terms []*term.Term
		for _, p := range pool {
			if slices.Contains(u.pools[v], p.pool) && p.term.Sort() == v.Sort() && !slices.Contains(terms, p.term) {
				terms = append(terms, p.term)
			}
		}
		if len(u.pools[v]) == 0 {
			terms = u.bounds[v]
		}
		matches = assign(matches, v, terms)
	}
	return matches
}
