package encode

import (
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// universal is an assumption that holds for all values of some variables. Clauses get instances of it, for the values
// that terms of the clause suggest; whatever others there are is left out, so that clauses allow more than the program.
type universal struct {
	pos       chc.Position
	variables []*term.Term
	// guard implies the assumption; it is true where the assumption stands alone.
	guard *term.Term
	body  *term.Term
	// patterns are sets of terms that together mention all variables: an instance is made where each matches a term.
	patterns [][]*term.Term
	// pools has, for the variables that have some, terms that they may stand for: those that the source puts into a pool
	// by a name, and bounds with which the condition compares them.
	pools  map[*term.Term][]string
	bounds map[*term.Term][]*term.Term
	// puts are the terms that instances put into pools.
	puts []put
	// asked are the patterns of the source.
	asked [][]*term.Term
	// redundant says that the assumption follows from what is checked elsewhere.
	redundant bool
	// broken says that what the assumption is about cannot be expressed, so that it is left out.
	broken bool
}

// put is a term that goes into a pool.
type put struct {
	pool string
	term *term.Term
}

// fail drops the assumption.
func (u *universal) fail(chc.Position, string) { u.broken = true }

// universal begins an assumption about all values of variables, and returns the scope in which its body is translated.
func (e *encoder) universal(vs []*ast.Variable, sc *scope, pos chc.Position) (*universal, *scope) {
	u := &universal{pos: pos, guard: e.pool.True()}
	inner := sc.with(vs, u.add(e, vs, sc))
	inner.bound = u
	return u, inner
}

// within begins an assumption about all values of the variables of the one that is being translated, if any.
func (e *encoder) within(sc *scope, pos chc.Position) (*universal, *scope) {
	u := &universal{pos: pos, guard: e.pool.True()}
	if sc.bound != nil {
		u.variables, u.pools, u.bounds = slices.Clone(sc.bound.variables), sc.bound.pools, sc.bound.bounds
	}
	inner := *sc
	inner.bound = u
	return u, &inner
}

func (u *universal) add(e *encoder, vs []*ast.Variable, sc *scope) []*term.Term {
	out := make([]*term.Term, len(vs))
	for i, v := range vs {
		out[i] = e.pool.Fresh(v.Name, e.sortIn(sc, v.Type, v.Pos))
	}
	u.variables = append(u.variables, out...)
	return out
}

// quantified translates a quantified condition, or its negation, that is assumed.
func (e *encoder) quantified(s *state, x *ast.Quantifier, negated bool, sc *scope) *term.Term {
	if len(x.TypeParams) > 0 {
		return e.forTypes(s, x, negated, sc)
	}
	if x.Exists != negated {
		// The variables are skolemised, by maps where they depend on others.
		values := make([]*term.Term, len(x.Bound))
		for i, v := range x.Bound {
			values[i] = e.unknown(sc, v.Name, e.sortIn(sc, v.Type, v.Pos))
		}
		inner := sc.with(x.Bound, values)
		e.putAll(s, x.Attributes, inner)
		return e.formula(s, x.Body, negated, inner)
	}
	if sc.bound != nil {
		inner := sc.with(x.Bound, sc.bound.add(e, x.Bound, sc))
		sc.bound.pooled(e, s, x.Bound, x.Attributes, inner)
		return e.formula(s, x.Body, negated, inner)
	}
	var guards []*term.Term
	for _, part := range conjuncts(x.Body, negated, nil) {
		guards = append(guards, e.assumeForAll(s, x, part, sc))
	}
	return e.pool.And(guards...)
}

// forTypes is a quantified condition with type parameters, or its negation, where it is assumed: for all types it is used
// for those for which the functions in it are.
func (e *encoder) forTypes(s *state, x *ast.Quantifier, negated bool, sc *scope) *term.Term {
	if sc.bound != nil {
		sc.bound.fail(x.Pos, "type parameters")
	}
	if x.Exists != negated && never(x.Body, negated) {
		return e.pool.False()
	}
	if !s.redundant {
		e.approximate(x.Pos, "an assumption with type parameters is used for some types")
	}
	var parts []*term.Term
	if x.Exists == negated && sc.bound == nil {
		plain := *x
		plain.TypeParams = nil
		for _, types := range e.typesFor(x) {
			inner := *sc
			inner.types = map[*ast.TypeVariable]ast.Type{}
			maps.Copy(inner.types, sc.types)
			maps.Copy(inner.types, types)
			parts = append(parts, e.quantified(s, &plain, negated, &inner))
		}
	}
	return e.pool.And(parts...)
}

// typesFor are the choices of types for a quantifier's type parameters for which a function in it is applied somewhere.
func (e *encoder) typesFor(x *ast.Quantifier) []map[*ast.TypeVariable]ast.Type {
	var out []map[*ast.TypeVariable]ast.Type
	seen := map[string]bool{}
	ast.Inspect(x.Body, func(part ast.Expr) bool {
		a, ok := part.(*ast.Application)
		if !ok {
			return true
		}
		for _, types := range e.functions.ofFunction[a.Function] {
			choice := map[*ast.TypeVariable]ast.Type{}
			for i, t := range a.TypeArguments {
				if v, ok := t.(*ast.TypeVariable); ok && slices.Contains(x.TypeParams, v) {
					choice[v] = types[i]
				}
			}
			key := ""
			for _, v := range x.TypeParams {
				if choice[v] == nil {
					return true
				}
				key += choice[v].String() + ","
			}
			if !seen[key] {
				seen[key] = true
				out = append(out, choice)
			}
		}
		return true
	})
	return out
}

// literal is a condition or its negation.
type literal struct {
	cond    ast.Expr
	negated bool
}

// conjuncts adds the parts that a condition, or its negation, is the conjunction of.
func conjuncts(x ast.Expr, negated bool, out []literal) []literal {
	switch x := x.(type) {
	case *ast.Unary:
		if x.Op == ast.Not {
			return conjuncts(x.X, !negated, out)
		}
	case *ast.Binary:
		switch {
		case x.Op == ast.And && !negated || x.Op == ast.Or && negated:
			return conjuncts(x.Y, negated, conjuncts(x.X, negated, out))
		case x.Op == ast.Implies && negated:
			return conjuncts(x.Y, true, conjuncts(x.X, false, out))
		case (x.Op == ast.Iff || x.Op == ast.Eq) && !negated && x.X.TypeOf() == ast.Bool && quantified(x):
			return conjuncts(twoImplications(x), false, out)
		}
	}
	return append(out, literal{x, negated})
}

// never reports whether a condition, or its negation, has a conjunct that is false. Dafny asserts that frames that are empty lie in
// others by (forall<alpha> … :: false ==> …).
func never(x ast.Expr, negated bool) bool {
	return slices.ContainsFunc(conjuncts(x, negated, nil), func(l literal) bool {
		b, ok := l.cond.(*ast.BoolLiteral)
		return ok && b.Value == l.negated
	})
}

// twoImplications is an equivalence as two implications, of which each makes its own use of what is quantified.
func twoImplications(x *ast.Binary) ast.Expr {
	return &ast.Binary{Node: x.Node, Op: ast.And,
		X: &ast.Binary{Node: x.Node, Op: ast.Implies, X: x.X, Y: x.Y},
		Y: &ast.Binary{Node: x.Node, Op: ast.Explies, X: x.X, Y: x.Y}}
}

// assumeForAll assumes a part of a quantifier's condition for all values of its variables.
func (e *encoder) assumeForAll(s *state, x *ast.Quantifier, part literal, sc *scope) *term.Term {
	u, inner := e.universal(x.Bound, sc, x.Pos)
	u.pooled(e, s, x.Bound, x.Attributes, inner)
	u.compared(e, s, x, part.cond, sc, inner)
	u.body = e.formula(s, part.cond, part.negated, inner)
	for _, t := range x.Triggers {
		if !t.Exclude {
			// Of the terms of a trigger only those that apply maps and functions can be matched.
			u.patterns = append(u.patterns, e.values(&state{}, t.Terms, inner))
		}
	}
	if u.body.IsTrue() && !u.broken {
		return u.body
	}
	u.guard = e.pool.Fresh("all", term.Bool)
	e.assumeUniversal(s, u)
	if u.broken {
		return e.pool.True()
	}
	return u.guard
}

// truth is the truth value of a quantified condition: a fresh one, which implies the condition, and whose negation
// implies that of the condition.
func (e *encoder) truth(s *state, x *ast.Quantifier, sc *scope) *term.Term {
	if sc.bound == nil {
		t := e.pool.Fresh("holds", term.Bool)
		s.assume(e.pool.Implies(t, e.quantified(s, x, false, sc)))
		s.assume(e.pool.Implies(e.pool.Not(t), e.quantified(s, x, true, sc)))
		return t
	}
	// It is one for each value of the outer variables.
	t := e.unknown(sc, "holds", term.Bool)
	for _, negated := range []bool{false, true} {
		holds := t
		if negated {
			holds = e.pool.Not(t)
		}
		u, inner := e.within(sc, x.Pos)
		u.body = e.pool.Implies(holds, e.quantified(s, x, negated, inner))
		e.assumeUniversal(s, u)
	}
	return t
}

// assumeUniversal adds an assumption to those of a state. Clauses of the state are approximate then, unless the
// assumption is redundant.
func (e *encoder) assumeUniversal(s *state, u *universal) {
	u.redundant = s.redundant
	if u.broken {
		if !u.redundant {
			e.approximate(u.pos, "an assumption about all values is left out")
		}
		return
	}
	u.patterns = slices.DeleteFunc(u.patterns, func(ps []*term.Term) bool { return !covers(ps, u.variables) })
	u.asked = u.patterns
	if len(u.patterns) == 0 {
		u.patterns = e.choosePatterns(u)
	}
	s.universals = append(s.universals, u)
}

// covers reports whether terms are reads of maps that together mention all variables.
func covers(ps, variables []*term.Term) bool {
	for _, p := range ps {
		if p.Op() != term.Select {
			return false
		}
	}
	vars := term.Vars(ps...)
	return !slices.ContainsFunc(variables, func(v *term.Term) bool { return !slices.Contains(vars, v) })
}

// choosePatterns takes the smallest reads of maps that mention variables at their indices: each that mentions all of
// them is a pattern, or else some together are.
func (e *encoder) choosePatterns(u *universal) [][]*term.Term {
	var candidates []*term.Term
	term.Walk(u.body, func(t *term.Term) bool {
		if t.Op() == term.Select && !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return e.named[v] }) && slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return slices.Contains(u.variables, v) }) {
			candidates = append(candidates, t)
		}
		return true
	})
	var single [][]*term.Term
	for _, c := range candidates {
		if covers([]*term.Term{c}, u.variables) {
			single = append(single, []*term.Term{c})
		}
	}
	if len(single) > 0 {
		return single
	}
	// Else each with as many others as are missing.
	var patterns [][]*term.Term
	for i, c := range candidates {
		pattern := []*term.Term{c}
		for j := 0; j < len(candidates) && !covers(pattern, u.variables); j++ {
			known := term.Vars(pattern...)
			if j != i && slices.ContainsFunc(term.Vars(candidates[j]), func(v *term.Term) bool {
				return slices.Contains(u.variables, v) && !slices.Contains(known, v)
			}) {
				pattern = append(pattern, candidates[j])
			}
		}
		if covers(pattern, u.variables) {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// note puts the assumptions about all values of a state beside a clause.
func (e *encoder) note(c *chc.Clause, s *state) {
	if !e.options.Native {
		return
	}
	for _, u := range s.universals {
		e.encoding.Universals[c] = append(e.encoding.Universals[c], Universal{
			Guard: u.guard, Variables: u.variables, Body: u.body, Patterns: u.asked, Always: u.guard.IsTrue(),
		})
	}
}
