package unfold

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// Unwinding is the derivations from linear clauses that have one length, over variables of its own.
type Unwinding struct {
	pool *term.Pool
	sys  *chc.System
	// reached has what is derived of each predicate, by ID; nil where nothing is. It is nil before the first step.
	reached []*state
	// made counts instances of clauses.
	made int
}

// state is what is derived of a predicate.
type state struct {
	holds *term.Term
	args  []*term.Term
}

// Unwind returns the unwinding of linear clauses before the first step; false for clauses with several premises.
func Unwind(sys *chc.System) (*Unwinding, bool) {
	linear := !slices.ContainsFunc(sys.Clauses, func(c *chc.Clause) bool { return len(c.Body) > 1 })
	return &Unwinding{pool: sys.Pool, sys: sys}, linear
}

// Step goes on to the derivations that are one step longer. It returns what the truth values in them mean. The error wraps ErrTooMany.
func (u *Unwinding) Step() (facts []*term.Term, err error) {
	first := u.reached == nil
	ways := make([][]state, len(u.sys.Predicates))
	for _, c := range u.sys.Clauses {
		if c.Head == nil || first != (len(c.Body) == 0) {
			continue
		}
		if w, ok := u.way(c); ok {
			ways[c.Head.Pred.ID] = append(ways[c.Head.Pred.ID], w)
		}
	}
	if u.made > maxInstances {
		return nil, ErrTooMany
	}
	u.reached = make([]*state, len(u.sys.Predicates))
	for i, ways := range ways {
		if len(ways) > 0 {
			var fact *term.Term
			u.reached[i], fact = u.join(u.sys.Predicates[i], ways)
			facts = append(facts, fact)
		}
	}
	return facts, nil
}

// Reached visits the predicates of which something may be derived in the last step, each with when it is. Of those for which visit
// returns false, nothing is. It returns how many are left; the error is that of visit.
func (u *Unwinding) Reached(visit func(p *chc.Predicate, holds *term.Term) (bool, error)) (left int, err error) {
	for i, s := range u.reached {
		if s == nil {
			continue
		}
		derived, err := visit(u.sys.Predicates[i], s.holds)
		if err != nil {
			return 0, err
		}
		if derived {
			left++
		} else {
			u.reached[i] = nil
		}
	}
	return left, nil
}

// way returns what a clause derives in the next step; false where its premise is not derived.
func (u *Unwinding) way(c *chc.Clause) (state, bool) {
	f := unifier{pool: u.pool, constraint: term.Conjuncts(c.Constraint), values: map[*term.Term]*term.Term{}}
	holds := u.pool.True()
	for _, a := range c.Body {
		premise := u.reached[a.Pred.ID]
		if premise == nil {
			return state{}, false
		}
		holds = premise.holds
		f.unify(a.Args, premise.args)
	}
	f.solve()
	for _, v := range c.Vars() {
		if f.values[v] == nil {
			f.values[v] = u.pool.Fresh(v.Name(), v.Sort())
		}
	}
	out := state{holds: u.pool.And(append(f.formulas(), holds)...)}
	if g, ok := readThrough(u.pool, out.holds, maxReadThrough); ok {
		out.holds = g
	}
	if c.Head != nil {
		for _, t := range c.Head.Args {
			out.args = append(out.args, f.valueOf(t))
		}
	}
	u.made++
	return out, !out.holds.IsFalse()
}

// join is what is derived of a predicate in one of the ways: a truth value, with what it means, and arguments that whichever way is
// taken has.
func (u *Unwinding) join(p *chc.Predicate, ways []state) (out *state, fact *term.Term) {
	out = &state{holds: u.pool.Fresh("reached", term.Bool), args: ways[0].args}
	var holds []*term.Term
	if len(ways) > 1 {
		out.args = nil
		for i, s := range p.Sorts {
			x := ways[0].args[i]
			if slices.ContainsFunc(ways, func(w state) bool { return w.args[i] != x }) {
				x = u.pool.Fresh("join", s)
			}
			out.args = append(out.args, x)
		}
	}
	for _, w := range ways {
		parts := []*term.Term{w.holds}
		for i, x := range out.args {
			parts = append(parts, u.pool.Eq(x, w.args[i]))
		}
		holds = append(holds, u.pool.And(parts...))
	}
	return out, u.pool.Implies(out.holds, u.pool.Or(holds...))
}

// Queries says that what the last step derives has a query as its consequence; those without a premise are not among them.
func (u *Unwinding) Queries() *term.Term {
	var out []*term.Term
	for _, c := range u.sys.Clauses {
		if c.Head != nil || len(c.Body) == 0 {
			continue
		}
		if w, ok := u.way(c); ok {
			out = append(out, w.holds)
		}
	}
	return u.pool.Or(out...)
}
