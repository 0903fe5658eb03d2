package rounds

import "hornbeam/chc/term"

// Extrapolate returns the value in a round of what is v in round 0 and w in round 1, and changes in every round as from v to w: numbers
// by the same amount, arrays element by element, and records of the same constructor field by field. It reports false where v and w
// differ in anything else, or the result is no value of the sort.
func Extrapolate(p *term.Pool, v, w term.Value, round term.Num) (term.Value, bool) {
	switch s := v.Sort(); {
	case s != w.Sort():
		return term.Value{}, false
	case v.Equal(w):
		return v, true
	case s.IsArith():
		n := v.Num().Add(w.Num().Sub(v.Num()).Mul(round))
		return term.NumValue(n, s), s == term.Real || n.IsInt()
	case !s.IsArray() && !s.IsDatatype():
		return term.Value{}, false
	}
	t, ok := extrapolate(p, v.Term(p), w.Term(p), round)
	if !ok {
		return term.Value{}, false
	}
	return term.TermValue(t), true
}

// extrapolate is Extrapolate for arrays and records.
func extrapolate(p *term.Pool, a, b *term.Term, round term.Num) (*term.Term, bool) {
	at := func(a, b *term.Term) (*term.Term, bool) {
		v, ok := Extrapolate(p, term.TermValue(a), term.TermValue(b), round)
		if !ok {
			return nil, false
		}
		return v.Term(p), true
	}
	if a.Sort().IsDatatype() {
		if a.Ctor() != b.Ctor() {
			return nil, false
		}
		args := make([]*term.Term, len(a.Args()))
		for k := range args {
			var ok bool
			if args[k], ok = at(a.Arg(k), b.Arg(k)); !ok {
				return nil, false
			}
		}
		return p.Construct(a.Ctor(), args...), true
	}
	indices, first, second := stores(a, b)
	rest, ok := at(first, second)
	if !ok {
		return nil, false
	}
	out := p.ConstArray(a.Sort(), rest)
	for _, i := range indices {
		v, ok := at(p.Select(a, i), p.Select(b, i))
		if !ok {
			return nil, false
		}
		out = p.Store(out, i, v)
	}
	return out, true
}

// stores returns the indices at which two arrays have stores, and what they have everywhere else.
func stores(a, b *term.Term) (indices []*term.Term, first, second *term.Term) {
	seen := map[*term.Term]bool{}
	rest := func(a *term.Term) *term.Term {
		for ; a.Op() == term.Store; a = a.Arg(0) {
			if i := a.Arg(1); !seen[i] {
				seen[i] = true
				indices = append(indices, i)
			}
		}
		return a.Arg(0)
	}
	first = rest(a)
	second = rest(b)
	return indices, first, second
}

// Line is the form of what is v in the first round and w in the second one, and changes in every round like that.
func Line(p *term.Pool, v, w term.Value) (Form, bool) {
	switch {
	case v.Sort() != w.Sort():
		return Form{}, false
	case v.Equal(w):
		return Form{Base: v}, true
	case v.Sort().IsArith():
		return Form{Base: v, Step: w.Num().Sub(v.Num())}, true
	}
	_, ok := Extrapolate(p, v, w, term.NewInt(2))
	return Form{Base: v, Next: w}, ok
}

// constant reports whether the form is the same in all rounds.
func (f Form) constant() bool { return f.Step.IsZero() && f.Next.Sort() == nil }

// second is the value in the second round.
func (f Form) second() term.Value {
	switch {
	case f.Next.Sort() != nil:
		return f.Next
	case f.Step.IsZero():
		return f.Base
	}
	return term.NumValue(f.At(term.NewInt(1)), f.Base.Sort())
}

// Value is the value in a round.
func (f Form) Value(p *term.Pool, i term.Num) (term.Value, bool) {
	return Extrapolate(p, f.Base, f.second(), i)
}

// Advance is the form from the second round on.
func (f Form) Advance(p *term.Pool) (Form, bool) {
	if f.constant() {
		return f, true
	}
	next, ok := f.Value(p, term.NewInt(2))
	if !ok {
		return Form{}, false
	}
	return Line(p, f.second(), next)
}

// equation evaluates whether two forms are equal.
func (r *Evaluator) equation(x, y Form) (Form, bool) {
	if x.Base.Equal(y.Base) && (r.last.IsZero() || x.second().Equal(y.second())) {
		return truthForm(true), true
	}
	return truthForm(false), r.apart(x, y)
}

// apart reports whether two forms differ in every round. It may be wrong where it says that they do not.
func (r *Evaluator) apart(x, y Form) bool {
	s := x.Base.Sort()
	if x.constant() && y.constant() || r.last.IsZero() {
		return !x.Base.Equal(y.Base)
	}
	if s.IsArith() {
		// The difference is linear, so it is 0 in one round at most: never, when it has the same sign at both ends or would be 0 between
		// two rounds.
		step := x.Step.Sub(y.Step)
		first := x.Base.Num().Sub(y.Base.Num())
		if step.IsZero() {
			return !first.IsZero()
		}
		end := first.Add(step.Mul(r.last))
		return first.Sign()*end.Sign() > 0 || !first.Div(step).IsInt()
	}
	p := r.pool
	a, b, c, d := x.Base.Term(p), x.second().Term(p), y.Base.Term(p), y.second().Term(p)
	part := func(a, b, c, d *term.Term) bool {
		f, ok := Line(p, term.TermValue(a), term.TermValue(b))
		g, known := Line(p, term.TermValue(c), term.TermValue(d))
		return ok && known && r.apart(f, g)
	}
	switch {
	case s.IsDatatype():
		if a.Ctor() != c.Ctor() {
			return true
		}
		for k := range a.Args() {
			if part(a.Arg(k), b.Arg(k), c.Arg(k), d.Arg(k)) {
				return true
			}
		}
	case s.IsArray():
		indices, _, _ := stores(a, b)
		more, _, _ := stores(c, d)
		for _, i := range append(indices, more...) {
			if part(p.Select(a, i), p.Select(b, i), p.Select(c, i), p.Select(d, i)) {
				return true
			}
		}
	}
	return false
}

// pointwise evaluates an operator that takes an element or a field, or puts arrays or records together: at indices that stay the same it
// commutes with the change from round to round.
func (r *Evaluator) pointwise(t *term.Term, fs []Form) (Form, bool) {
	if (t.Op() == term.Select || t.Op() == term.Store) && !fs[1].constant() {
		return Form{}, false
	}
	at := func(value func(Form) term.Value) (term.Value, bool) {
		args := make([]*term.Term, len(fs))
		for k, f := range fs {
			args[k] = value(f).Term(r.pool)
		}
		return term.NewEvaluator(r.pool, term.MapAssignment{}).Eval(r.pool.Rebuild(t, args))
	}
	first, ok := at(func(f Form) term.Value { return f.Base })
	if !ok {
		return Form{}, false
	}
	second, ok := at(Form.second)
	if !ok {
		return Form{}, false
	}
	return Line(r.pool, first, second)
}
