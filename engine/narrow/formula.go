package narrow

import "hornbeam/chc/term"

// assignment gives the variables of a frame's clause their values.
type assignment struct {
	m *machine
	f *frame
}

// Lookup returns the value of a variable that is known in full.
func (a assignment) Lookup(x *term.Term) (term.Value, bool) {
	i, ok := a.f.place[x]
	if !ok || a.f.env[i] == nil {
		return term.Value{}, false
	}
	t := a.m.term(a.f.env[i], false)
	if t == nil {
		return term.Value{}, false
	}
	return term.TermValue(t), true
}

// known reports whether all variables of a formula that are no datatypes have values.
func (m *machine) known(f *frame, k *formula) bool {
	for _, x := range k.vars {
		if f.env[x] == nil || deref(f.env[x]).unbound() {
			return false
		}
	}
	return true
}

// truth is 1 for a formula that is true for what is known, -1 for one that is false, and 0 otherwise.
func (m *machine) truth(f *frame, k *formula) int {
	e := term.NewEvaluator(m.pool, assignment{m, f})
	switch {
	case e.True(k.term):
		return 1
	case e.False(k.term):
		return -1
	}
	return 0
}

// evaluate looks at a formula: it is true, fails, gives a value to the one variable that an equation leaves, or waits.
func (m *machine) evaluate(g *goal) bool {
	m.step()
	f, k := g.owner, g.formula
	switch m.truth(f, k) {
	case 1:
		s := g.state
		s.done = true
		m.set(g, s)
		return true
	case -1:
		return false
	}
	if x, v, ok := m.solve(f, k); ok {
		if v == nil {
			return false
		}
		s := g.state
		s.done = true
		m.set(g, s)
		return m.bind(x, m.value(v))
	}
	var vars []*value
	for _, x := range k.vars {
		open(f.env[x], func(v *value) { vars = append(vars, v) })
	}
	m.wait(g, g.state, vars)
	return true
}

// solve finds the value of the one variable of an equation that has none; the value is nil where there is none.
func (m *machine) solve(f *frame, k *formula) (*value, *term.Term, bool) {
	l := k.linear
	if l == nil {
		for _, d := range k.defines {
			if x := deref(f.env[d.variable]); x.unbound() {
				if v, ok := term.NewEvaluator(m.pool, assignment{m, f}).Eval(d.as); ok {
					return x, v.Term(m.pool), true
				}
			}
		}
		return nil, nil, false
	}
	e := term.NewEvaluator(m.pool, assignment{m, f})
	var x *value
	var coef term.Num
	sum := l.Const
	for _, o := range l.Monomials {
		if o.Term.IsVar() {
			if v := deref(f.env[f.place[o.Term]]); v.unbound() {
				if x != nil {
					return nil, nil, false
				}
				x, coef = v, o.Coef
				continue
			}
		}
		v, ok := e.Eval(o.Term)
		if !ok {
			return nil, nil, false
		}
		sum = sum.Add(o.Coef.Mul(v.Num()))
	}
	if x == nil {
		return nil, nil, false
	}
	n := sum.Neg().Div(coef)
	if x.sort == term.Int && !n.IsInt() {
		return x, nil, true
	}
	return x, m.pool.Numeral(n, x.sort), true
}
