package encode

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
	"hornbeam/frontend/boogie/ast"
)

// codePaths are the paths through a code expression.
type codePaths struct {
	*encoder
	state   *state
	expr    *ast.CodeExpr
	scope   *scope
	negated bool
	labels  map[*ast.Label]int
	steps   int
	paths   []*term.Term
}

// codeExpression translates a code expression, or its negation, that is assumed: some path through it returns true,
// or false. An assertion that it holds is the negation of its negation: all paths return true.
func (e *encoder) codeExpression(s *state, x *ast.CodeExpr, negated bool, sc *scope) *term.Term {
	if sc.bound != nil {
		sc.bound.fail(x.Pos, "a code expression within a quantifier")
		return e.pool.True()
	}
	c := &codePaths{encoder: e, state: s, expr: x, scope: sc, negated: negated, labels: map[*ast.Label]int{}}
	for i, stmt := range x.Body.Stmts {
		if l, ok := stmt.(*ast.Label); ok {
			c.labels[l] = i
		}
	}
	now, conds := c.fresh(sc.now, x.Body.Locals, nil)
	c.run(0, now, conds)
	return e.pool.Or(c.paths...)
}

// at is the scope at a moment of a path.
func (c *codePaths) at(now map[*ast.Variable]*term.Term) *scope {
	inner := *c.scope
	inner.now = now
	return &inner
}

// fresh gives variables new values, and adds what their where clauses say of them.
func (c *codePaths) fresh(now map[*ast.Variable]*term.Term, vs []*ast.Variable, conds []*term.Term) (map[*ast.Variable]*term.Term, []*term.Term) {
	now = maps.Clone(now)
	for _, v := range vs {
		now[v] = c.pool.Fresh(v.Name, c.sortIn(c.scope, v.Type, v.Pos))
	}
	for _, v := range vs {
		if v.Where != nil {
			conds = append(slices.Clip(conds), c.formula(c.state, v.Where, false, c.at(now)))
		}
	}
	return now, conds
}

// run follows the paths from a statement on, on which the conditions hold.
func (c *codePaths) run(i int, now map[*ast.Variable]*term.Term, conds []*term.Term) {
	for ; i < len(c.expr.Body.Stmts); i++ {
		if c.steps++; c.steps > maxCodeSteps {
			refuse(c.expr.Pos, "code expressions with loops, or with many paths")
		}
		switch s := c.expr.Body.Stmts[i].(type) {
		case *ast.Label:
		case *ast.Assume:
			conds = append(slices.Clip(conds), c.formula(c.state, s.Cond, false, c.at(now)))
		case *ast.Assign:
			next := maps.Clone(now)
			for j := range s.Left {
				v, value := s.Value(j)
				next[v] = c.value(c.state, value, c.at(now))
			}
			now = next
		case *ast.Havoc:
			vs := make([]*ast.Variable, len(s.Variables))
			for j, id := range s.Variables {
				vs[j] = id.Decl
			}
			now, conds = c.fresh(now, vs, conds)
		case *ast.Goto:
			for _, l := range s.Targets {
				c.run(c.labels[l], now, conds)
			}
			return
		case *ast.Return:
			holds := c.formula(c.state, s.Value, c.negated, c.at(now))
			c.paths = append(c.paths, c.pool.And(append(slices.Clone(conds), holds)...))
			return
		default:
			refuse(s.At(), "assertions and calls in code expressions")
		}
	}
}
