// Package rounds evaluates terms over all rounds of a repeated step at once, with exact arithmetic and no solver: a term is known where
// it is linear in the number of the round, or the same in all of them. It is part of what the check of a refutation rests on.
package rounds

import "hornbeam/chc/term"

// Form is what a term is in every round: its value in the first one, and for numbers what each further round adds. An array or a record
// changes like that in its numbers. A truth value is the same in all rounds.
type Form struct {
	// Base is the value in the first round, and Step what each further one adds to a number.
	Base term.Value
	Step term.Num
	// Next is the value of an array or a record in the second round, if that is another one; see Extrapolate.
	Next term.Value
}

// Evaluator evaluates terms over the rounds of a repetition.
type Evaluator struct {
	pool *term.Pool
	// last is the number of the last round, from 0.
	last term.Num
	// moving has the variables that change.
	moving map[*term.Term]Form
	// constant knows the variables that do not, and only these: what it determines holds whatever the others are.
	constant *term.Evaluator
	memo     map[*term.Term]*Form
}

// New returns an evaluator for the rounds from 0 to last, in which the variables vars have the given values, with i times their
// increments added in round i, or those that Extrapolate finds from the ones of the second round, next. Variables that are absent from
// both stay. It returns nil where next has something that Extrapolate does not.
func New(p *term.Pool, values map[*term.Term]term.Value, increments map[*term.Term]term.Num, next map[*term.Term]term.Value, vars []*term.Term, last term.Num) *Evaluator {
	r := &Evaluator{pool: p, last: last, moving: map[*term.Term]Form{}, memo: map[*term.Term]*Form{}}
	fixed := term.MapAssignment{}
	for _, x := range vars {
		if d, ok := increments[x]; ok && !d.IsZero() {
			r.moving[x] = Form{Base: values[x], Step: d}
		} else if w, ok := next[x]; ok && !w.Equal(values[x]) {
			if r.moving[x], ok = Line(p, values[x], w); !ok {
				return nil
			}
		} else {
			fixed[x] = values[x]
		}
	}
	r.constant = term.NewEvaluator(p, fixed)
	return r
}

// Eval returns what t is in every round, and whether that is known.
func (r *Evaluator) Eval(t *term.Term) (Form, bool) {
	if f, ok := r.memo[t]; ok {
		if f == nil {
			return Form{}, false
		}
		return *f, true
	}
	f, ok := Form{}, false
	if f.Base, ok = r.constant.Eval(t); !ok {
		f, ok = r.changing(t)
	}
	if !ok {
		r.memo[t] = nil
		return Form{}, false
	}
	r.memo[t] = &f
	return f, true
}

// Truth evaluates a Boolean term: whether it has the same truth value in all rounds, and which.
func (r *Evaluator) Truth(t *term.Term) (value, known bool) {
	f, ok := r.Eval(t)
	return ok && f.Base.Bool(), ok
}

// truthForm is the form of a truth value.
func truthForm(b bool) Form { return Form{Base: term.BoolValue(b)} }

// changing evaluates a term that is not determined by what stays the same.
func (r *Evaluator) changing(t *term.Term) (Form, bool) {
	args := t.Args()
	switch t.Op() {
	case term.Var:
		f, ok := r.moving[t]
		return f, ok
	case term.Not:
		v, ok := r.Truth(args[0])
		return truthForm(!v), ok
	case term.And, term.Or:
		return r.junction(args, t.Op() == term.Or)
	case term.Ite:
		return r.choice(args)
	case term.Le, term.Lt, term.Eq:
		return r.comparison(t)
	case term.Divides:
		// A sum that changes by a multiple of the divisor keeps its remainder.
		k, ok := r.Eval(args[0])
		f, known := r.Eval(args[1])
		if !ok || !known || !divides(k.Base.Num(), f.Step) {
			return Form{}, false
		}
		return truthForm(divides(k.Base.Num(), f.Base.Num())), true
	case term.Add, term.Mul, term.RealDiv, term.IntDiv, term.Mod, term.Abs, term.ToReal:
		fs := make([]Form, len(args))
		for i, a := range args {
			var ok bool
			if fs[i], ok = r.Eval(a); !ok {
				return Form{}, false
			}
		}
		return r.number(t, fs)
	case term.Select, term.Store, term.ConstArray, term.Construct, term.Field:
		fs := make([]Form, len(args))
		for i, a := range args {
			var ok bool
			if fs[i], ok = r.Eval(a); !ok {
				return Form{}, false
			}
		}
		return r.pointwise(t, fs)
	case term.Is:
		f, ok := r.Eval(args[0])
		if !ok {
			return Form{}, false
		}
		v, ok := term.NewEvaluator(r.pool, term.MapAssignment{}).Eval(r.pool.Rebuild(t, []*term.Term{f.Base.Term(r.pool)}))
		return Form{Base: v}, ok
	}
	return Form{}, false
}

// junction evaluates a disjunction, or else a conjunction: one argument that has the deciding truth value in all rounds decides.
func (r *Evaluator) junction(args []*term.Term, deciding bool) (Form, bool) {
	all := true
	for _, a := range args {
		v, ok := r.Truth(a)
		if ok && v == deciding {
			return truthForm(deciding), true
		}
		all = all && ok
	}
	return truthForm(!deciding), all
}

// choice evaluates an if-then-else whose condition is the same in all rounds, or whose branches are the same.
func (r *Evaluator) choice(args []*term.Term) (Form, bool) {
	if v, ok := r.Truth(args[0]); ok {
		if v {
			return r.Eval(args[1])
		}
		return r.Eval(args[2])
	}
	x, ok := r.Eval(args[1])
	y, known := r.Eval(args[2])
	return x, ok && known && x.Equal(y)
}

// Equal reports whether two forms are the same in all rounds, however many there are.
func (f Form) Equal(g Form) bool { return f.Base.Equal(g.Base) && f.second().Equal(g.second()) }

// At is the number that the form is in a round.
func (f Form) At(i term.Num) term.Num { return f.Base.Num().Add(f.Step.Mul(i)) }

// comparison evaluates Le, Lt and Eq.
func (r *Evaluator) comparison(t *term.Term) (Form, bool) {
	x, ok := r.Eval(t.Arg(0))
	y, known := r.Eval(t.Arg(1))
	if !ok || !known {
		return Form{}, false
	}
	if t.Op() == term.Eq {
		return r.equation(x, y)
	}
	// The difference is linear: where it is not negative at both ends, or negative at both, it is that between.
	step := x.Step.Sub(y.Step)
	first := x.Base.Num().Sub(y.Base.Num())
	end := first.Add(step.Mul(r.last))
	bound := 0
	if t.Op() == term.Lt {
		bound = -1
	}
	a, b := first.Sign() <= bound, end.Sign() <= bound
	return truthForm(a), a == b
}

// number evaluates the arithmetic operators.
func (r *Evaluator) number(t *term.Term, fs []Form) (Form, bool) {
	of := func(base, step term.Num) (Form, bool) {
		return Form{Base: term.NumValue(base, t.Sort()), Step: step}, true
	}
	x := fs[0].Base.Num()
	switch t.Op() {
	case term.Add:
		var base, step term.Num
		for _, f := range fs {
			base, step = base.Add(f.Base.Num()), step.Add(f.Step)
		}
		return of(base, step)
	case term.Mul:
		base, step := term.NewInt(1), term.Num{}
		for _, f := range fs {
			if !step.IsZero() && !f.Step.IsZero() {
				return Form{}, false
			}
			base, step = base.Mul(f.Base.Num()), step.Mul(f.Base.Num()).Add(f.Step.Mul(base))
		}
		return of(base, step)
	case term.ToReal:
		return of(x, fs[0].Step)
	case term.Abs:
		end := fs[0].At(r.last)
		switch {
		case x.Sign() >= 0 && end.Sign() >= 0:
			return of(x, fs[0].Step)
		case x.Sign() <= 0 && end.Sign() <= 0:
			return of(x.Neg(), fs[0].Step.Neg())
		}
		return Form{}, false
	}
	y := fs[1].Base.Num()
	switch {
	case !fs[1].Step.IsZero() || y.IsZero():
		return Form{}, false
	case t.Op() == term.RealDiv:
		return of(x.Div(y), fs[0].Step.Div(y))
	}
	q, m := term.EuclidDiv(x, y)
	dq := term.Num{}
	if divides(y, fs[0].Step) {
		// The remainder stays the same.
		dq = fs[0].Step.Div(y)
	} else if end, _ := term.EuclidDiv(fs[0].At(r.last), y); !end.Equal(q) {
		// Otherwise the quotient has to: it only grows or only falls.
		return Form{}, false
	}
	if t.Op() == term.IntDiv {
		return of(q, dq)
	}
	return of(m, fs[0].Step.Sub(dq.Mul(y)))
}

// divides reports whether k, which may be 0, divides the integer n.
func divides(k, n term.Num) bool {
	if k.IsZero() {
		return n.IsZero()
	}
	_, m := term.EuclidDiv(n, k)
	return m.IsZero()
}
