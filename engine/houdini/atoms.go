package houdini

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/witness"
)

// view is a clause seen from one of its atoms: what its variables are in terms of the atom's arguments.
type view struct {
	chc.App
	params []*term.Term
	names  map[*term.Term]*term.Term
	// head says that the atom is the head of the clause, and entry that the body does not have its predicate.
	head, entry bool
}

// views returns the views of a clause from the atoms of its body and from its head.
func (s *survey) views(sys *chc.System, c *chc.Clause) []view {
	var out []view
	for _, a := range c.Atoms() {
		out = append(out, s.view(sys, a, term.Conjuncts(c.Constraint)))
	}
	if c.Head != nil {
		last := &out[len(out)-1]
		last.head = true
		last.entry = !slices.ContainsFunc(c.Body, func(a chc.App) bool { return a.Pred == c.Head.Pred })
	}
	return out
}

// view returns the view of a clause from one of its atoms, with what equations among the formulas say of variables.
func (s *survey) view(sys *chc.System, a chc.App, formulas []*term.Term) view {
	v := view{App: a, params: witness.CanonicalParams(sys.Pool, a.Pred), names: map[*term.Term]*term.Term{}}
	var equations []term.Linear
	for i, arg := range a.Args {
		switch {
		case arg.IsVar() && v.names[arg] == nil:
			v.names[arg] = v.params[i]
		case arg.Sort().IsArith():
			// The parameter is no variable of the clause, so it stands for itself.
			v.names[v.params[i]] = v.params[i]
			equations = append(equations, s.pool.Linear(arg).Sub(s.pool.Linear(v.params[i])))
		}
	}
	for _, t := range formulas {
		if t.Op() == term.Eq && t.Arg(0).Sort().IsArith() {
			equations = append(equations, s.pool.Linear(t.Arg(0)).Sub(s.pool.Linear(t.Arg(1))))
		}
	}
	s.solve(v, equations)
	return v
}

// solve extends a view by the equations in which one variable is not seen yet, with coefficient 1 or -1.
func (s *survey) solve(v view, equations []term.Linear) {
	for range solveRounds {
		changed := false
		for _, e := range equations {
			var open []term.Monomial
			sort := term.Int
			for _, m := range e.Monomials {
				sort = m.Term.Sort()
				if !v.sees(m.Term) {
					open = append(open, m)
				}
			}
			if len(open) != 1 || !open[0].Term.IsVar() || !open[0].Coef.Abs().IsOne() {
				continue
			}
			x := open[0]
			rest := e.Without(x.Term).Scale(x.Coef.Neg())
			v.names[x.Term] = s.pool.Substitute(s.pool.FromLinear(rest, sort), v.names)
			changed = true
		}
		if !changed {
			return
		}
	}
}

// sees reports whether all variables of a term are seen.
func (v view) sees(t *term.Term) bool {
	return !slices.ContainsFunc(term.Vars(t), func(x *term.Term) bool { return v.names[x] == nil })
}

// look records the atoms of a clause that a view sees, values among its arguments, the neighbours of these, and the negation of a query's constraint.
func (s *survey) look(c *chc.Clause, v view) {
	of := &s.of[v.Pred.ID]
	renaming := s.pool.NewSubstitution(v.names)
	if c.Head == nil && len(c.Body) == 1 {
		var seen []*term.Term
		for _, t := range term.Conjuncts(c.Constraint) {
			if v.sees(t) && !t.HasQuantifier() {
				seen = append(seen, renaming.Apply(t))
			}
		}
		// The arguments that are no variables, which is how a query may fix them.
		for i, arg := range c.Body[0].Args {
			if v.sees(arg) {
				seen = append(seen, s.pool.Eq(v.params[i], renaming.Apply(arg)))
			}
		}
		goal := s.pool.Not(s.pool.And(seen...))
		of.goals = append(of.goals, goal)
		of.add(goal)
	}
	for i, arg := range v.Args {
		if arg.IsValue() {
			s.addAtom(of, v, s.pool.Eq(v.params[i], arg))
			if v.entry && arg.Sort() == term.Int && of.entries[i] == nil {
				of.entries[i] = arg
			}
		}
	}
	term.Walk(c.Constraint, func(t *term.Term) bool {
		if len(of.atoms) >= s.options.atoms || t.IsQuantifier() {
			return false
		}
		if !t.IsBool() || !isAtom(t) {
			return true
		}
		if v.sees(t) {
			atom := renaming.Apply(t)
			s.addAtom(of, v, atom)
			of.compared[atom] = true
		}
		return true
	})
}

// isAtom reports whether a Boolean term is no connective.
func isAtom(t *term.Term) bool {
	switch t.Op() {
	case term.True, term.False, term.Not, term.And, term.Or, term.Ite:
		return false
	case term.Eq:
		return !t.Arg(0).IsBool()
	}
	return true
}

// addAtom adds an atom over the parameters, its negation, and those next to it: for s <= c also s <= c+1 and s >= c-1,
// which hold where a loop ends that counts to c; for s = c both of its halves.
func (s *survey) addAtom(of *predicateSurvey, v view, t *term.Term) {
	vars := term.Vars(t)
	for j, y := range v.params {
		for i, x := range v.params[:j] {
			if !slices.Contains(vars, x) || !slices.Contains(vars, y) {
				continue
			}
			pair := [2]int{i, j}
			if !of.knownMeets[pair] {
				of.knownMeets[pair] = true
				of.meets = append(of.meets, pair)
			}
			of.equates[pair] = of.equates[pair] || t.Op() == term.Eq
		}
	}
	of.add(t)
	of.add(s.pool.Not(t))
	k, ok := s.pool.AsConstraint(t)
	if !ok {
		return
	}
	s.addSums(of, v, k.Linear, t.Op() == term.Eq)
	s.addLimit(of, v, k.Linear)
	one := term.NewInt(1)
	for _, d := range []term.Num{{}, one, one.Neg()} {
		moved := k.Linear
		moved.Const = moved.Const.Add(d)
		of.add(s.pool.Compare(moved, term.LE, k.Sort))
		of.add(s.pool.Compare(moved.Scale(one.Neg()), term.LE, k.Sort))
	}
}

// addSums records sums of multiples of parameters that another one is compared with, or equated with where there are several: the
// index of an element of a matrix that is stored row by row. Of those that differ by a constant the one with the least is kept, as
// bodies have it: a loop that visits several elements in a round has visited those before the first of them.
func (s *survey) addSums(of *predicateSurvey, v view, comparison term.Linear, equation bool) {
	n := len(comparison.Monomials)
	if n < 2 || n > 2 && !equation || slices.ContainsFunc(comparison.Monomials, func(m term.Monomial) bool { return !slices.Contains(v.params, m.Term) }) {
		return
	}
	for _, x := range comparison.Monomials {
		if !x.Coef.Abs().IsOne() || x.Term.Sort() != term.Int {
			continue
		}
		sum := comparison.Without(x.Term).Scale(x.Coef.Neg())
		if v.head {
			sum.Const = term.Num{}
		}
		i := slices.Index(v.params, x.Term)
		if len(sum.Monomials) > 1 || !sum.Monomials[0].Coef.Abs().IsOne() {
			addLeast(&of.sums[i], sum)
		} else if equation && !v.head && sum.Monomials[0].Coef.IsOne() {
			addLeast(&of.shifts[i], sum)
		}
	}
}

// addLeast adds a sum to others, of which there are at most mostSums, or lowers the one that differs from it by a constant.
func addLeast(sums *[]term.Linear, sum term.Linear) {
	known := slices.IndexFunc(*sums, func(known term.Linear) bool { return known.Sub(sum).IsConst() })
	switch {
	case known >= 0 && sum.Const.Cmp((*sums)[known].Const) < 0:
		(*sums)[known] = sum
	case known < 0 && len(*sums) < mostSums:
		*sums = append(*sums, sum)
	}
}

// addLimit records a constant that a parameter is compared with by itself.
func (s *survey) addLimit(of *predicateSurvey, v view, sum term.Linear) {
	if len(sum.Monomials) != 1 || !sum.Monomials[0].Coef.Abs().IsOne() {
		return
	}
	i := slices.Index(v.params, sum.Monomials[0].Term)
	if i < 0 || v.params[i].Sort() != term.Int {
		return
	}
	limit := sum.Const.Div(sum.Monomials[0].Coef).Neg()
	if !slices.ContainsFunc(of.limits[i], limit.Equal) {
		of.limits[i] = append(of.limits[i], limit)
	}
}

func (of *predicateSurvey) add(t *term.Term) {
	if !of.knownAtoms[t] && !t.IsTrue() && !t.IsFalse() {
		of.knownAtoms[t] = true
		of.atoms = append(of.atoms, t)
	}
}
