package peano

import (
	"cmp"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// rewriter rewrites terms over Peano numbers into terms over integers.
type rewriter struct {
	*peanoSorts
	done map[*term.Term]*term.Term
	// variables maps the variables whose sorts change; taken are all variables of the system.
	variables map[*term.Term]*term.Term
	taken     map[*term.Term]bool
}

func newRewriter(sys *chc.System, sorts *peanoSorts) *rewriter {
	r := &rewriter{
		peanoSorts: sorts, done: map[*term.Term]*term.Term{},
		variables: map[*term.Term]*term.Term{}, taken: map[*term.Term]bool{},
	}
	for _, c := range sys.Clauses {
		for _, v := range c.Vars() {
			r.taken[v] = true
		}
	}
	return r
}

// term rewrites a term; what has the sort of Peano numbers becomes an Int.
func (r *rewriter) term(t *term.Term) *term.Term {
	if u, ok := r.done[t]; ok {
		return u
	}
	for _, u := range transform.Pending(t, r.done) {
		r.done[u] = r.step(u)
	}
	return r.done[t]
}

// step rewrites a term whose arguments are done.
func (r *rewriter) step(t *term.Term) *term.Term {
	p := r.pool
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		args[i] = r.done[a]
	}
	switch t.Op() {
	case term.Var:
		if r.changes(t.Sort()) {
			return r.variable(t)
		}
	case term.Construct:
		if n := r.numbers[t.Sort()]; n != nil {
			if t.Ctor() == n.zero {
				return p.Int(0)
			}
			return p.Add(args[0], p.Int(1))
		}
		if u := r.to[t.Sort()]; u != nil {
			return p.Construct(u.Data.Constructors[t.Ctor().Index], args...)
		}
	case term.Field:
		c := t.Sel().Ctor
		if r.numbers[c.Data.Sort] != nil {
			return p.Sub(args[0], p.Int(1))
		}
		if u := r.to[c.Data.Sort]; u != nil {
			return p.Field(u.Data.Constructors[c.Index].Selectors[t.Sel().Index], args[0])
		}
	case term.Is:
		c := t.Ctor()
		if n := r.numbers[c.Data.Sort]; n != nil {
			if c == n.zero {
				return p.Eq(args[0], p.Int(0))
			}
			return p.Ge(args[0], p.Int(1))
		}
		if u := r.to[c.Data.Sort]; u != nil {
			return p.Is(u.Data.Constructors[c.Index], args[0])
		}
	}
	return p.MapArgs(t, func(a *term.Term) *term.Term { return r.done[a] })
}

// variable returns the variable for one whose sort changes, of the same name where that is free.
func (r *rewriter) variable(v *term.Term) *term.Term {
	x := r.pool.Var(v.Name(), r.sort(v.Sort()))
	if r.taken[x] {
		x = r.pool.Fresh(v.Name(), r.sort(v.Sort()))
	}
	r.taken[x] = true
	r.variables[v] = x
	return x
}

// clause rewrites a clause in which selectors are guarded, and adds that its numbers are not negative. It returns c itself
// when nothing changed.
func (r *rewriter) clause(c *chc.Clause, preds map[*chc.Predicate]*chc.Predicate) *chc.Clause {
	constraint := r.term(c.Constraint)
	out := c.MapAtoms(func(a chc.App) chc.App { return a.Map(cmp.Or(preds[a.Pred], a.Pred), r.term) })
	out.Constraint = constraint
	if out.Equal(c) {
		return c
	}
	left := map[*term.Term]bool{}
	for _, v := range out.Vars() {
		left[v] = true
	}
	parts := []*term.Term{out.Constraint}
	for _, t := range r.read(c) {
		u := r.term(t)
		if !u.IsVar() || left[u] {
			parts = append(parts, r.pool.Or(r.pool.Not(r.readable(t)), r.pool.Ge(u, r.pool.Int(0))))
		}
	}
	out.Constraint = r.pool.And(parts...)
	return out
}

// read returns the clause's variables and fields of other datatypes that are Peano numbers.
func (r *rewriter) read(c *chc.Clause) []*term.Term {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	for _, t := range c.Terms() {
		term.Walk(t, func(u *term.Term) bool {
			if seen[u] {
				return false
			}
			seen[u] = true
			if r.numbers[u.Sort()] != nil && (u.IsVar() || u.Op() == term.Field && r.numbers[u.Arg(0).Sort()] == nil) {
				out = append(out, u)
			}
			return true
		})
	}
	return out
}

// readable is the condition that the selectors in t apply to their own constructors.
func (r *rewriter) readable(t *term.Term) *term.Term {
	var tests []*term.Term
	for ; t.Op() == term.Field; t = t.Arg(0) {
		tests = append(tests, r.term(r.pool.Is(t.Sel().Ctor, t.Arg(0))))
	}
	return r.pool.And(tests...)
}
