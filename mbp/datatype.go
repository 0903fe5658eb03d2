package mbp

import (
	"hornbeam/chc/term"
)

// datatypes eliminates variables of datatype sorts and reaches those below constructors (4.5 of the Spacer notes). An
// equation of a constructor term and another term is taken apart into a tester and equations of fields; a variable that
// only disequalities and testers mention is dropped where its sort has enough values; a variable whose constructor
// matters to a selector or tester becomes the model's constructor of fresh fields. Each unfolding makes the values
// smaller, so it ends. These rules introduce selectors beside the tester of their constructor only, and the other steps
// are substitutions, so the result implies the existential whatever selectors give for other constructors. It reports
// whether it did something.
func (s *system) datatypes() bool {
	progress := false
	for ; s.nextData < len(s.others) && s.err == nil; s.nextData++ {
		if o := &s.others[s.nextData]; !o.dead && s.decompose(int32(s.nextData), o.lit) {
			progress = true
		}
	}
	for i := 0; i < len(s.dataVars) && s.err == nil; i++ {
		v := s.dataVars[i]
		switch {
		case s.vars[v].done:
		case s.clean(v):
			s.vars[v].done = true
		case s.dropUnequal(v):
			progress = true
		case s.inspected(v):
			s.unfold(v)
			progress = true
		}
	}
	return progress
}

// decompose takes apart a literal that equates a constructor term with one that is none; of two constructor terms the
// pool does it. A disequation becomes the reason for it in the model: another constructor, or one field.
func (s *system) decompose(id int32, lit *term.Term) bool {
	atom, positive := lit.Atom()
	if atom.Op() != term.Eq || !atom.Arg(0).Sort().IsDatatype() {
		return false
	}
	c, t := atom.Arg(0), atom.Arg(1)
	if c.Op() != term.Construct {
		c, t = t, c
	}
	if c.Op() != term.Construct || t.Op() == term.Construct || len(c.Args()) == 0 {
		return false
	}
	if !positive && s.dropSpine(c) {
		return true
	}
	differ := -1
	if !positive {
		s.exact = false
		val, ok := s.ev.Eval(t)
		if !ok {
			return false
		}
		if val.Term(s.p).Ctor() == c.Ctor() {
			if differ = s.differingField(c, t); differ < 0 {
				return false
			}
		}
	}
	s.dropOther(id)
	s.stats.Decomposed++
	is := s.p.Is(c.Ctor(), t)
	if !positive && differ < 0 {
		s.addFormula(s.p.Not(is))
		return true
	}
	s.addFormula(is)
	for i, sel := range c.Ctor().Selectors {
		field := s.p.Eq(s.p.Field(sel, t), c.Arg(i))
		switch {
		case positive:
			s.addFormula(field)
		case i == differ:
			s.addFormula(s.p.Not(field))
		}
	}
	return true
}

// differingField returns a field in which the model tells a constructor term from another term: the first without
// variables to eliminate, else the first.
func (s *system) differingField(c, t *term.Term) int {
	best := -1
	for i, sel := range c.Ctor().Selectors {
		if !s.ev.False(s.p.Eq(s.p.Field(sel, t), c.Arg(i))) {
			continue
		}
		if len(s.inside(c.Arg(i))) == 0 {
			return i
		}
		if best < 0 {
			best = i
		}
	}
	return best
}

// inspected reports whether a selector or tester is applied to the variable itself.
func (s *system) inspected(v int32) bool {
	x, found := s.vars[v].t, false
	visit := func(u *term.Term) bool {
		if op := u.Op(); (op == term.Field || op == term.Is) && u.Arg(0) == x {
			found = true
		}
		return !found && !u.IsQuantifier()
	}
	for _, id := range s.vars[v].others {
		if o := &s.others[id]; !o.dead {
			term.Walk(o.lit, visit)
		}
	}
	for _, c := range s.vars[v].opaque {
		if !found && len(s.live(c)) > 0 {
			term.Walk(s.cols[c].t, visit)
		}
	}
	return found
}

// unfold puts the model's constructor of fresh fields for a variable. That loses nothing where the literals demand this
// constructor.
func (s *system) unfold(v int32) {
	x := s.vars[v].t
	val := s.valueTerm(v)
	c := val.Ctor()
	if len(c.Data.Constructors) > 1 && !s.demanded(v, s.p.Is(c, x)) {
		s.exact = false
	}
	fields := make([]*term.Term, len(c.Selectors))
	for i, sel := range c.Selectors {
		fields[i] = s.freshTerm(sel.Sort, term.TermValue(val.Arg(i)))
	}
	s.stats.Unfolded++
	s.vars[v].done = true
	s.replaceTerm(v, s.p.Construct(c, fields...))
}

// demanded reports whether the formula is one of the live literals with the variable.
func (s *system) demanded(v int32, f *term.Term) bool {
	for _, id := range s.vars[v].others {
		if o := &s.others[id]; !o.dead && o.lit == f {
			return true
		}
	}
	return false
}

// unfoldOpaque unfolds one datatype variable that is stuck inside terms without rules, so that at least the shape of its
// value and the variables of other sorts below it are kept. Where a term of the literals has its value, that is better.
func (s *system) unfoldOpaque() bool {
	for _, v := range s.dataVars {
		if !s.vars[v].done && !s.clean(v) && s.sameValued(v) == nil {
			s.unfold(v)
			return true
		}
	}
	return false
}

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
