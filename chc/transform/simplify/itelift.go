package simplify

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// liftIte replaces atoms over if-then-else terms by Boolean structure over the conditions. Arguments of atoms with an
// if-then-else become fresh variables first. It reports whether anything changed.
func (d *Draft) liftIte() bool {
	named := d.nameIteArguments()
	atoms, plain := iteAtoms(d.Constraint)
	if len(atoms) == 0 {
		return named
	}
	l := &iteLifter{pool: d.pool, budget: (iteGrowth-1)*(plain+len(atoms)) + iteSlack, done: map[*term.Term]*term.Term{}}
	m := map[*term.Term]*term.Term{}
	for _, a := range atoms {
		if d.stopped() {
			break
		}
		if t := l.lift(a); t != a {
			m[a] = t
		}
	}
	before := d.Constraint
	d.Constraint = d.pool.Substitute(d.Constraint, m)
	return named || d.Constraint != before
}

// nameIteArguments replaces atoms' arguments that contain a non-Boolean if-then-else by fresh variables.
func (d *Draft) nameIteArguments() bool {
	var eqs []*term.Term
	name := func(a chc.App) chc.App {
		args := a.Args
		for i, t := range a.Args {
			if t.IsBool() || t.IsVar() || firstIte(t) == nil {
				continue
			}
			if len(args) > 0 && &args[0] == &a.Args[0] {
				args = append([]*term.Term(nil), a.Args...)
			}
			args[i] = d.pool.Fresh("v", t.Sort())
			eqs = append(eqs, d.pool.Eq(args[i], t))
		}
		return chc.App{Pred: a.Pred, Args: args}
	}
	body := make([]chc.App, len(d.Body))
	for i, a := range d.Body {
		body[i] = name(a)
	}
	var head *chc.App
	if d.Head != nil {
		h := name(*d.Head)
		head = &h
	}
	if len(eqs) == 0 {
		return false
	}
	d.Body, d.Head = body, head
	d.Constraint = d.pool.And(append(eqs, d.Constraint)...)
	return true
}

// firstIte returns a non-Boolean if-then-else in t that is outermost, or nil.
func firstIte(t *term.Term) *term.Term {
	var found *term.Term
	term.Walk(t, func(u *term.Term) bool {
		if found == nil && u.IsIte() && !u.IsBool() {
			found = u
		}
		return found == nil && !u.IsQuantifier()
	})
	return found
}

// iteAtoms returns the atoms of f, those in conditions excluded, that contain a non-Boolean if-then-else, and the number
// of the other atoms.
func iteAtoms(f *term.Term) (atoms []*term.Term, others int) {
	term.Walk(f, func(t *term.Term) bool {
		switch t.Op() {
		case term.Not, term.And, term.Or:
			return true
		case term.Ite, term.Eq:
			if t.Arg(1).IsBool() {
				return true
			}
		}
		if t.IsQuantifier() || !t.IsBool() {
			return false
		}
		if firstIte(t) != nil {
			atoms = append(atoms, t)
		} else {
			others++
		}
		return false
	})
	return atoms, others
}

// iteLifter lifts atoms one by one within a common budget of new atoms.
type iteLifter struct {
	pool   *term.Pool
	budget int
	done   map[*term.Term]*term.Term
}

// lift returns a formula without if-then-else terms that is equivalent to the atom, or the atom itself when that would
// cost too much.
func (l *iteLifter) lift(atom *term.Term) *term.Term {
	if t, ok := l.done[atom]; ok {
		return t
	}
	cost := 0
	t, ok := l.split(atom, &cost)
	if !ok || cost > l.budget {
		t = atom
	} else {
		l.budget -= cost
	}
	l.done[atom] = t
	return t
}

// split decides the condition of the outermost if-then-else of the atom both ways; cost counts the atoms made.
func (l *iteLifter) split(atom *term.Term, cost *int) (*term.Term, bool) {
	if !atom.IsBool() || atom.IsValue() {
		return atom, true
	}
	ite := firstIte(atom)
	if ite == nil {
		return atom, true
	}
	if *cost++; *cost > maxIteAtom {
		return nil, false
	}
	cond := ite.Arg(0)
	then, els := map[*term.Term]*term.Term{}, map[*term.Term]*term.Term{}
	term.Walk(atom, func(u *term.Term) bool {
		if u.IsIte() && u.Arg(0) == cond {
			then[u], els[u] = u.Arg(1), u.Arg(2)
		}
		return true
	})
	a, ok := l.splitAll(l.pool.Substitute(atom, then), cost)
	if !ok {
		return nil, false
	}
	b, ok := l.splitAll(l.pool.Substitute(atom, els), cost)
	if !ok {
		return nil, false
	}
	c, ok := l.splitAll(cond, cost)
	if !ok {
		return nil, false
	}
	return l.pool.Ite(c, a, b), true
}

// splitAll lifts all atoms of a formula.
func (l *iteLifter) splitAll(f *term.Term, cost *int) (*term.Term, bool) {
	atoms, _ := iteAtoms(f)
	if len(atoms) == 0 {
		return f, true
	}
	m := map[*term.Term]*term.Term{}
	for _, a := range atoms {
		t, ok := l.split(a, cost)
		if !ok {
			return nil, false
		}
		m[a] = t
	}
	return l.pool.Substitute(f, m), true
}
