package witness

import "hornbeam/chc/term"

// form is what a term is in every round: its value in the first one, and for numbers what each further round adds. A truth value
// is the same in all rounds.
type form struct {
	base term.Value
	step term.Num
}

// rounds evaluates terms over all rounds of a repetition at once, with exact arithmetic: a term is known where it is linear in the
// number of the round, or the same in all of them. It is part of what CheckRefutation rests on.
type rounds struct {
	// last is the number of the last round, from 0.
	last term.Num
	// moving has the variables that change.
	moving map[*term.Term]form
	// constant knows the variables that do not, and only these: what it determines holds whatever the others are.
	constant *term.Evaluator
	memo     map[*term.Term]*form
}

// newRounds returns an evaluator for a step of a round that is done in the rounds 0 to last. The values and increments are those
// of vars.
func newRounds(p *term.Pool, s RoundStep, vars []*term.Term, last term.Num) *rounds {
	r := &rounds{last: last, moving: map[*term.Term]form{}, memo: map[*term.Term]*form{}}
	fixed := term.MapAssignment{}
	for _, x := range vars {
		if d, ok := s.Increments[x]; ok && !d.IsZero() {
			r.moving[x] = form{base: s.Values[x], step: d}
		} else {
			fixed[x] = s.Values[x]
		}
	}
	r.constant = term.NewEvaluator(p, fixed)
	return r
}

// eval returns what t is in every round, and whether that is known.
func (r *rounds) eval(t *term.Term) (form, bool) {
	if f, ok := r.memo[t]; ok {
		if f == nil {
			return form{}, false
		}
		return *f, true
	}
	f, ok := form{}, false
	if f.base, ok = r.constant.Eval(t); !ok {
		f, ok = r.changing(t)
	}
	if !ok {
		r.memo[t] = nil
		return form{}, false
	}
	r.memo[t] = &f
	return f, true
}

// truth evaluates a Boolean term: whether it has the same truth value in all rounds, and which.
func (r *rounds) truth(t *term.Term) (value, known bool) {
	f, ok := r.eval(t)
	return ok && f.base.Bool(), ok
}

// truthForm is the form of a truth value.
func truthForm(b bool) form { return form{base: term.BoolValue(b)} }

// changing evaluates a term that is not determined by what stays the same.
func (r *rounds) changing(t *term.Term) (form, bool) {
	args := t.Args()
	switch t.Op() {
	case term.Var:
		f, ok := r.moving[t]
		return f, ok
	case term.Not:
		v, ok := r.truth(args[0])
		return truthForm(!v), ok
	case term.And, term.Or:
		return r.junction(args, t.Op() == term.Or)
	case term.Ite:
		return r.choice(args)
	case term.Le, term.Lt, term.Eq:
		return r.comparison(t)
	case term.Divides:
		// A sum that changes by a multiple of the divisor keeps its remainder.
		k, ok := r.eval(args[0])
		f, known := r.eval(args[1])
		if !ok || !known || !divides(k.base.Num(), f.step) {
			return form{}, false
		}
		return truthForm(divides(k.base.Num(), f.base.Num())), true
	case term.Add, term.Mul, term.RealDiv, term.IntDiv, term.Mod, term.Abs, term.ToReal:
		fs := make([]form, len(args))
		for i, a := range args {
			var ok bool
			if fs[i], ok = r.eval(a); !ok {
				return form{}, false
			}
		}
		return r.number(t, fs)
	}
	return form{}, false
}

// junction evaluates a disjunction, or else a conjunction: one argument that has the deciding truth value in all rounds decides.
func (r *rounds) junction(args []*term.Term, deciding bool) (form, bool) {
	all := true
	for _, a := range args {
		v, ok := r.truth(a)
		if ok && v == deciding {
			return truthForm(deciding), true
		}
		all = all && ok
	}
	return truthForm(!deciding), all
}

// choice evaluates an if-then-else whose condition is the same in all rounds, or whose branches are the same.
func (r *rounds) choice(args []*term.Term) (form, bool) {
	if v, ok := r.truth(args[0]); ok {
		if v {
			return r.eval(args[1])
		}
		return r.eval(args[2])
	}
	x, ok := r.eval(args[1])
	y, known := r.eval(args[2])
	return x, ok && known && x.equal(y)
}

// equal reports whether two forms are the same in all rounds, however many there are.
func (f form) equal(g form) bool { return f.base.Equal(g.base) && f.step.Equal(g.step) }

// at is the number that the form is in a round.
func (f form) at(i term.Num) term.Num { return f.base.Num().Add(f.step.Mul(i)) }

// comparison evaluates Le, Lt and Eq.
func (r *rounds) comparison(t *term.Term) (form, bool) {
	x, ok := r.eval(t.Arg(0))
	y, known := r.eval(t.Arg(1))
	if !ok || !known {
		return form{}, false
	}
	if !t.Arg(0).Sort().IsArith() {
		return truthForm(x.equal(y)), t.Op() == term.Eq
	}
	// The difference is linear: where it is not negative at both ends, or negative at both, it is that between.
	step := x.step.Sub(y.step)
	first := x.base.Num().Sub(y.base.Num())
	end := first.Add(step.Mul(r.last))
	if t.Op() != term.Eq {
		bound := 0
		if t.Op() == term.Lt {
			bound = -1
		}
		a, b := first.Sign() <= bound, end.Sign() <= bound
		return truthForm(a), a == b
	}
	if step.IsZero() || r.last.IsZero() {
		return truthForm(first.IsZero()), true
	}
	// Otherwise it is 0 in one round at most: never, when it has the same sign at both ends or would be 0 between two rounds.
	never := first.Sign()*end.Sign() > 0 || !first.Div(step).IsInt()
	return truthForm(false), never
}

// number evaluates the arithmetic operators.
func (r *rounds) number(t *term.Term, fs []form) (form, bool) {
	of := func(base, step term.Num) (form, bool) {
		return form{base: term.NumValue(base, t.Sort()), step: step}, true
	}
	x := fs[0].base.Num()
	switch t.Op() {
	case term.Add:
		var base, step term.Num
		for _, f := range fs {
			base, step = base.Add(f.base.Num()), step.Add(f.step)
		}
		return of(base, step)
	case term.Mul:
		base, step := term.NewInt(1), term.Num{}
		for _, f := range fs {
			if !step.IsZero() && !f.step.IsZero() {
				return form{}, false
			}
			base, step = base.Mul(f.base.Num()), step.Mul(f.base.Num()).Add(f.step.Mul(base))
		}
		return of(base, step)
	case term.ToReal:
		return of(x, fs[0].step)
	case term.Abs:
		end := fs[0].at(r.last)
		switch {
		case x.Sign() >= 0 && end.Sign() >= 0:
			return of(x, fs[0].step)
		case x.Sign() <= 0 && end.Sign() <= 0:
			return of(x.Neg(), fs[0].step.Neg())
		}
		return form{}, false
	}
	y := fs[1].base.Num()
	switch {
	case !fs[1].step.IsZero() || y.IsZero():
		return form{}, false
	case t.Op() == term.RealDiv:
		return of(x.Div(y), fs[0].step.Div(y))
	}
	q, m := term.EuclidDiv(x, y)
	dq := term.Num{}
	if divides(y, fs[0].step) {
		// The remainder stays the same.
		dq = fs[0].step.Div(y)
	} else if end, _ := term.EuclidDiv(fs[0].at(r.last), y); !end.Equal(q) {
		// Otherwise the quotient has to: it only grows or only falls.
		return form{}, false
	}
	if t.Op() == term.IntDiv {
		return of(q, dq)
	}
	return of(m, fs[0].step.Sub(dq.Mul(y)))
}

// divides reports whether k, which may be 0, divides the integer n.
func divides(k, n term.Num) bool {
	if k.IsZero() {
		return n.IsZero()
	}
	_, m := term.EuclidDiv(n, k)
	return m.IsZero()
}
