package induction

import (
	"context"
	"slices"

	"hornbeam/chc/term"
)

// grow makes the terms with one more symbol: functions and constructors applied to smaller terms.
func (e *explorer) grow(symbols int) {
	p := e.sys.Pool
	for _, s := range e.sorts {
		e.terms[s] = append(e.terms[s][:symbols], nil)
	}
	add := func(t *term.Term) bool {
		s := t.Sort()
		if e.reducible(t) {
			return true
		}
		e.terms[s][symbols] = append(e.terms[s][symbols], t)
		return len(e.terms[s][symbols]) < e.options.Terms
	}
	for _, d := range e.model.Definitions {
		if e.terms[d.Func.Range] != nil {
			e.arguments(d.Func.Domain, symbols-1, nil, func(args []*term.Term) bool {
				return e.computed(args, func(i int) bool { return e.counts[place{d.Func, i}] }) || add(p.Apply(d.Func, args...))
			})
		}
	}
	for _, s := range e.sorts {
		if s.Data == nil {
			continue
		}
		for _, c := range s.Data.Constructors {
			domain := make([]*term.Sort, len(c.Selectors))
			for i, f := range c.Selectors {
				domain[i] = f.Sort
			}
			if len(domain) > 0 {
				e.arguments(domain, symbols-1, nil, func(args []*term.Term) bool {
					return e.computed(args, func(int) bool { return false }) || add(p.Construct(c, args...))
				})
			}
		}
	}
	if e.sums && e.terms[term.Int] != nil {
		if symbols > 1 || len(e.counts) > 0 {
			for _, t := range e.terms[term.Int][symbols-1] {
				add(p.Add(t, p.Int(1)))
			}
		}
		e.arguments([]*term.Sort{term.Int, term.Int}, symbols-1, nil, func(args []*term.Term) bool {
			return args[0].ID() > args[1].ID() || args[0].IsNumeral() || add(p.Add(args...))
		})
	}
}

// computed reports whether one of the arguments is a number that was worked out and does not stand where numbers count: what is done to
// the elements of lists says little.
func (e *explorer) computed(args []*term.Term, counts func(i int) bool) bool {
	for i, a := range args {
		if a.Sort() == term.Int && (a.Op() == term.Add || a.IsNumeral()) && !counts(i) {
			return true
		}
	}
	return false
}

// arguments yields the tuples of terms of these sorts with so many symbols together, as long as yield wants more.
func (e *explorer) arguments(domain []*term.Sort, symbols int, chosen []*term.Term, yield func([]*term.Term) bool) bool {
	if len(domain) == 0 {
		return symbols > 0 || yield(chosen)
	}
	for n, ts := range e.terms[domain[0]] {
		if n > symbols {
			break
		}
		for _, t := range ts {
			if !e.arguments(domain[1:], symbols-n, append(slices.Clip(chosen), t), yield) {
				return false
			}
		}
	}
	return true
}

// conjectures are the equations whose larger side has so many symbols and whose smaller one no more: both are equal under
// all assignments.
func (e *explorer) conjectures(ctx context.Context, symbols int) ([]conjecture, error) {
	var out []conjecture
	for _, s := range e.sorts {
		smallest := map[string][]*term.Term{}
		for n, ts := range e.terms[s] {
			for _, t := range ts {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				key, ok := e.values(t)
				if !ok {
					continue
				}
				if n == symbols {
					for _, small := range smallest[key] {
						if e.general(t, small) && (s != term.Bool || small.IsValue()) {
							out = append(out, conjecture{small, t})
						}
					}
				}
				if len(smallest[key]) < mostRivals {
					smallest[key] = append(smallest[key], t)
				}
			}
		}
	}
	// The more general ones first: they say what their instances say.
	slices.SortStableFunc(out, func(a, b conjecture) int { return len(term.Vars(b.large)) - len(term.Vars(a.large)) })
	return out, nil
}

// general reports whether an equation uses its variables in order, so that only one of the equations that are the same up
// to the names of variables is tried, and has no variable on its smaller side only.
func (e *explorer) general(large, small *term.Term) bool {
	next := map[*term.Sort]int{}
	own := term.Vars(large)
	for _, x := range own {
		if e.vars[x.Sort()][next[x.Sort()]] != x {
			return false
		}
		next[x.Sort()]++
	}
	for _, x := range term.Vars(small) {
		if !slices.Contains(own, x) {
			return false
		}
	}
	return slices.ContainsFunc(own, func(x *term.Term) bool { return x.Sort().Data != nil })
}

// reducible reports whether a term has an instance of the larger side of a proved equation in it: then it says nothing
// that the term with the smaller side does not say.
func (e *explorer) reducible(t *term.Term) bool {
	found := false
	term.Walk(t, func(u *term.Term) bool {
		found = found || slices.ContainsFunc(e.rules, func(r *term.Term) bool { return instanceOf(r, u, map[*term.Term]*term.Term{}) })
		return !found
	})
	return found
}

// instanceOf reports whether t is the pattern with terms in place of its variables.
func instanceOf(pattern, t *term.Term, bind map[*term.Term]*term.Term) bool {
	if pattern.IsVar() {
		if bind[pattern] == nil {
			bind[pattern] = t
		}
		return bind[pattern] == t
	}
	if pattern.Op() != t.Op() || pattern.Sort() != t.Sort() || pattern.Func() != t.Func() || pattern.Ctor() != t.Ctor() ||
		len(pattern.Args()) != len(t.Args()) || len(t.Args()) == 0 && pattern != t {
		return false
	}
	for i, x := range pattern.Args() {
		if !instanceOf(x, t.Arg(i), bind) {
			return false
		}
	}
	return true
}
