package simplify

import "hornbeam/chc/term"

// guessModel looks for values that satisfy f by repairing, one literal at a time, the first conjunct that is false. It
// reports whether it found some; f may be satisfiable though it did not.
func guessModel(pool *term.Pool, f *term.Term) bool {
	if f.IsTrue() {
		return true
	}
	if f.HasQuantifier() || f.Size() > maxGuessSize {
		return false
	}
	g := &guesser{pool: pool, values: term.MapAssignment{}}
	for _, v := range term.Vars(f) {
		g.values[v] = term.DefaultValue(pool, v.Sort())
	}
	conj := term.Conjuncts(f)
	for g.step = range guessSteps + len(conj) {
		g.eval = term.NewEvaluator(pool, g.values)
		bad := -1
		for i, c := range conj {
			if !g.eval.True(c) {
				bad = i
				break
			}
		}
		if bad < 0 {
			return true
		}
		if !g.repair(conj[bad], true) {
			return false
		}
	}
	return false
}

// guesser is the state of guessModel: total values and an evaluator over them.
type guesser struct {
	pool   *term.Pool
	values term.MapAssignment
	eval   *term.Evaluator
	step   int
}

// repair changes one variable's value so that f, which does not have the truth value want, is likelier to have it. It
// reports false when it does not know how to.
func (g *guesser) repair(f *term.Term, want bool) bool {
	switch f.Op() {
	case term.Var:
		g.values[f] = term.BoolValue(want)
		return true
	case term.Not:
		return g.repair(f.Arg(0), !want)
	case term.And, term.Or:
		if (f.Op() == term.And) == want {
			for _, a := range f.Args() { // all must have the value: take the first that has not
				if v, ok := g.eval.Eval(a); ok && v.Bool() != want {
					return g.repair(a, want)
				}
			}
			return false
		}
		n := len(f.Args()) // one must have the value: take turns
		for i := range n {
			if g.repair(f.Arg((g.step+i)%n), want) {
				return true
			}
		}
		return false
	case term.Ite:
		if g.eval.True(f.Arg(0)) {
			return g.repair(f.Arg(1), want)
		}
		return g.repair(f.Arg(2), want)
	case term.Eq:
		if f.Arg(0).IsBool() {
			side := f.Arg(g.step % 2)
			v, ok := g.eval.Eval(side)
			return ok && g.repair(side, !v.Bool())
		}
		if arithmetic(f) {
			return g.compare(f, want)
		}
		return g.equate(f, want)
	case term.Le, term.Lt:
		return g.compare(f, want)
	case term.Divides:
		return g.divide(f, want)
	default:
		return false
	}
}

// equate makes two terms equal when one is a variable.
func (g *guesser) equate(f *term.Term, want bool) bool {
	for i := range 2 {
		if x := f.Arg(i); want && x.IsVar() {
			if v, ok := g.eval.Eval(f.Arg(1 - i)); ok {
				g.values[x] = v
				return true
			}
		}
	}
	return false
}

// compare moves one summand of an arithmetic atom to the nearest value that gives the atom the wanted truth value.
func (g *guesser) compare(f *term.Term, want bool) bool {
	now, ok := g.eval.Eval(f.Arg(0))
	if !ok {
		return false
	}
	excess := f.Arg(1).Num().Sub(now.Num())
	sort := f.Arg(0).Sort()
	return g.anySummand(f.Arg(0), func(m term.Monomial) (term.Num, bool) {
		// A summand larger by delta makes both sides equal; one unit more or less makes them different.
		delta := excess.Mul(m.Coef.Inv())
		up := m.Coef.Sign() > 0
		one := term.NewInt(1)
		switch {
		case f.Op() == term.Eq && want:
			return delta, sort == term.Real || delta.IsInt()
		case f.Op() == term.Eq:
			if g.step%2 == 0 {
				one = one.Neg()
			}
			return one, true
		}
		// The sum must end at most (want) or at least at the bound, strictly beyond it for Lt and for a refuted Le.
		down := want == up
		if sort == term.Int && down {
			delta = delta.Floor()
		} else if sort == term.Int {
			delta = delta.Ceil()
		}
		if strict := (f.Op() == term.Lt) == want; strict {
			if down {
				one = one.Neg()
			}
			delta = delta.Add(one)
		}
		return delta, true
	})
}

// divide moves one summand so that the divisibility atom gets the wanted truth value.
func (g *guesser) divide(f *term.Term, want bool) bool {
	now, ok := g.eval.Eval(f.Arg(1))
	if !ok {
		return false
	}
	k := f.Num()
	return g.anySummand(f.Arg(1), func(m term.Monomial) (term.Num, bool) {
		sum := now.Num()
		for delta := range int64(guessSteps) {
			if _, r := term.EuclidDiv(sum, k); r.IsZero() == want {
				return term.NewInt(delta), true
			}
			sum = sum.Add(m.Coef)
		}
		return term.Num{}, false
	})
}

// anySummand increases one of the sum's terms by what delta says for it; it takes turns.
func (g *guesser) anySummand(sum *term.Term, delta func(term.Monomial) (term.Num, bool)) bool {
	ms := g.pool.Linear(sum).Monomials
	for i := range ms {
		m := ms[(g.step+i)%len(ms)]
		now, ok := g.eval.Eval(m.Term)
		if !ok {
			continue
		}
		if d, ok := delta(m); ok && g.assign(m.Term, now.Num().Add(d)) {
			return true
		}
	}
	return false
}

// assign changes variables so that the numeric term t gets the value n.
func (g *guesser) assign(t *term.Term, n term.Num) bool {
	switch t.Op() {
	case term.Var:
		g.values[t] = term.NumValue(n, t.Sort())
		return true
	case term.Ite:
		if g.eval.True(t.Arg(0)) {
			return g.assign(t.Arg(1), n)
		}
		return g.assign(t.Arg(2), n)
	case term.ToReal:
		return n.IsInt() && g.assign(t.Arg(0), n)
	case term.IntDiv:
		return t.Arg(1).IsNumeral() && g.assign(t.Arg(0), n.Mul(t.Arg(1).Num()))
	case term.Mod:
		return t.Arg(1).IsNumeral() && n.Sign() >= 0 && n.Cmp(t.Arg(1).Num()) < 0 && g.assign(t.Arg(0), n)
	case term.Add, term.Mul:
		now, ok := g.eval.Eval(t)
		if !ok || len(g.pool.Linear(t).Monomials) == 0 || g.pool.Linear(t).Monomials[0].Term == t {
			return false
		}
		return g.anySummand(t, func(m term.Monomial) (term.Num, bool) {
			d := n.Sub(now.Num()).Mul(m.Coef.Inv())
			return d, t.Sort() == term.Real || d.IsInt()
		})
	default:
		return false
	}
}
