package unfold

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// unifier finds the values of a clause's variables in terms of what its premises derive.
type unifier struct {
	pool       *term.Pool
	constraint []*term.Term
	values     map[*term.Term]*term.Term
	// chosen are the variables whose values are variables that choose made.
	chosen map[*term.Term]bool
	// equations have a term of the clause and what it equals.
	equations [][2]*term.Term
}

// unify equates terms of the clause with others; nil stands for those of which nothing is known.
func (u *unifier) unify(ts, with []*term.Term) {
	for i, t := range ts {
		switch {
		case with[i] == nil || t.IsVar() && u.values[t] == with[i]:
		case t.IsVar() && u.values[t] == nil:
			u.values[t] = with[i]
		default:
			u.equations = append(u.equations, [2]*term.Term{t, with[i]})
		}
	}
}

// valueOf returns the value of a term; nil when one of its variables has none.
func (u *unifier) valueOf(t *term.Term) *term.Term {
	if t.IsVar() {
		return u.values[t]
	}
	// A clause may have hundreds of variables, and its terms have few.
	own := map[*term.Term]*term.Term{}
	for _, v := range term.Vars(t) {
		if u.values[v] == nil {
			return nil
		}
		own[v] = u.values[v]
	}
	return u.pool.Substitute(t, own)
}

// choose gives new variables as values to those variables that no premise and no equation could define: they occur in terms that are
// arguments of premises, such as the memory of a program that starts, in which some elements are initialised.
func (u *unifier) choose(cl *chc.Clause) {
	defined := map[*term.Term]bool{}
	for _, v := range term.Vars(cl.Constraint) {
		defined[v] = true
	}
	for _, a := range cl.Body {
		for _, t := range a.Args {
			if t.IsVar() {
				defined[t] = true
			}
		}
	}
	for _, a := range cl.Body {
		for _, t := range a.Args {
			if t.IsVar() || t.IsGround() {
				continue
			}
			for _, v := range term.Vars(t) {
				if u.values[v] == nil && !defined[v] {
					u.values[v] = u.pool.Fresh(v.Name(), v.Sort())
					u.chosen[v] = true
				}
			}
		}
	}
}

// isChosen reports whether a term's value is made of constants and chosen variables only.
func (u *unifier) isChosen(t *term.Term) bool {
	return t.IsGround() || !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool { return !u.chosen[v] })
}

// solve gives values to the variables that the constraint's equations define.
func (u *unifier) solve() {
	for changed := true; changed; {
		changed = false
		for _, c := range u.constraint {
			if c.Op() != term.Eq {
				continue
			}
			for k, v := range c.Args() {
				if !v.IsVar() || u.values[v] != nil {
					continue
				}
				if value := u.valueOf(c.Arg(1 - k)); value != nil {
					u.values[v], changed = value, true
				}
			}
		}
	}
}

// formulas are the constraint and the equations, once all variables have values.
func (u *unifier) formulas() []*term.Term {
	s := u.pool.NewSubstitution(u.values)
	var out []*term.Term
	for _, c := range u.constraint {
		out = append(out, s.Apply(c))
	}
	for _, e := range u.equations {
		out = append(out, u.pool.Eq(s.Apply(e[0]), e[1]))
	}
	return out
}
