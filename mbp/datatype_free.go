package mbp

import "hornbeam/chc/term"

// dropUnequal drops a variable that only disequalities and testers mention, together with those literals, when enough
// values remain for it. A disequality whose sides contain the variable below constructors only, and one side not at
// all, forbids one value at most, since constructors are injective; with the variable itself on one side and properly
// below constructors on the other it forbids none, since values are finite. Where there are testers the values of the
// model's constructor satisfy them all, else any value does, so that one of them is left when they are more than the
// disequalities. The existential is true then, and dropping is exact.
func (s *system) dropUnequal(v int32) bool {
	x := &s.vars[v]
	if x.t == nil || x.col >= 0 && len(s.live(x.col)) > 0 {
		return false
	}
	for _, c := range x.opaque {
		if len(s.live(c)) > 0 {
			return false
		}
	}
	forbidden, tested := 0, false
	for _, id := range x.others {
		o := &s.others[id]
		if o.dead {
			continue
		}
		atom, positive := o.lit.Atom()
		switch {
		case atom.Op() == term.Is && atom.Arg(0) == x.t:
			tested = true
		case atom.Op() == term.Eq && !positive:
			n, ok := forbids(atom.Arg(0), atom.Arg(1), x.t)
			if !ok {
				return false
			}
			forbidden += n
		default:
			return false
		}
	}
	values := 0
	if tested {
		values = fieldValues(s.valueTerm(v).Ctor(), nil)
	} else {
		values = cardinality(x.sort, nil)
	}
	if values <= forbidden {
		return false
	}
	for _, id := range x.others {
		if !s.others[id].dead {
			s.dropOther(id)
		}
	}
	x.done = true
	s.stats.Dropped++
	return true
}

// forbids returns how many values of the variable x make a and b equal, at most 1; ok is false when that is not clear.
func forbids(a, b, x *term.Term) (n int, ok bool) {
	onlyA, inA := spine(a, x)
	onlyB, inB := spine(b, x)
	switch {
	case !onlyA || !onlyB:
		return 0, false
	case inA && inB: // one is x, since the pool takes equations of two constructor terms apart
		return 0, true
	}
	return 1, true
}

// spine reports whether x occurs in t, and if so, below constructors only.
func spine(t, x *term.Term) (only, occurs bool) {
	switch {
	case t == x:
		return true, true
	case t.Op() != term.Construct:
		occurs = term.Contains(t, x)
		return !occurs, occurs
	}
	only = true
	for _, a := range t.Args() {
		o, in := spine(a, x)
		only, occurs = only && o, occurs || in
	}
	return only, occurs
}

// dropSpine drops a variable below the constructors of a term by dropUnequal, if there is one that can be.
func (s *system) dropSpine(t *term.Term) bool {
	if v, ok := s.open(t); ok {
		return s.dropUnequal(v)
	}
	if t.Op() != term.Construct {
		return false
	}
	for _, a := range t.Args() {
		if s.dropSpine(a) {
			return true
		}
	}
	return false
}

// unbounded stands for infinitely many values, or more than any number of literals.
const unbounded = 1 << 30

// cardinality returns a lower bound of the number of values of a sort, at most unbounded. open are the datatypes that are
// being counted: one that contains itself, other than by the index of an array, is infinite, since each of its values
// is a proper part of another one.
func cardinality(sort *term.Sort, open []*term.Sort) int {
	switch sort.Kind {
	case term.BoolKind:
		return 2
	case term.IntKind, term.RealKind:
		return unbounded
	case term.BitVecKind:
		return 1 << min(sort.Width, 30)
	case term.ArrayKind:
		elems := cardinality(sort.Elem, open)
		if elems >= 2 && sort.Index.IsArith() {
			return unbounded
		}
		return elems // the constant arrays
	case term.DatatypeKind:
		for _, o := range open {
			if o == sort {
				return unbounded
			}
		}
		n := 0
		for _, c := range sort.Data.Constructors {
			n = min(unbounded, n+fieldValues(c, open))
		}
		return n
	}
	return 1 // an uninterpreted sort may have one element
}

// fieldValues returns a lower bound of the number of values that a constructor builds, at most unbounded.
func fieldValues(c *term.Constructor, open []*term.Sort) int {
	open = append(open[:len(open):len(open)], c.Data.Sort)
	n := 1
	for _, sel := range c.Selectors {
		if k := cardinality(sel.Sort, open); k < unbounded/n {
			n *= k
		} else {
			return unbounded
		}
	}
	return n
}
