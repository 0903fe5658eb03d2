package term

import "slices"

// Substitution replaces terms by terms simultaneously. It keeps the results of earlier applications and is not for
// concurrent use.
type Substitution struct {
	p      *Pool
	m      map[*Term]*Term
	values Map[*Term] // m again, for speed
	cache  Map[*Term]
	ground bool   // some key has no free variable
	least  uint32 // the smallest ID of a key
}

// NewSubstitution returns the substitution of m's keys, variables or any other terms, by its values. Key and value have
// one sort. m must not change while the substitution is in use.
func (p *Pool) NewSubstitution(m map[*Term]*Term) *Substitution {
	s := &Substitution{p: p, m: m, least: ^uint32(0)}
	for k, v := range m {
		p.check(k.sort == v.sort, "substitution", k, v)
		s.values.Put(k, v)
		s.ground = s.ground || k.IsGround()
		s.least = min(s.least, k.id)
	}
	return s
}

// Substitute replaces the keys of m in t by their values, simultaneously: values are not searched for keys. Bound
// variables are renamed where a value would be captured; a key that a quantifier binds, or that contains a bound
// variable, is not replaced below it.
func (p *Pool) Substitute(t *Term, m map[*Term]*Term) *Term {
	if len(m) == 0 {
		return t
	}
	return p.NewSubstitution(m).Apply(t)
}

// Apply returns t with the substitution applied.
func (s *Substitution) Apply(t *Term) *Term {
	if t.depth > safeDepth {
		// Handle the arguments first, so that the recursion stays flat.
		for _, u := range postorder(t, func(u *Term) bool {
			_, done := s.cache.Get(u)
			return !done && !s.unaffected(u) && !u.IsQuantifier()
		}) {
			s.rec(u)
		}
	}
	return s.rec(t)
}

// unaffected reports, cheaply and only in clear cases, that no key occurs in t.
func (s *Substitution) unaffected(t *Term) bool {
	return t.id < s.least || !s.ground && t.IsGround()
}

func (s *Substitution) rec(t *Term) *Term {
	if s.unaffected(t) {
		return t
	}
	if u, ok := s.values.Get(t); ok {
		return u
	}
	if len(t.args) == 0 {
		return t
	}
	if u, ok := s.cache.Get(t); ok {
		return u
	}
	var u *Term
	if t.IsQuantifier() {
		u = s.quantifier(t)
	} else {
		u = s.p.MapArgs(t, s.rec)
	}
	s.cache.Put(t, u)
	return u
}

func (s *Substitution) quantifier(t *Term) *Term {
	isBound := map[*Term]bool{}
	for _, v := range t.ext.q.bound {
		isBound[v] = true
	}
	inner := map[*Term]*Term{}
	captured := map[*Term]bool{}
	for k, v := range s.m { // the order does not matter: only sets are made
		if k.op == Var && !slices.Contains(t.ext.q.free, k) || HasAny(k, isBound) {
			continue
		}
		inner[k] = v
		for _, x := range Vars(v) {
			if isBound[x] {
				captured[x] = true
			}
		}
	}
	if len(inner) == 0 {
		return t
	}
	bound := slices.Clone(t.ext.q.bound)
	for i, v := range bound {
		if captured[v] {
			bound[i] = s.p.Fresh(v.Name(), v.sort)
			inner[v] = bound[i]
		}
	}
	return s.p.quantify(t.op, bound, s.p.NewSubstitution(inner).Apply(t.args[0]))
}

// MapArgs returns t with what f makes of its arguments in their place; t itself when they stay the same. A quantifier keeps
// its bound variables.
func (p *Pool) MapArgs(t *Term, f func(*Term) *Term) *Term {
	var scratch [8]*Term
	args, changed := scratch[:0], false
	for _, a := range t.args {
		b := f(a)
		changed = changed || a != b
		args = append(args, b)
	}
	if !changed {
		return t
	}
	return p.Rebuild(t, args)
}

// Rebuild returns t's operator applied to other arguments, through the simplifying constructors. args are as many as
// t's, of the same sorts; they are not kept. A quantifier keeps its bound variables.
func (p *Pool) Rebuild(t *Term, args []*Term) *Term {
	switch t.op {
	case True, False, Var, Numeral, BVNumeral, Element:
		return t
	case Not:
		return p.Not(args[0])
	case And:
		return p.And(args...)
	case Or:
		return p.Or(args...)
	case Ite:
		return p.Ite(args[0], args[1], args[2])
	case Eq:
		return p.Eq(args[0], args[1])
	case Le:
		return p.Le(args[0], args[1])
	case Lt:
		return p.Lt(args[0], args[1])
	case Divides:
		return p.Divides(args[0].Num(), args[1])
	case Add:
		return p.Add(args...)
	case Mul:
		u := args[0]
		for _, a := range args[1:] {
			u = p.Mul(u, a)
		}
		return u
	case RealDiv:
		return p.Div(args[0], args[1])
	case IntDiv:
		return p.IntDiv(args[0], args[1])
	case Mod:
		return p.Mod(args[0], args[1])
	case Abs:
		return p.Abs(args[0])
	case ToReal:
		return p.ToReal(args[0])
	case ToInt:
		return p.ToInt(args[0])
	case IsInt:
		return p.IsInt(args[0])
	case Select:
		return p.Select(args[0], args[1])
	case Store:
		return p.Store(args[0], args[1], args[2])
	case ConstArray:
		return p.ConstArray(t.sort, args[0])
	case Construct:
		return p.Construct(t.ext.ctor, args...)
	case Field:
		return p.Field(t.ext.sel, args[0])
	case Is:
		return p.Is(t.ext.ctor, args[0])
	case Apply:
		return p.Apply(t.ext.fn, args...)
	case Forall, Exists:
		return p.quantify(t.op, t.ext.q.bound, args[0])
	case BVExtract:
		return p.Extract(int(t.ext.hi), int(t.ext.lo), args[0])
	case BVZeroExtend:
		return p.ZeroExtend(int(t.ext.hi), args[0])
	case BVSignExtend:
		return p.SignExtend(int(t.ext.hi), args[0])
	case BVRotateLeft:
		return p.RotateLeft(int(t.ext.hi), args[0])
	case BVRotateRight:
		return p.RotateRight(int(t.ext.hi), args[0])
	case BVRepeat:
		return p.Repeat(int(t.ext.hi), args[0])
	case BVToNat:
		return p.BVToNat(args[0])
	case NatToBV:
		return p.NatToBV(t.sort.Width, args[0])
	}
	return p.BV(t.op, args...)
}
