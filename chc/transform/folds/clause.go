package folds

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/ghost"
)

// sum is that of an array's addends before an end.
type sum struct {
	array, end *term.Term
	addend     *addend
}

// draft is a clause that is being told of the sums of its arrays.
type draft struct {
	pool *term.Pool
	// addends are those that measures have, each once, so that sums are comparable.
	addends []*addend
	terms   map[sum]*term.Term
	// order has the sums of arrays of which nothing is known, in the order of their discovery.
	order []sum
	// same joins the clause's arrays, and ends has what the sums of each are asked for.
	same transform.Partition[*term.Term]
	ends map[*term.Term][]sum
	// asked has what the arrays' own sums are asked for.
	asked map[*term.Term][]sum
}

func (t *folding) draft(c *chc.Clause) *draft {
	d := &draft{pool: t.old.Pool, terms: map[sum]*term.Term{}, ends: map[*term.Term][]sum{}, asked: map[*term.Term][]sum{}}
	ghost.JoinArrays(c, folded, d.same.Join)
	for _, a := range c.Atoms() {
		for _, m := range t.measures[a.Pred.ID] {
			if m.element {
				continue
			}
			r := d.same.Find(a.Args[m.array])
			s := sum{nil, m.at(d.pool, a.Args), d.addend(m.addend)}
			d.asked[a.Args[m.array]] = append(d.asked[a.Args[m.array]], s)
			if !slices.Contains(d.ends[r], s) {
				d.ends[r] = append(d.ends[r], s)
			}
		}
	}
	return d
}

// addend is the draft's own copy of an addend.
func (d *draft) addend(a addend) *addend {
	if i := slices.IndexFunc(d.addends, func(b *addend) bool { return a.equal(*b) }); i >= 0 {
		return d.addends[i]
	}
	d.addends = append(d.addends, &a)
	return &a
}

// measure is a new argument of an atom with these arguments.
func (d *draft) measure(m measure, args []*term.Term) *term.Term {
	at := m.at(d.pool, args)
	if m.element {
		return d.pool.Select(args[m.array], at)
	}
	return d.sum(sum{args[m.array], at, d.addend(m.addend)})
}

// sum returns the sum of an array.
func (d *draft) sum(s sum) *term.Term {
	if t := d.terms[s]; t != nil {
		return t
	}
	p, a := d.pool, s.array
	var out *term.Term
	switch {
	case s.end.IsNumeral() && s.end.Num().Sign() <= 0:
		out = p.Int(0)
	case a.Op() == term.Store:
		base, i, v := a.Arg(0), a.Arg(1), a.Arg(2)
		changed := p.Sub(s.addend.of(v, i), s.addend.of(p.Select(base, i), i))
		out = p.Add(d.sum(sum{base, s.end, s.addend}), p.Ite(ghost.Within(i, s.end), changed, p.Int(0)))
	case a.Op() == term.Ite:
		out = p.Ite(a.Arg(0), d.sum(sum{a.Arg(1), s.end, s.addend}), d.sum(sum{a.Arg(2), s.end, s.addend}))
	default:
		out = p.Fresh("sum", term.Int)
		d.order = append(d.order, s)
	}
	d.terms[s] = out
	return out
}

// equalities returns the formula with the equality of two arrays' sums beside that of the arrays, where f is true only if they are
// equal.
func (d *draft) equalities(f *term.Term) *term.Term {
	return ghost.Equalities(f, folded, func(t, u *term.Term) []*term.Term {
		ends := d.ends[d.same.Find(t)]
		asked := slices.Concat(d.asked[t], d.asked[u])
		if len(asked) == 0 {
			asked = ends
		}
		var out []*term.Term
		for _, s := range ends {
			if slices.Contains(asked, s) {
				out = append(out, d.pool.Eq(d.sum(sum{t, s.end, s.addend}), d.sum(sum{u, s.end, s.addend})))
			}
		}
		return out
	})
}

// facts are what the sums of one array have to do with each other, and with its elements.
func (d *draft) facts() []*term.Term {
	p := d.pool
	var out []*term.Term
	for k, s := range d.order {
		t := d.terms[s]
		if !s.end.IsNumeral() {
			out = append(out, p.Or(p.Gt(s.end, p.Int(0)), p.Eq(t, p.Int(0))))
		}
		if s.array.Op() == term.ConstArray && s.addend.slope.IsZero() {
			if each := s.addend.of(s.array.Arg(0), p.Int(0)); each.IsNumeral() {
				out = append(out, p.Or(p.Lt(s.end, p.Int(0)), p.Eq(t, p.Mul(each, s.end))))
			}
		}
		for _, r := range d.order[:k] {
			if r.array == s.array && r.addend == s.addend {
				out = append(out, d.between(r, s)...)
			}
		}
	}
	return out
}

// between tells the sum before the one end in terms of that before the other, where the ends are near each other or may be equal.
func (d *draft) between(r, s sum) []*term.Term {
	p := d.pool
	distance := p.Linear(p.Sub(s.end, r.end))
	if !distance.IsConst() {
		return []*term.Term{p.Or(p.Ne(r.end, s.end), p.Eq(d.terms[r], d.terms[s]))}
	}
	if distance.Const.Sign() < 0 {
		r, s = s, r
	}
	if distance.Const.Abs().Cmp(term.NewInt(maxDistance)) > 0 {
		return nil
	}
	total := d.terms[r]
	for i := r.end; i != s.end; i = p.Add(i, p.Int(1)) {
		total = p.Add(total, p.Ite(p.Ge(i, p.Int(0)), s.addend.of(p.Select(s.array, i), i), p.Int(0)))
	}
	return []*term.Term{p.Eq(d.terms[s], total)}
}
