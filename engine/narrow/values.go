package narrow

import "hornbeam/chc/term"

// value is a term that is known in part: a constructor with its fields, a value of another sort, or a variable, which may be
// bound to a value.
type value struct {
	sort *term.Sort
	// ctor and args are those of a constructor.
	ctor *term.Constructor
	args []*value
	// lit is a value of a sort that is no datatype.
	lit *term.Term
	// ground says that no variable was in it when it was made.
	ground bool
	// known is the term of a ground value, once it was asked for.
	known *term.Term
	// ref is what a variable is bound to; serial orders variables by their age, and watch has the goals that wait for it.
	ref    *value
	serial int
	watch  []*goal
}

// deref follows bound variables.
func deref(v *value) *value {
	for v.ref != nil {
		v = v.ref
	}
	return v
}

func (v *value) unbound() bool { return v.ref == nil && v.ctor == nil && v.lit == nil }

// store makes values and undoes what is done to them.
type store struct {
	pool   *term.Pool
	serial int
	trail  []undo
	// changed is called with each variable that is bound, unless it is nil.
	changed func(*value)
}

// undo takes one change back.
type undo struct {
	bound *value
	// watched is a variable that had fewer goals waiting.
	watched *value
	goal    *goal
	// state is what the goal had before.
	state state
}

func (s *store) variable(sort *term.Sort) *value {
	s.serial++
	return &value{sort: sort, serial: s.serial}
}

func (s *store) literal(t *term.Term) *value { return &value{sort: t.Sort(), lit: t, ground: true} }

func construct(sort *term.Sort, c *term.Constructor, args []*value) *value {
	ground := true
	for i, a := range args {
		args[i] = deref(a)
		ground = ground && args[i].ground
	}
	return &value{sort: sort, ctor: c, args: args, ground: ground}
}

// back undoes all changes since the trail had the given length.
func (s *store) back(mark int) {
	for i := len(s.trail) - 1; i >= mark; i-- {
		switch u := &s.trail[i]; {
		case u.bound != nil:
			u.bound.ref = nil
		case u.watched != nil:
			u.watched.watch = u.watched.watch[:len(u.watched.watch)-1]
		default:
			u.goal.state = u.state
		}
	}
	clear(s.trail[mark:])
	s.trail = s.trail[:mark]
}

// bind gives a variable a value; it reports false where the value has the variable in it.
func (s *store) bind(x, v *value) bool {
	if !v.unbound() && occurs(x, v) {
		return false
	}
	x.ref = v
	s.trail = append(s.trail, undo{bound: x})
	if s.changed != nil {
		s.changed(x)
	}
	return true
}

func occurs(x, v *value) bool {
	v = deref(v)
	if v == x {
		return true
	}
	if !v.ground {
		for _, a := range v.args {
			if occurs(x, a) {
				return true
			}
		}
	}
	return false
}

// unify makes two values equal and reports whether that is possible.
func (s *store) unify(a, b *value) bool {
	a, b = deref(a), deref(b)
	switch {
	case a == b:
		return true
	case a.unbound() && (!b.unbound() || b.serial < a.serial):
		return s.bind(a, b)
	case b.unbound():
		return s.bind(b, a)
	case a.lit != nil || b.lit != nil:
		return a.lit == b.lit
	case a.ctor != b.ctor:
		return false
	}
	for i := range a.args {
		if !s.unify(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// pattern is a term of a clause: a variable, by its place among the clause's variables, a constructor with patterns, or a
// value.
type pattern struct {
	sort     *term.Sort
	variable int
	ctor     *term.Constructor
	args     []*pattern
	lit      *term.Term
}

// build makes the pattern's value; variables that have none yet get new ones.
func (s *store) build(p *pattern, env []*value) *value {
	switch {
	case p.lit != nil:
		return s.literal(p.lit)
	case p.ctor == nil:
		if env[p.variable] == nil {
			env[p.variable] = s.variable(p.sort)
		}
		return deref(env[p.variable])
	}
	args := make([]*value, len(p.args))
	for i, a := range p.args {
		args[i] = s.build(a, env)
	}
	return construct(p.sort, p.ctor, args)
}

// match unifies a pattern with a value.
func (s *store) match(p *pattern, v *value, env []*value) bool {
	v = deref(v)
	switch {
	case p.ctor == nil && p.lit == nil:
		if env[p.variable] == nil {
			env[p.variable] = v
			return true
		}
		return s.unify(env[p.variable], v)
	case v.unbound():
		return s.bind(v, s.build(p, env))
	case p.lit != nil:
		return p.lit == v.lit
	case p.ctor != v.ctor:
		return false
	}
	for i, a := range p.args {
		if !s.match(a, v.args[i], env) {
			return false
		}
	}
	return true
}

// fits reports whether a pattern and a value have the same constructors and literals wherever both have one.
func fits(p *pattern, v *value) bool {
	if p.ctor == nil && p.lit == nil {
		return true
	}
	v = deref(v)
	switch {
	case v.unbound():
		return true
	case p.lit != nil:
		return p.lit == v.lit
	case p.ctor != v.ctor:
		return false
	}
	for i, a := range p.args {
		if !fits(a, v.args[i]) {
			return false
		}
	}
	return true
}

// term is the value as a term, with defaults for variables when complete asks for that; nil when there are variables.
func (s *store) term(v *value, complete bool) *term.Term {
	v = deref(v)
	switch {
	case v.lit != nil:
		return v.lit
	case v.ctor == nil && complete:
		return term.DefaultValue(s.pool, v.sort).Term(s.pool)
	case v.ctor == nil:
		return nil
	}
	if v.known != nil {
		return v.known
	}
	args := make([]*term.Term, len(v.args))
	for i, a := range v.args {
		if args[i] = s.term(a, complete); args[i] == nil {
			return nil
		}
	}
	t := s.pool.Construct(v.ctor, args...)
	if v.ground {
		v.known = t
	}
	return t
}

// open calls f with the variables of a value.
func open(v *value, f func(*value)) {
	v = deref(v)
	if v.unbound() {
		f(v)
		return
	}
	if !v.ground {
		for _, a := range v.args {
			open(a, f)
		}
	}
}
