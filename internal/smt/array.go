package smt

import "hornbeam/chc/term"

// FunctionArray returns the array value of sort s that maps x, a variable of s's index sort, to body, and whether it
// could: body may look at x only through equations with values, which give the entries, their falsity giving the value
// everywhere else; over an index sort of few values it may be any function of x. Solvers print arrays as such functions now and then.
func FunctionArray(p *term.Pool, s *term.Sort, x, body *term.Term) (*term.Term, bool) {
	at := func(k *term.Term) (*term.Term, bool) {
		v := p.Substitute(body, map[*term.Term]*term.Term{x: k})
		return v, v.IsValue()
	}
	if values := fewValues(p, s.Index); values != nil {
		var a *term.Term
		for _, k := range values {
			v, ok := at(k)
			if !ok {
				return nil, false
			}
			if a == nil {
				a = p.ConstArray(s, v)
			}
			a = p.Store(a, k, v)
		}
		return a, true
	}
	var keys []*term.Term
	elsewhere := map[*term.Term]*term.Term{}
	term.Walk(body, func(t *term.Term) bool {
		if t.Op() != term.Eq {
			return true
		}
		for i, side := range t.Args() {
			if other := t.Arg(1 - i); side == x && other.IsValue() {
				keys = append(keys, other)
				elsewhere[t] = p.False()
				return false
			}
		}
		return true
	})
	rest := p.Substitute(body, elsewhere)
	if !rest.IsValue() {
		return nil, false
	}
	a := p.ConstArray(s, rest)
	for _, k := range keys {
		v, ok := at(k)
		if !ok {
			return nil, false
		}
		a = p.Store(a, k, v)
	}
	return a, true
}

// fewValues are all values of a Boolean, enumeration or narrow bit-vector sort, nil for others.
func fewValues(p *term.Pool, s *term.Sort) []*term.Term {
	const widest = 8
	var out []*term.Term
	switch {
	case s == term.Bool:
		out = append(out, p.False(), p.True())
	case s.Kind == term.BitVecKind && s.Width <= widest:
		for i := range int64(1) << s.Width {
			out = append(out, p.BVNum(term.NewInt(i), s.Width))
		}
	case s.Kind == term.DatatypeKind:
		for _, c := range s.Data.Constructors {
			if len(c.Selectors) > 0 {
				return nil
			}
			out = append(out, p.Construct(c))
		}
	}
	return out
}
