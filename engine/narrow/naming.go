package narrow

import "hornbeam/chc/term"

// naming gives each value that is not known a variable, so that formulas of several frames can be compared.
type naming struct {
	m     *machine
	names map[*value]*term.Term
	of    map[*term.Term]*value
}

// name returns the variable of a value, or its term when that is known.
func (n *naming) name(v *value, s *term.Sort) *term.Term {
	v = deref(v)
	t := n.m.term(v, false)
	if t == nil {
		if t = n.names[v]; t == nil {
			t = n.m.pool.Fresh("same", s)
			n.names[v] = t
			if n.of != nil {
				n.of[t] = v
			}
		}
	}
	return t
}

// formula is a frame's formula over the variables.
func (n *naming) formula(f *frame, k *formula) *term.Term {
	n.m.step()
	n.m.complete(&n.m.store, f, k)
	return n.m.pool.Substitute(k.term, n.substitution(f, k))
}

func (n *naming) substitution(f *frame, k *formula) map[*term.Term]*term.Term {
	sub := map[*term.Term]*term.Term{}
	for j, x := range term.Vars(k.term) {
		sub[x] = n.name(f.env[k.vars[j]], x.Sort())
	}
	return sub
}

// agreeOnNumbers makes numbers equal that the formulas of two bodies compute in the same way from the same ones.
func (m *machine) agreeOnNumbers(f, g *frame) bool {
	names := naming{m: m, names: map[*value]*term.Term{}, of: map[*term.Term]*value{}}
	var linear []term.Linear
	defined := map[*term.Term]*value{}
	for _, h := range []*frame{f, g} {
		for i := range h.formulas {
			k := &h.formulas[i]
			if k.linear == nil && len(k.defines) == 0 {
				continue
			}
			t := names.formula(h, k)
			if c, ok := m.pool.AsConstraint(t); ok && c.Rel == term.EQ {
				linear = append(linear, c.Linear)
			}
			if len(k.defines) == 0 {
				continue
			}
			sub := names.substitution(h, k)
			for _, d := range k.defines {
				as, x := m.pool.Substitute(d.as, sub), deref(h.env[d.variable])
				if y := defined[as]; y == nil {
					defined[as] = x
				} else if !m.unify(x, y) {
					return false
				}
			}
		}
	}
	for i, a := range linear {
		for _, b := range linear[:i] {
			for _, d := range []term.Linear{a.Sub(b), a.Add(b)} {
				if len(d.Monomials) != 2 || !d.Const.IsZero() || !d.Monomials[0].Coef.Add(d.Monomials[1].Coef).IsZero() {
					continue
				}
				x, y := names.of[d.Monomials[0].Term], names.of[d.Monomials[1].Term]
				if x != nil && y != nil && !m.unify(x, y) {
					return false
				}
			}
		}
	}
	return true
}
