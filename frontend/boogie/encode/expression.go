package encode

import (
	"maps"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// scope says what the names in an expression stand for.
type scope struct {
	// now has the values of variables, parameters and bound variables; entry those of globals within old.
	now, entry map[*ast.Variable]*term.Term
	inOld      bool
	// types has the types that type parameters stand for.
	types map[*ast.TypeVariable]ast.Type
	// bound has the variables of the universal assumption that is being translated, nil outside of one.
	bound *universal
}

func (s *state) scope() *scope { return &scope{now: s.now, entry: s.entry} }

// with is the scope with further names.
func (sc *scope) with(vs []*ast.Variable, values []*term.Term) *scope {
	inner := *sc
	inner.now = maps.Clone(sc.now)
	for i, v := range vs {
		inner.now[v] = values[i]
	}
	return &inner
}

func (e *encoder) sortIn(sc *scope, t ast.Type, pos chc.Position) *term.Sort {
	return e.sort(ast.Substitute(t, sc.types), pos)
}

// assumeCondition assumes a condition, or its negation.
func (e *encoder) assumeCondition(s *state, cond ast.Expr, negated bool, sc *scope) {
	s.assume(e.formula(s, cond, negated, sc))
}

// formula translates a condition, or its negation, that is assumed. Existential variables are skolemised; a
// universal formula becomes an assumption of the state, which the result implies.
func (e *encoder) formula(s *state, x ast.Expr, negated bool, sc *scope) *term.Term {
	p := e.pool
	switch x := x.(type) {
	case *ast.Unary:
		if x.Op == ast.Not {
			return e.formula(s, x.X, !negated, sc)
		}
	case *ast.Binary:
		left, right, isOr := false, false, false
		switch x.Op {
		case ast.And:
		case ast.Or:
			isOr = true
		case ast.Implies:
			left, isOr = true, true
		case ast.Explies:
			right, isOr = true, true
		case ast.Iff, ast.Eq:
			if x.X.TypeOf() != ast.Bool || !quantified(x) {
				if negated && e.isMap(x, sc) {
					return e.distinct(s, x, sc)
				}
				return e.literal(s, x, negated, sc)
			}
			return e.formula(s, twoImplications(x), negated, sc)
		case ast.Neq:
			if !negated && e.isMap(x, sc) {
				return e.distinct(s, x, sc)
			}
			return e.literal(s, x, negated, sc)
		default:
			return e.literal(s, x, negated, sc)
		}
		a, b := e.formula(s, x.X, left != negated, sc), e.formula(s, x.Y, right != negated, sc)
		if isOr != negated {
			return p.Or(a, b)
		}
		return p.And(a, b)
	case *ast.Coercion:
		return e.formula(s, x.X, negated, sc)
	case *ast.Old:
		inner := *sc
		inner.inOld = true
		return e.formula(s, x.X, negated, &inner)
	case *ast.Let:
		return e.formula(s, x.Body, negated, sc.with(x.Bound, e.values(s, x.Values, sc)))
	case *ast.IfThenElse:
		cond := e.value(s, x.Cond, sc)
		return p.Ite(cond, e.formula(s, x.Then, negated, sc), e.formula(s, x.Else, negated, sc))
	case *ast.Application:
		if body, inner := e.functions.expansion(s, x, sc); body != nil {
			return e.formula(s, body, negated, inner)
		}
	case *ast.Quantifier:
		return e.quantified(s, x, negated, sc)
	case *ast.CodeExpr:
		return e.codeExpression(s, x, negated, sc)
	}
	return e.literal(s, x, negated, sc)
}

func (e *encoder) literal(s *state, x ast.Expr, negated bool, sc *scope) *term.Term {
	t := e.value(s, x, sc)
	if negated {
		return e.pool.Not(t)
	}
	return t
}

func (e *encoder) values(s *state, xs []ast.Expr, sc *scope) []*term.Term {
	out := make([]*term.Term, len(xs))
	for i, x := range xs {
		out[i] = e.value(s, x, sc)
	}
	return out
}

// value is the term for an expression in a state. What defines parts of it, such as the maps of lambda expressions,
// becomes a fact of the state.
func (e *encoder) value(s *state, x ast.Expr, sc *scope) *term.Term {
	p := e.pool
	switch x := x.(type) {
	case *ast.BoolLiteral:
		return p.Bool(x.Value)
	case *ast.IntLiteral:
		return p.IntNum(term.NumFromBig(x.Value))
	case *ast.RealLiteral:
		return p.Real(term.NumFromRat(x.Value))
	case *ast.BitVectorLiteral:
		if x.Width == 0 {
			return p.Int(0)
		}
		return p.BVNum(term.NumFromBig(x.Value), x.Width)
	case *ast.Identifier:
		return e.identifier(x, sc)
	case *ast.Application:
		return e.functions.apply(s, x, sc)
	case *ast.Unary:
		return e.unary(s, x, sc)
	case *ast.Binary:
		return e.binary(s, x, sc)
	case *ast.Select:
		return e.datatypes.read(s, x, sc)
	case *ast.Store:
		return e.datatypes.write(s, x, sc)
	case *ast.Extract:
		t := e.value(s, x.X, sc)
		if x.High == x.Low {
			return p.Int(0)
		}
		return p.Extract(x.High-1, x.Low, t)
	case *ast.IfThenElse:
		return p.Ite(e.value(s, x.Cond, sc), e.value(s, x.Then, sc), e.value(s, x.Else, sc))
	case *ast.Old:
		inner := *sc
		inner.inOld = true
		return e.value(s, x.X, &inner)
	case *ast.Coercion:
		return e.value(s, x.X, sc)
	case *ast.Let:
		return e.value(s, x.Body, sc.with(x.Bound, e.values(s, x.Values, sc)))
	case *ast.Quantifier:
		return e.truth(s, x, sc)
	case *ast.Lambda:
		return e.lambda(s, x, sc)
	case *ast.CodeExpr:
		return e.arbitrary(sc, x.Pos, "a code expression within a term", term.Bool)
	case *ast.Is:
		return e.datatypes.is(s, x, sc)
	case *ast.Field:
		return e.datatypes.field(s, x, sc)
	case *ast.FieldUpdate:
		return e.datatypes.update(s, x, sc)
	case *ast.RecordLiteral:
		return e.datatypes.record(s, x, sc)
	}
	panic("an expression of an unknown kind")
}

// store is a map with one entry changed; several indices reach into maps of maps.
func (e *encoder) store(m *term.Term, index []*term.Term, value *term.Term) *term.Term {
	if len(index) == 0 {
		return value
	}
	return e.pool.Store(m, index[0], e.store(e.pool.Select(m, index[0]), index[1:], value))
}

func (e *encoder) identifier(x *ast.Identifier, sc *scope) *term.Term {
	v := x.Decl
	var t *term.Term
	switch {
	case v.Kind == ast.Constant:
		return e.symbols.constant(v)
	case v.Kind == ast.Global && sc.inOld:
		t = sc.entry[v]
	default:
		t = sc.now[v]
	}
	if t == nil {
		panic("the variable " + v.Name + " is used where it has no value")
	}
	return t
}

// lambda is a fresh map of which the definition holds at every index.
func (e *encoder) lambda(s *state, x *ast.Lambda, sc *scope) *term.Term {
	sort := e.sortIn(sc, x.Type, x.Pos)
	if len(x.TypeParams) > 0 {
		return e.datatypes.lambda(s, x, sc, sort)
	}
	if !ast.Mentions(x.Body, x.Bound) {
		t := e.value(s, x.Body, sc)
		for i := len(x.Bound) - 1; i >= 0; i-- {
			t = e.pool.ConstArray(e.pool.Array(e.sortIn(sc, x.Bound[i].Type, x.Pos), t.Sort()), t)
		}
		return t
	}
	m := e.unknown(sc, "lambda", sort)
	u, inner := e.within(sc, x.Pos)
	inner = inner.with(x.Bound, u.add(e, x.Bound, sc))
	at := m
	for _, v := range u.variables[len(u.variables)-len(x.Bound):] {
		at = e.pool.Select(at, v)
	}
	u.pooled(e, s, x.Bound, x.Attributes, inner)
	u.body = e.pool.Eq(at, e.value(s, x.Body, inner))
	u.patterns = [][]*term.Term{{at}}
	e.assumeUniversal(s, u)
	return m
}

// unknown is a fresh value; within an assumption for all values it is a function of the bound variables.
func (e *encoder) unknown(sc *scope, name string, sort *term.Sort) *term.Term {
	if sc.bound == nil {
		return e.pool.Fresh(name, sort)
	}
	for _, outer := range slices.Backward(sc.bound.variables) {
		sort = e.pool.Array(outer.Sort(), sort)
	}
	t := e.pool.Fresh(name, sort)
	e.named[t] = true
	for _, outer := range sc.bound.variables {
		t = e.pool.Select(t, outer)
	}
	return t
}

// isMap reports whether maps are compared to which an assumption for all values, or a lambda expression, may apply.
func (e *encoder) isMap(x *ast.Binary, sc *scope) bool {
	if !e.extensional {
		return false
	}
	a, ok := ast.Substitute(x.X.TypeOf(), sc.types).(*ast.Map)
	return ok && len(a.Params) == 0 && len(a.Domain) > 0 && ast.Equal(a, ast.Substitute(x.Y.TypeOf(), sc.types))
}

// distinct says that two maps differ: there is an index at which they do, which gets a name, so that what is known for all
// indices is used for it.
func (e *encoder) distinct(s *state, x *ast.Binary, sc *scope) *term.Term {
	a, b := e.value(s, x.X, sc), e.value(s, x.Y, sc)
	for a.Sort().Kind == term.ArrayKind {
		i := e.unknown(sc, "difference", a.Sort().Index)
		a, b = e.pool.Select(a, i), e.pool.Select(b, i)
	}
	return e.pool.Ne(a, b)
}
