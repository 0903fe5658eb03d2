package encode

import (
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// pointwise is the entry of the map that an operator on maps makes, from the entries of its arguments at the same index.
// Nil stands for operators that are not known, or that these arguments are not for.
func (e *encoder) pointwise(operator string, args []*term.Term) *term.Term {
	p := e.pool
	switch {
	case operator == "MapNot" && len(args) == 1 && args[0].Sort() == term.Bool:
		return p.Not(args[0])
	case operator == "MapIte" && len(args) == 3 && args[0].Sort() == term.Bool && args[1].Sort() == args[2].Sort():
		return p.Ite(args[0], args[1], args[2])
	}
	op, ok := ast.MapOperators[operator]
	if !ok || len(args) != 2 || args[0].Sort() != args[1].Sort() {
		return nil
	}
	switch op {
	case ast.Eq, ast.Iff:
		return p.Eq(args[0], args[1])
	case ast.And, ast.Or, ast.Implies:
		ok = args[0].Sort() == term.Bool
	case ast.Div, ast.Mod:
		ok = args[0].Sort() == term.Int && args[1].IsNumeral()
	default:
		ok = args[0].Sort() == term.Int
	}
	if !ok {
		return nil
	}
	return e.operation(op, args[0], args[1])
}

// mapOperator is an operator that makes a map of maps; nil when it is none that is known.
func (e *encoder) mapOperator(s *state, operator string, args []*term.Term, sc *scope, pos chc.Position, sort *term.Sort) *term.Term {
	if sort.Kind != term.ArrayKind {
		return nil
	}
	if isConstant(operator) {
		if len(args) == 1 && args[0].Sort() == sort.Elem {
			return e.pool.ConstArray(sort, args[0])
		}
		return nil
	}
	u, _ := e.within(sc, pos)
	i := e.pool.Fresh("index", sort.Index)
	u.variables = append(u.variables, i)
	entries := make([]*term.Term, len(args))
	for j, a := range args {
		if a.Sort().Kind != term.ArrayKind || a.Sort().Index != sort.Index {
			return nil
		}
		entries[j] = e.pool.Select(a, i)
	}
	m := e.unknown(sc, operator, sort)
	at := e.pool.Select(m, i)
	if isMixture(operator) && len(entries) >= 2 && entries[0].Sort() == sort.Elem && entries[1].Sort() == sort.Elem {
		// Which of the two it is where depends on a third map.
		e.approximate(pos, "where a mixture of maps takes which is taken to be arbitrary")
		u.body = e.pool.Or(e.pool.Eq(at, entries[0]), e.pool.Eq(at, entries[1]))
	} else if t := e.pointwise(operator, entries); t != nil && t.Sort() == sort.Elem {
		u.body = e.pool.Eq(at, t)
	} else {
		return nil
	}
	u.patterns = [][]*term.Term{{at}}
	for _, t := range entries {
		if t.Op() == term.Select {
			u.patterns = append(u.patterns, []*term.Term{t})
		}
	}
	e.assumeUniversal(s, u)
	return m
}

// isConstant reports whether an operator makes the map to one value: Boogie's, or those of Ultimate, which name the sort.
func isConstant(operator string) bool {
	return operator == "MapConst" || strings.HasPrefix(operator, "const-Array-")
}

func isMixture(operator string) bool { return strings.HasPrefix(operator, "mix-Array-") }

// makesMap reports whether a function makes maps by an operator, of which something holds at all indices.
func makesMap(g *ast.Function) bool {
	op := g.Builtin()
	return strings.HasPrefix(op, "Map") || isMixture(op)
}
