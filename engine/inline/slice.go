package inline

import (
	"slices"

	"hornbeam/chc/rule"
	"hornbeam/chc/term"
)

// slicer removes from a formula what can be made true by the choice of variables that occur nowhere else: the result is
// equivalent to the formula with these variables quantified existentially.
type slicer struct {
	pool   *term.Pool
	visits int
}

// slice returns a rule's formula, as conjuncts, without what only locals and untracked arguments have a say in. An
// untracked argument is cut from its callers and from its callees, so that it is a local of the rule; but it is kept where
// the callee has a summary, which may speak of it. What is left is equivalent to the whole with such variables quantified
// existentially, that is, as abstract as the cut, which is all that Fig. 3 of the paper does to passing arguments.
func (pr *program) slice(p *predicate, r *rule.Rule, tracked func(group int) bool) []*term.Term {
	free := map[*term.Term]bool{}
	for _, v := range r.Locals {
		free[v] = true
	}
	for i, v := range p.Params {
		free[v] = !tracked(p.groups[i])
	}
	for _, k := range r.Slots {
		q := p.slots[k]
		for i, v := range p.Slots[k].Args {
			free[v] = !tracked(q.groups[i]) && q.summary.IsTrue()
		}
	}
	sl := &slicer{pool: pr.pool}
	return sl.slice(pr.parts(r), free)
}

// slice works on a conjunction until nothing changes.
func (s *slicer) slice(parts []*term.Term, free map[*term.Term]bool) []*term.Term {
	vars := make([][]*term.Term, len(parts))
	times := map[*term.Term]int{}
	count := func(i, by int) {
		for _, v := range vars[i] {
			times[v] += by
		}
	}
	look := func(i int) {
		vars[i] = slices.DeleteFunc(term.Vars(parts[i]), func(v *term.Term) bool { return !free[v] })
	}
	for i := range parts {
		look(i)
		count(i, 1)
	}
	for changed := true; changed; {
		changed = false
		for i, f := range parts {
			var private []*term.Term
			for _, v := range vars[i] {
				if times[v] == 1 {
					private = append(private, v)
				}
			}
			if g := s.eliminate(f, true, private); g != f {
				changed = true
				count(i, -1)
				parts[i] = g
				look(i)
				count(i, 1)
			}
		}
	}
	return slices.DeleteFunc(parts, (*term.Term).IsTrue)
}

// eliminate returns a formula that is equivalent to f, or to its negation when it is not positive, with some of the
// private variables quantified existentially there; they occur in f only.
func (s *slicer) eliminate(f *term.Term, positive bool, private []*term.Term) *term.Term {
	private = slices.DeleteFunc(slices.Clone(private), func(v *term.Term) bool { return !term.Contains(f, v) })
	if s.visits++; len(private) == 0 || s.visits > sliceSteps {
		return f
	}
	switch f.Op() {
	case term.Not:
		return s.pool.Not(s.eliminate(f.Arg(0), !positive, private))
	case term.And, term.Or:
		return s.junction(f, positive, private)
	case term.Ite:
		own := slices.DeleteFunc(private, func(v *term.Term) bool { return term.Contains(f.Arg(0), v) })
		return s.pool.Ite(f.Arg(0), s.eliminate(f.Arg(1), positive, own), s.eliminate(f.Arg(2), positive, own))
	}
	if slices.ContainsFunc(private, func(v *term.Term) bool { return s.solvable(f, positive, v) }) {
		return s.pool.Bool(positive)
	}
	return f
}

// junction eliminates in a conjunction or disjunction. A quantifier distributes over alternatives; of parts that have to
// hold together each may only have the variables that the others lack.
func (s *slicer) junction(f *term.Term, positive bool, private []*term.Term) *term.Term {
	args := slices.Clone(f.Args())
	together := f.IsAnd() == positive
	for i, a := range args {
		own := private
		if together {
			own = slices.DeleteFunc(slices.Clone(private), func(v *term.Term) bool {
				return slices.ContainsFunc(f.Args(), func(b *term.Term) bool { return b != a && term.Contains(b, v) })
			})
		}
		args[i] = s.eliminate(a, positive, own)
	}
	if slices.Equal(args, f.Args()) {
		return f
	}
	if f.IsAnd() {
		return s.pool.And(args...)
	}
	return s.pool.Or(args...)
}

// solvable reports whether an atom, or its negation when it is not positive, holds for some value of v whatever the values
// of its other variables.
func (s *slicer) solvable(atom *term.Term, positive bool, v *term.Term) bool {
	if atom == v {
		return true
	}
	switch atom.Op() {
	case term.Eq:
		for i := range 2 {
			side, other := atom.Arg(i), atom.Arg(1-i)
			if (side == v || side.IsNot() && side.Arg(0) == v) && !term.Contains(other, v) {
				return positive || several(v.Sort())
			}
		}
	case term.Le, term.Lt:
	default:
		return false
	}
	if !v.Sort().IsArith() || !atom.Arg(0).Sort().IsArith() {
		return false
	}
	l := s.pool.Linear(atom.Arg(0)).Sub(s.pool.Linear(atom.Arg(1)))
	whole := l.Const.IsInt()
	for _, m := range l.Monomials {
		if m.Term != v && term.Contains(m.Term, v) {
			return false
		}
		whole = whole && m.Coef.IsInt()
	}
	coef := l.Coef(v)
	if coef.IsZero() {
		return false
	}
	// An equation over the integers has a solution for every right-hand side only when v is not multiplied.
	return atom.Op() != term.Eq || !positive || v.Sort() == term.Real || whole && coef.Abs().IsOne()
}

// several reports whether a sort surely has more than one value.
func several(s *term.Sort) bool { return s == term.Bool || s.IsArith() || s.IsBitVec() }
