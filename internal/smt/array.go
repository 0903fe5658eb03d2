package smt

import "hornbeam/chc/term"

// FunctionArray returns the array value of sort s that maps x, a variable of s's index sort, to body, and whether it
// could: body may look at x only through equations with values, which give the entries, their falsity giving the value
// everywhere else. Solvers print arrays as such functions now and then.
func FunctionArray(p *term.Pool, s *term.Sort, x, body *term.Term) (*term.Term, bool) {
	at := func(k *term.Term) (*term.Term, bool) {
		v := p.Substitute(body, map[*term.Term]*term.Term{x: k})
		return v, v.IsValue()
	}
	if s.Index == term.Bool {
		no, ok := at(p.False())
		yes, okToo := at(p.True())
		if !ok || !okToo {
			return nil, false
		}
		return p.Store(p.ConstArray(s, no), p.True(), yes), true
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
