package expand

import (
	"maps"

	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// computed reports whether the arrays of a class that are no arguments of a clause's body follow from those that are, in all clauses:
// then no clause can tell what is where it does not read.
func (a *carrying) computed(class transform.Place) bool {
	for _, n := range a.clauses[class] {
		d := definitions{defined: map[*term.Term]bool{}, bases: map[*term.Term][]*term.Term{}}
		c := a.sys.Clauses[n]
		for _, at := range c.Body {
			for i, t := range at.Args {
				if !t.Sort().IsArray() || a.first(transform.Place{Predicate: at.Pred, Position: i}) != class {
					continue
				}
				if !t.IsVar() || d.defined[t] {
					return false
				}
				d.defined[t] = true
			}
		}
		if !d.follow(c.Constraint) || d.cyclic() {
			return false
		}
	}
	return true
}

// definitions are the array variables that something defines on the way to a part of a clause, and what those are made from.
type definitions struct {
	defined map[*term.Term]bool
	bases   map[*term.Term][]*term.Term
}

// follow adds the equations between arrays that a formula is true with, and reports whether each defines a variable that nothing else
// does.
func (d *definitions) follow(f *term.Term) bool {
	switch {
	case f.IsAnd():
		for _, g := range f.Args() {
			if !d.follow(g) {
				return false
			}
		}
	case f.IsOr() || f.Op() == term.Ite && f.IsBool():
		after := maps.Clone(d.defined)
		for _, g := range f.Args() {
			branch := definitions{defined: maps.Clone(d.defined), bases: d.bases}
			if !branch.follow(g) {
				return false
			}
			maps.Copy(after, branch.defined)
		}
		d.defined = after
	case f.Op() == term.Eq && f.Arg(0).Sort().IsArray():
		for k, x := range f.Args() {
			if x.IsVar() && !d.defined[x] {
				d.defined[x] = true
				d.made(x, f.Arg(1-k))
				return true
			}
		}
		return false
	}
	return true
}

// made notes what a variable is made from.
func (d *definitions) made(x, t *term.Term) {
	switch {
	case t.Op() == term.Store:
		d.made(x, t.Arg(0))
	case t.Op() == term.Ite:
		d.made(x, t.Arg(1))
		d.made(x, t.Arg(2))
	default:
		d.bases[x] = append(d.bases[x], t)
	}
}

// cyclic reports whether a variable is made from itself.
func (d *definitions) cyclic() bool {
	const visiting, done = 1, 2
	state := map[*term.Term]int{}
	var visit func(x *term.Term) bool
	visit = func(x *term.Term) bool {
		if state[x] != 0 {
			return state[x] == visiting
		}
		state[x] = visiting
		for _, y := range d.bases[x] {
			if visit(y) {
				return true
			}
		}
		state[x] = done
		return false
	}
	for x := range d.bases {
		if visit(x) {
			return true
		}
	}
	return false
}
