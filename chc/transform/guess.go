package transform

import "hornbeam/chc/term"

// Guessing is tried on formulas of up to maxGuessSize nodes for up to guessSteps plus their number of conjuncts repairs:
// less work than opening a solver.
const (
	maxGuessSize = 3000
	guessSteps   = 40
)

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

// compare moves one variable of an arithmetic atom to the nearest value that gives the atom the wanted truth value.
func (g *guesser) compare(f *term.Term, want bool) bool {
	rel := term.LE
	switch f.Op() {
	case term.Lt:
		rel = term.LT
	case term.Eq:
		rel = term.EQ
	}
	l := g.pool.Linear(f.Arg(0))
	c := f.Arg(1).Num()
	sort := f.Arg(0).Sort()
	n := len(l.Monomials)
	for i := range n {
		m := l.Monomials[(g.step+i)%n]
		x := m.Term
		now, ok := g.eval.Eval(f.Arg(0))
		if !ok || !x.IsVar() {
			continue
		}
		// x + delta makes the sum's excess over c zero; one unit more makes it positive or negative.
		delta := c.Sub(now.Num()).Mul(m.Coef.Inv())
		up := m.Coef.Sign() > 0
		one := term.NewInt(1)
		switch {
		case rel == term.EQ && want:
			if sort == term.Int && !delta.IsInt() {
				continue
			}
		case rel == term.EQ:
			if g.step%2 == 0 {
				one = one.Neg()
			}
			delta = one
		default:
			// The sum must end at most (want) or at least at c, strictly beyond it for Lt and for a refuted Le.
			down := want == up
			if sort == term.Int {
				if down {
					delta = delta.Floor()
				} else {
					delta = delta.Ceil()
				}
			}
			if strict := (rel == term.LT) == want; strict {
				if down {
					one = one.Neg()
				}
				delta = delta.Add(one)
			}
		}
		old, _ := g.values.Lookup(x)
		g.values[x] = term.NumValue(old.Num().Add(delta), sort)
		return true
	}
	return false
}
