package proof

import (
	"maps"
	"strconv"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// formula writes a Boolean term, or its negation.
func (x *expresser) formula(t *term.Term, negated bool) ast.Expr {
	x.spend()
	if l := x.shared[t]; l != nil {
		l.used = true
		return negatedIf(negated, &ast.Identifier{Name: l.name})
	}
	switch t.Op() {
	case term.True, term.False:
		return boolean(t.IsTrue() != negated)
	case term.Not:
		return x.formula(t.Arg(0), !negated)
	case term.And:
		if negated {
			return x.alternatives(t.Args(), true)
		}
		return x.all(t.Args(), false)
	case term.Or:
		if negated {
			return x.all(t.Args(), true)
		}
		return x.alternatives(t.Args(), false)
	case term.Ite:
		return &ast.IfThenElse{Cond: x.formula(t.Arg(0), false), Then: x.formula(t.Arg(1), negated), Else: x.formula(t.Arg(2), negated)}
	case term.Eq:
		return x.equality(t, negated)
	case term.Le, term.Lt:
		return x.comparison(t, negated)
	case term.Divides:
		return relation(negated, binary(ast.Mod, x.expression(t.Arg(1), ast.Int), x.expression(t.Arg(0), ast.Int)), x.zero(term.Int))
	case term.IsInt:
		e := x.expression(t.Arg(0), ast.Real)
		return relation(negated, &ast.Unary{Op: ast.ToReal, X: &ast.Unary{Op: ast.ToInt, X: e}}, e)
	case term.Forall, term.Exists:
		return x.quantifier(t, negated)
	case term.BVUle, term.BVSle:
		return x.bitComparison(t, negated)
	case term.Is:
		return negatedIf(negated, x.is(t))
	case term.Var, term.Select, term.Field:
		v := x.atom(t)
		if v.missing > 0 {
			fail("a truth value that is no element of a map")
		}
		return negatedIf(negated, v.expr)
	}
	fail("%s", what(t))
	return nil
}

// atom is a truth value that is a variable, or an element of a map.
func (x *expresser) atom(t *term.Term) value {
	switch t.Op() {
	case term.Select:
		return x.read(t)
	case term.Field:
		return x.field(t)
	}
	v := x.variables[t]
	if v == nil {
		fail("the variable %s, which stands for nothing in the program", t.Name())
	}
	return value{expr: v.expr, typ: v.typ}
}

func negatedIf(negated bool, e ast.Expr) ast.Expr {
	if negated {
		return not(e)
	}
	return e
}

// relation is an equality, or when it is negated an inequality.
func relation(negated bool, a, b ast.Expr) ast.Expr {
	if negated {
		return binary(ast.Neq, a, b)
	}
	return binary(ast.Eq, a, b)
}

func (x *expresser) formulas(ts []*term.Term, negated bool) []ast.Expr {
	es := make([]ast.Expr, len(ts))
	for i, t := range ts {
		es[i] = x.formula(t, negated)
	}
	return es
}

func (x *expresser) all(ts []*term.Term, negated bool) ast.Expr {
	return join(ast.And, true, x.formulas(ts, negated))
}

// alternatives writes a disjunction of terms, or of their negations. A disjunction such as x != 1 || y > 2 is
// written as an implication: x == 1 ==> y > 2.
func (x *expresser) alternatives(ts []*term.Term, negated bool) ast.Expr {
	var cases, conclusions []*term.Term
	split := func(isCase func(*term.Term) bool) {
		cases, conclusions = nil, nil
		for _, t := range ts {
			if isCase(t) {
				cases = append(cases, t)
			} else {
				conclusions = append(conclusions, t)
			}
		}
	}
	for _, isCase := range []func(*term.Term) bool{
		func(t *term.Term) bool { return describesCase(t, negated) || x.ofIndices(t) },
		func(t *term.Term) bool { return describesCase(t, negated) },
		func(t *term.Term) bool { return !term.HasAny(t, x.changing) },
	} {
		if split(isCase); len(cases) > 0 && len(conclusions) > 0 {
			break
		}
	}
	if len(cases) == 0 || len(conclusions) == 0 {
		return join(ast.Or, false, x.formulas(ts, negated))
	}
	return binary(ast.Implies, x.all(cases, !negated), join(ast.Or, false, x.formulas(conclusions, negated)))
}

// describesCase reports whether a term, or its negation, is a negated atom.
func describesCase(t *term.Term, negated bool) bool {
	if t.IsNot() {
		return describesCase(t.Arg(0), !negated)
	}
	if !negated {
		return false
	}
	switch t.Op() {
	case term.And, term.Eq, term.Var, term.Select, term.Field, term.Is, term.Divides, term.Forall:
		return true
	}
	return false
}

// ofIndices reports whether a term speaks of the variables of a quantifier around it, but of no element of a map: it says
// which indices are meant.
func (x *expresser) ofIndices(t *term.Term) bool {
	if !term.HasAny(t, x.bound) {
		return false
	}
	reads := false
	term.Walk(t, func(u *term.Term) bool {
		reads = reads || u.Op() == term.Select
		return !reads
	})
	return !reads
}

// equality writes an equality of any sort.
func (x *expresser) equality(t *term.Term, negated bool) ast.Expr {
	a, b := t.Arg(0), t.Arg(1)
	switch a.Sort().Kind {
	case term.BoolKind:
		// The operand that is a negation takes the negation of the whole.
		return binary(ast.Iff, x.formula(a, negated), x.formula(b, false))
	case term.IntKind, term.RealKind:
		return x.comparison(t, negated)
	case term.ArrayKind:
		return x.sameMaps(a, b, negated)
	}
	typ := x.typeOf(a)
	if typ == nil {
		typ = x.typeOf(b)
	}
	return relation(negated, x.expression(a, typ), x.expression(b, typ))
}

// quantifier writes a quantified term, or its negation.
func (x *expresser) quantifier(t *term.Term, negated bool) ast.Expr {
	q := &ast.Quantifier{Exists: (t.Op() == term.Exists) != negated}
	inner := *x
	inner.variables = maps.Clone(x.variables)
	inner.bound = maps.Clone(x.bound)
	if inner.bound == nil {
		inner.bound = map[*term.Term]bool{}
	}
	for _, v := range t.Bound() {
		// The types of the others may determine this one, once they are known.
		inner.variables[v] = nil
		inner.bound[v] = true
	}
	for range t.Bound() {
		for _, v := range t.Bound() {
			inner.known = newMemo()
			inner.variables[v] = &variable{typ: inner.boundType(v, t.Arg(0))}
		}
	}
	inner.known = newMemo()
	for _, v := range t.Bound() {
		b := &ast.Variable{Kind: ast.Bound, Name: x.freshName(inner.variables[v].typ), Type: inner.variables[v].typ}
		q.Bound = append(q.Bound, b)
		inner.variables[v].expr = &ast.Identifier{Name: b.Name, Decl: b}
	}
	body := t.Arg(0)
	if negated {
		body = x.pool.Not(body)
	}
	q.Body = inner.scope(body, t.Bound())
	x.release(q.Bound)
	return q
}

// freshName is a name for a bound variable that hides none that the condition needs.
func (x *expresser) freshName(t ast.Type) string {
	letters := []string{"i", "j", "k", "l", "m", "n"}
	if t != nil && t != ast.Int {
		letters = []string{"x", "y", "z", "u", "v", "w"}
	}
	for n := 0; ; n++ {
		name := letters[n%len(letters)]
		if n >= len(letters) {
			name += strconv.Itoa(n / len(letters))
		}
		if !x.names[name] {
			x.names[name] = true
			return name
		}
	}
}

// release makes the names of bound variables available again at the end of their scope.
func (x *expresser) release(bound []*ast.Variable) {
	for _, v := range bound {
		delete(x.names, v.Name)
	}
}

// sameMaps writes the equality of two maps. Where one is none by itself, they are compared at all indices.
func (x *expresser) sameMaps(a, b *term.Term, negated bool) ast.Expr {
	typ := x.typeOf(a)
	if typ == nil {
		typ = x.typeOf(b)
	}
	if typ == nil {
		typ = x.ofSort(a.Sort())
	}
	if x.complete(a) && x.complete(b) && (x.typeOf(a) == nil || x.typeOf(b) == nil || ast.Equal(x.typeOf(a), x.typeOf(b))) {
		return relation(negated, x.expression(a, typ), x.expression(b, typ))
	}
	i := x.pool.Fresh("i", a.Sort().Index)
	all := x.pool.Forall([]*term.Term{i}, x.pool.Eq(x.pool.Select(a, i), x.pool.Select(b, i)))
	return x.formula(all, negated)
}
