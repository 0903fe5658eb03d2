package simplify

import (
	"context"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// Subsume returns the pass "subsume".
func Subsume() transform.Pass {
	return transform.Pass{
		Name:   "subsume",
		Doc:    "Removes duplicate clauses and clauses that another clause implies by a matching of its variables.",
		Repeat: true,
		Run:    removeSubsumed,
	}
}

// removeSubsumed removes clauses that are instances of others, apart from additional body atoms and conjuncts. The first
// of two that subsume each other stays.
func removeSubsumed(ctx context.Context, env transform.Environment, sys *chc.System) (*chc.System, transform.Translator, error) {
	groups := make([][]*clauseIndex, len(sys.Predicates)+1)
	var order []*clauseIndex
	for _, c := range sys.Clauses {
		g := len(sys.Predicates)
		if c.Head != nil {
			g = c.Head.Pred.ID
		}
		x := &clauseIndex{clause: c, group: g}
		groups[g] = append(groups[g], x)
		order = append(order, x)
	}
	removed := make([]bool, len(sys.Clauses))
	some := false
	for _, d := range order {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		group := groups[d.group]
		if len(group) > maxSubsumers {
			// Neighbours in the text are the likeliest to be alike.
			i := slices.Index(group, d)
			from := max(0, min(i-maxSubsumers/2, len(group)-maxSubsumers))
			group = group[from : from+maxSubsumers]
		}
		for _, c := range group {
			if c != d && !removed[c.clause.ID] && subsumes(sys.Pool, c, d) {
				removed[d.clause.ID] = true
				some = true
				break
			}
		}
	}
	if !some {
		return sys, nil, nil
	}
	var clauses []*chc.Clause
	var origins [][]transform.Origin
	for i, c := range sys.Clauses {
		if !removed[i] {
			clauses = append(clauses, c)
			origins = append(origins, []transform.Origin{{Clause: c}})
		}
	}
	next := transform.Rebuild(sys, sys.Predicates, clauses)
	return next, &transform.ClauseTranslator{Env: env, Old: sys, New: next, Replacements: transform.Identity(next), Origins: origins}, nil
}

// clauseIndex is a clause with what the comparison needs of it, computed on first use.
type clauseIndex struct {
	clause    *chc.Clause
	group     int
	conjuncts map[*term.Term]bool
	spans     *spans
}

func (x *clauseIndex) index(pool *term.Pool) {
	if x.conjuncts != nil {
		return
	}
	x.conjuncts = map[*term.Term]bool{}
	x.spans = newSpans(pool)
	for _, c := range term.Conjuncts(x.clause.Constraint) {
		x.conjuncts[c] = true
		x.spans.add(c)
	}
}

// implies reports whether the conjunct c follows from x's constraint, as far as that is plain to see.
func (x *clauseIndex) implies(c *term.Term) bool {
	if c.IsTrue() || x.conjuncts[c] {
		return true
	}
	atom, positive := c.Atom()
	val, decided := x.spans.decide(atom)
	return decided && val == positive
}

// subsumes reports whether c implies d: there is a substitution under which c's head is d's, c's body atoms are among
// d's, and d's constraint implies c's.
func subsumes(pool *term.Pool, c, d *clauseIndex) bool {
	if len(c.clause.Body) > len(d.clause.Body) {
		return false
	}
	for _, a := range c.clause.Body {
		if !slices.ContainsFunc(d.clause.Body, func(b chc.App) bool { return a.Pred == b.Pred }) {
			return false
		}
	}
	m := &matching{pool: pool, c: c, d: d, bind: map[*term.Term]*term.Term{}, tries: maxSubsumers}
	if c.clause.Head != nil && !m.match(*c.clause.Head, *d.clause.Head) {
		return false
	}
	return m.body(0)
}

// matching is the search for a substitution of c's variables.
type matching struct {
	pool  *term.Pool
	c, d  *clauseIndex
	bind  map[*term.Term]*term.Term
	trail []*term.Term
	// later are pairs of a compound argument of c and the argument that it must become.
	later []transform.Definition
	tries int
}

// match binds the variables of a's arguments so that a becomes b.
func (m *matching) match(a, b chc.App) bool {
	for i, t := range a.Args {
		u := b.Args[i]
		switch {
		case t.IsVar():
			if old, ok := m.bind[t]; !ok {
				m.bind[t] = u
				m.trail = append(m.trail, t)
			} else if old != u {
				return false
			}
		case t.IsGround():
			if t != u {
				return false
			}
		default:
			m.later = append(m.later, transform.Definition{Variable: t, Value: u})
		}
	}
	return true
}

// body matches c's body atoms from the i-th on.
func (m *matching) body(i int) bool {
	if i == len(m.c.clause.Body) {
		return m.constraint()
	}
	a := m.c.clause.Body[i]
	for _, b := range m.d.clause.Body {
		if a.Pred != b.Pred {
			continue
		}
		if m.tries--; m.tries < 0 {
			return false
		}
		trail, later := len(m.trail), len(m.later)
		if m.match(a, b) && m.body(i+1) {
			return true
		}
		for _, v := range m.trail[trail:] {
			delete(m.bind, v)
		}
		m.trail, m.later = m.trail[:trail], m.later[:later]
	}
	return false
}

// constraint checks the rest once the atoms' variables are bound. Other variables stand for themselves.
func (m *matching) constraint() bool {
	for _, p := range m.later {
		if m.pool.Substitute(p.Variable, m.bind) != p.Value {
			return false
		}
	}
	if m.c.clause.Constraint.IsTrue() {
		return true
	}
	m.d.index(m.pool)
	for _, f := range term.Conjuncts(m.pool.Substitute(m.c.clause.Constraint, m.bind)) {
		if !m.d.implies(f) {
			return false
		}
	}
	return true
}
