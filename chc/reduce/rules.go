package reduce

import (
	"slices"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// maxEqualities bounds how many sums are tried as equal to a number.
const maxEqualities = 60

// equalities adds that sums of the formulas' atoms, and differences of their variables, are equal to a number, where they are.
func (r *reducer) equalities(parts []*term.Term) []*term.Term {
	p := r.pool
	m := r.model(parts)
	if m == nil {
		return parts
	}
	var sums []*term.Term
	add := func(t *term.Term) {
		if len(sums) < maxEqualities && !slices.Contains(sums, t) && !slices.Contains(sums, p.Neg(t)) {
			sums = append(sums, t)
		}
	}
	var numbers []*term.Term
	for _, part := range parts {
		if part.HasQuantifier() {
			continue
		}
		for _, v := range term.Vars(part) {
			if v.Sort() == term.Int && !slices.Contains(numbers, v) {
				numbers = append(numbers, v)
				add(v)
			}
		}
		term.Walk(part, func(t *term.Term) bool {
			if (t.Op() == term.Le || t.Op() == term.Eq) && t.Arg(0).Sort() == term.Int && t.Arg(1).IsNumeral() {
				add(t.Arg(0))
			}
			return t.IsBool()
		})
	}
	for i, v := range numbers {
		for _, w := range numbers[:i] {
			add(p.Sub(v, w))
		}
	}
	e := term.NewEvaluator(p, term.Complete(p, m))
	var found []*term.Term
	for _, s := range sums {
		v, ok := e.Eval(s)
		if !ok {
			continue
		}
		eq := p.Eq(s, v.Term(p))
		if !slices.Contains(parts, eq) && r.implied(append(slices.Clone(parts), found...), eq) && !r.implied(found, eq) {
			found = append(found, eq)
		}
	}
	return append(found, parts...)
}

// cases says a disjunction of cases one by one: (a == 1 && b == 2) || (a != 1 && b == 3) is a == 1 ==> b == 2 and a != 1 ==> b == 3.
func (r *reducer) cases(parts []*term.Term) []*term.Term {
	p := r.pool
	var out []*term.Term
	for _, part := range parts {
		split, ok := r.split(part)
		if !ok {
			out = append(out, part)
			continue
		}
		for _, s := range split {
			out = append(out, p.Or(p.Not(s.when), s.then))
		}
		whens := make([]*term.Term, len(split))
		for i, s := range split {
			whens[i] = s.when
		}
		if some := p.Or(whens...); !r.implied(nil, some) {
			out = append(out, some)
		}
	}
	return out
}

type oneCase struct{ when, then *term.Term }

// split finds the cases of a disjunction, no two of which can be at once.
func (r *reducer) split(t *term.Term) ([]oneCase, bool) {
	p := r.pool
	if !t.IsOr() {
		return nil, false
	}
	var out []oneCase
	for _, a := range t.Args() {
		var when, then []*term.Term
		for _, b := range r.flat([]*term.Term{a}) {
			if r.isCase(b) {
				when = append(when, b)
			} else {
				then = append(then, b)
			}
		}
		if len(when) == 0 || len(then) == 0 {
			return nil, false
		}
		c := oneCase{p.And(when...), p.And(then...)}
		for _, other := range out {
			if !r.implied([]*term.Term{c.when}, p.Not(other.when)) {
				return nil, false
			}
		}
		out = append(out, c)
	}
	return out, true
}

// ends makes an equality of a bound that the ranges of types leave one number for: an unsigned a <= 0 is a == 0.
func (r *reducer) ends(parts []*term.Term) []*term.Term {
	done := map[*term.Term]*term.Term{}
	var at func(t *term.Term) *term.Term
	at = func(t *term.Term) *term.Term {
		if u := done[t]; u != nil {
			return u
		}
		u := t
		atom := t
		if t.IsNot() {
			atom = t.Arg(0)
		}
		switch {
		case atom.Op() == term.Le && atom.Arg(0).IsVar() && atom.Arg(1).IsNumeral() && atom.Arg(0).Sort() == term.Int:
			c := atom.Arg(1).Num()
			if t.IsNot() {
				c = c.Add(term.NewInt(1))
			}
			if eq := r.pool.Eq(atom.Arg(0), r.pool.Numeral(c, term.Int)); r.implied([]*term.Term{t}, eq) {
				u = eq
			} else if eq := r.pool.Eq(atom.Arg(0), atom.Arg(1)); t.IsNot() && r.implied([]*term.Term{atom}, eq) {
				u = r.pool.Not(eq)
			}
		case t.IsAnd() || t.IsOr() || t.IsNot() && (atom.IsAnd() || atom.IsOr()):
			u = r.pool.MapArgs(t, at)
		}
		done[t] = u
		return u
	}
	for i := range parts {
		parts[i] = at(parts[i])
	}
	return parts
}

// meetings puts two parts together that differ in a bound only, where these meet: a || b <= 3 and a || b >= 3 are a || b == 3, and
// a || b <= 3 && b >= 3 is, too.
func (r *reducer) meetings(parts []*term.Term) []*term.Term {
	p := r.pool
	for i := range parts {
		parts[i] = r.met(parts[i])
	}
	for i := 0; i < len(parts); i++ {
		for j := i + 1; j < len(parts); j++ {
			if !parts[i].IsOr() || !parts[j].IsOr() || len(parts[i].Args()) != len(parts[j].Args()) {
				continue
			}
			only := func(a, b *term.Term) []*term.Term {
				return slices.DeleteFunc(slices.Clone(a.Args()), func(t *term.Term) bool { return slices.Contains(b.Args(), t) })
			}
			a, b := only(parts[i], parts[j]), only(parts[j], parts[i])
			if len(a) != 1 || len(b) != 1 {
				continue
			}
			eq := meeting(p, a[0], b[0])
			if eq == nil {
				eq = meeting(p, b[0], a[0])
			}
			if eq == nil {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(parts[i].Args()), func(t *term.Term) bool { return t == a[0] })
			parts[i] = p.Or(append(rest, eq)...)
			parts = slices.Delete(parts, j, j+1)
			j--
		}
	}
	return parts
}

// met is a formula with the bounds that meet in its conjunctions put together.
func (r *reducer) met(t *term.Term) *term.Term {
	if !t.IsAnd() && !t.IsOr() {
		return t
	}
	p := r.pool
	args := slices.Clone(t.Args())
	for i := range args {
		args[i] = r.met(args[i])
	}
	if t.IsOr() {
		return p.Or(args...)
	}
	for i := 0; i < len(args); i++ {
		for j := i + 1; j < len(args); j++ {
			eq := meeting(p, args[i], args[j])
			if eq == nil {
				eq = meeting(p, args[j], args[i])
			}
			if eq != nil {
				args[i], args = eq, slices.Delete(args, j, j+1)
				j--
			}
		}
	}
	return p.And(args...)
}

// meeting is the equality that an upper and a lower bound make, nil where they make none.
func meeting(p *term.Pool, upper, lower *term.Term) *term.Term {
	if upper.Op() != term.Le || !upper.Arg(1).IsNumeral() || lower != p.Ge(upper.Arg(0), upper.Arg(1)) {
		return nil
	}
	return p.Eq(upper.Arg(0), upper.Arg(1))
}

// strict makes bounds of a number narrower that it is not equal to: a >= 1 and a != 1 are a >= 2.
func (r *reducer) strict(parts []*term.Term) []*term.Term {
	p := r.pool
	one := term.NewInt(1)
	for i := 0; i < len(parts); i++ {
		t := parts[i]
		if !t.IsNot() || t.Arg(0).Op() != term.Eq || t.Arg(0).Arg(0).Sort() != term.Int || !t.Arg(0).Arg(1).IsNumeral() {
			continue
		}
		s, c := t.Arg(0).Arg(0), t.Arg(0).Arg(1).Num()
		number := func(n term.Num) *term.Term { return p.Numeral(n, term.Int) }
		for _, b := range []struct{ from, to *term.Term }{
			{p.Ge(s, number(c)), p.Ge(s, number(c.Add(one)))}, {p.Le(s, number(c)), p.Le(s, number(c.Sub(one)))},
		} {
			if j := slices.Index(parts, b.from); j >= 0 {
				parts[j] = b.to
				parts = slices.Delete(parts, i, i+1)
				i = -1
				break
			}
		}
	}
	return parts
}

// model is a model of what the parts without quantifiers say, nil if none is found.
func (r *reducer) model(parts []*term.Term) *smt.Model {
	plain := slices.DeleteFunc(slices.Clone(parts), (*term.Term).HasQuantifier)
	var m *smt.Model
	err := smt.Within(r.solver, plain, func() (err error) {
		m, err = smt.Satisfied(r.ctx, r.solver, r.pool, plain)
		return err
	})
	if err != nil {
		r.failed = err
		return nil
	}
	return m
}
