package mbp

import (
	"fmt"
	"slices"

	"hornbeam/chc/term"
)

// addFormula files a formula that the model makes true: conjunctions are split, arithmetic literals become rows, what
// mentions no variable to eliminate is done, and what is no literal is replaced by its implicant.
func (s *system) addFormula(f *term.Term) {
	if s.err != nil {
		return
	}
	atom, positive := f.Atom()
	switch {
	case f.IsTrue():
	case f.IsFalse():
		s.fail(errViolated)
	case f.IsAnd():
		for _, g := range f.Args() {
			s.addFormula(g)
		}
	case atom.IsOr() && !positive:
		for _, g := range atom.Args() {
			s.addFormula(s.p.Not(g))
		}
	case s.addArithmetic(f, atom, positive):
	default:
		s.addOther(f)
	}
}

// addArithmetic files an arithmetic literal as a row, or as done when it mentions no variable to eliminate; it reports
// whether f is one.
func (s *system) addArithmetic(f, atom *term.Term, positive bool) bool {
	var l term.Linear
	rel, mod := eq, term.Num{}
	switch atom.Op() {
	case term.Le, term.Lt:
		c, ok := s.p.AsConstraint(f)
		if !ok {
			return false
		}
		l = c.Linear
		switch c.Rel {
		case term.LE:
			rel = le
		case term.LT:
			rel = lt
		}
	case term.Eq:
		if !atom.Arg(0).Sort().IsArith() {
			return false
		}
		l = s.p.Linear(atom.Arg(0)).Sub(s.p.Linear(atom.Arg(1)))
		if !positive {
			rel = ne
		}
	case term.Divides:
		l, rel, mod = s.p.Linear(atom.Arg(1)), dvd, atom.Num()
		if !positive {
			rel = notDvd
		}
	default:
		return false
	}
	sum := s.linear(l)
	if !s.anyActive(sum) {
		s.out = append(s.out, f)
		return true
	}
	s.addRow(sum, rel, mod)
	return true
}

// addOther files any other formula.
func (s *system) addOther(f *term.Term) {
	vars := s.inside(f)
	if len(vars) == 0 && (f.IsLiteral() || s.loading) {
		s.out = append(s.out, f)
		return
	}
	if !f.IsLiteral() && !s.isDefinition(f) {
		lits, err := ImplicantOf(s.p, []*term.Term{f}, s.model, ImplicantOptions{KeepDisequalities: true})
		if err != nil {
			s.fail(err)
			return
		}
		s.exact = false
		for _, l := range lits {
			s.addFormula(l)
		}
		return
	}
	if s.ev.False(f) {
		s.fail(errViolated)
		return
	}
	id := int32(len(s.others))
	s.others = append(s.others, other{lit: f, vars: vars})
	for _, v := range vars {
		s.vars[v].others = append(s.vars[v].others, id)
		s.vars[v].stale = true
	}
}

// isDefinition reports whether f equates a Boolean variable to eliminate with a formula without it, or is its negation.
func (s *system) isDefinition(f *term.Term) bool {
	v, _ := s.definition(f)
	return v >= 0
}

// dropOther removes a literal outside the rows.
func (s *system) dropOther(id int32) {
	o := &s.others[id]
	o.dead = true
	for _, v := range o.vars {
		s.vars[v].stale = true
	}
}

// clean reports whether a variable occurs in rows only, as a column of its own.
func (s *system) clean(v int32) bool {
	for _, id := range s.vars[v].others {
		if !s.others[id].dead {
			return false
		}
	}
	for _, c := range s.vars[v].opaque {
		if len(s.live(c)) > 0 {
			return false
		}
	}
	return true
}

// replaceColumn replaces a column by a sum in all its rows.
func (s *system) replaceColumn(c int32, by sum) {
	s.substitute(c, by, one)
}

// substitute puts by/den (den > 0) for a column in all its rows, which are multiplied by den.
func (s *system) substitute(c int32, by sum, den term.Num) {
	for _, id := range append([]int32(nil), s.live(c)...) {
		if s.err != nil {
			return
		}
		r := s.rows[id]
		s.kill(id)
		s.addRow(combine(r.sum().minus(c), den, by, r.coef(c), -1), r.rel, r.mod.Mul(den))
	}
}

// minus returns the sum without a column.
func (l sum) minus(c int32) sum {
	r := row{ents: l.ents, con: l.con}
	return r.without(c)
}

// replaceTerm puts a term for a variable (both of one sort, t without it) everywhere but in the variable's own column.
func (s *system) replaceTerm(v int32, t *term.Term) {
	x := s.vars[v].t
	if x == nil {
		return // a fresh variable that no term mentions
	}
	m := map[*term.Term]*term.Term{x: t}
	for i := 0; i < len(s.vars[v].opaque) && s.err == nil; i++ {
		c := s.vars[v].opaque[i]
		if len(s.live(c)) > 0 {
			s.replaceColumn(c, s.linear(s.p.Linear(s.p.Substitute(s.cols[c].t, m))))
		}
	}
	for i := 0; i < len(s.vars[v].others) && s.err == nil; i++ {
		id := s.vars[v].others[i]
		if o := s.others[id]; !o.dead {
			s.dropOther(id)
			s.addFormula(s.p.Substitute(o.lit, m))
		}
	}
}

// define puts by/den for an arithmetic variable everywhere and is done with it. A den other than 1 needs a clean
// variable.
func (s *system) define(v int32, by sum, den term.Num) {
	s.vars[v].done = true
	if !s.clean(v) {
		if !den.IsOne() {
			s.fail(fmt.Errorf("define %s by a quotient: %w", s.vars[v].t, errViolated))
			return
		}
		s.replaceTerm(v, s.sumTerm(by, s.vars[v].sort))
	}
	if c := s.vars[v].col; c >= 0 {
		s.substitute(c, by, den)
	}
}

// solveOthers is the one-point rule outside the rows: a Boolean variable that is a literal is its value, and a variable
// that a literal equates with a term without it is that term. It reports whether it eliminated something.
func (s *system) solveOthers() bool {
	progress := false
	for ; s.nextOther < len(s.others) && s.err == nil; s.nextOther++ {
		o := &s.others[s.nextOther]
		if o.dead {
			continue
		}
		v, t := s.definition(o.lit)
		if v < 0 {
			continue
		}
		s.dropOther(int32(s.nextOther))
		s.vars[v].done = true
		s.replaceTerm(v, t)
		s.stats.Defined++
		progress = true
	}
	return progress
}

// definition returns the variable to eliminate that the literal defines, and its definition; -1 when there is none.
func (s *system) definition(lit *term.Term) (int32, *term.Term) {
	atom, positive := lit.Atom()
	if v, ok := s.open(atom); ok {
		return v, s.p.Bool(positive)
	}
	if atom.Op() != term.Eq || atom.Arg(0).Sort().IsArith() || !positive && !atom.Arg(0).IsBool() {
		return -1, nil
	}
	for i := range 2 {
		x, t := atom.Arg(i), atom.Arg(1-i)
		if v, ok := s.open(x); ok && !slices.Contains(s.inside(t), v) {
			if !positive {
				t = s.p.Not(t)
			}
			return v, t
		}
	}
	return -1, nil
}

// open returns the variable to eliminate that a term is, if it is still there.
func (s *system) open(t *term.Term) (int32, bool) {
	v, ok := s.varOf.Get(t)
	return v, ok && !s.vars[v].done
}

// booleans replaces the Boolean variables that no literal defines by their values. It reports whether there were any.
func (s *system) booleans() bool {
	progress := false
	for i := 0; i < len(s.vars) && s.err == nil; i++ {
		v := int32(i)
		if s.vars[v].done || s.vars[v].sort != term.Bool {
			continue
		}
		s.vars[v].done = true
		if s.clean(v) {
			continue
		}
		s.exact = false
		s.stats.Booleans++
		s.replaceTerm(v, s.p.Bool(s.ev.True(s.vars[v].t)))
		progress = true
	}
	return progress
}
