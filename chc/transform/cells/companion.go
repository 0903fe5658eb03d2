package cells

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

// companion is an index that goes with every other one: a fixed distance after it, or as far from one end as the other one is from
// another end. Loops that shift or reverse relate elements at such indices. With it arrays are kept at the ghost k and at
// sign*k + constant + the sum of coefs[i]*(the argument at positions[i]).
type companion struct {
	sign     term.Num
	constant term.Num
	coefs    []term.Num
	// positions are, for each coefficient, those of the argument, by predicate. A predicate that has one of them at no position has
	// no companions.
	positions []map[*chc.Predicate]int
}

// of reports whether a predicate has companions.
func (c *companion) of(p *chc.Predicate) bool {
	return c != nil && !slices.ContainsFunc(c.positions, func(at map[*chc.Predicate]int) bool { _, ok := at[p]; return !ok })
}

// index returns the companion of an index of arrays of a predicate with these arguments.
func (c *companion) index(pool *term.Pool, p *chc.Predicate, args []*term.Term, k *term.Term) *term.Term {
	sum := []*term.Term{pool.Scale(c.sign, k), pool.IntNum(c.constant)}
	for i, coef := range c.coefs {
		sum = append(sum, pool.Scale(coef, args[c.positions[i][p]]))
	}
	return pool.Add(sum...)
}

// mutual reports whether an index is the companion of its companion.
func (c *companion) mutual() bool { return c.sign.Sign() < 0 }

// equal reports whether two companions are the same for all predicates that have both.
func (c *companion) equal(d *companion) bool {
	if !c.sign.Equal(d.sign) || !c.constant.Equal(d.constant) || !slices.EqualFunc(c.coefs, d.coefs, term.Num.Equal) {
		return false
	}
	for i, at := range c.positions {
		for p, n := range at {
			if m, ok := d.positions[i][p]; ok && m != n {
				return false
			}
		}
	}
	return true
}

// findCompanion returns the companion that the indices of most clauses have; nil for none. The clauses are those of sys with their
// arrays renumbered.
func findCompanion(sys *chc.System, clauses []*chc.Clause) *companion {
	var found []*companion
	var count []int
	for _, c := range clauses {
		var own []*companion
		indices := accessedAt(sys.Pool, c)
		for n, i := range indices {
			for _, j := range indices[:n] {
				for _, d := range []*companion{between(sys, clauses, c, i, j, false), between(sys, clauses, c, i, j, true)} {
					if d == nil || slices.ContainsFunc(own, d.equal) {
						continue
					}
					own = append(own, d)
					if at := slices.IndexFunc(found, d.equal); at >= 0 {
						count[at]++
						continue
					}
					found, count = append(found, d), append(count, 1)
				}
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[slices.Index(count, slices.Max(count))]
}

// accessedAt returns the indices at which a clause reads and writes arrays of numbers.
func accessedAt(pool *term.Pool, c *chc.Clause) []term.Linear {
	var out []term.Linear
	seen := map[*term.Term]bool{}
	visit := func(t *term.Term) {
		term.Walk(t, func(t *term.Term) bool {
			if (t.Op() == term.Select || t.Op() == term.Store) && t.Arg(1).Sort() == term.Int && !seen[t.Arg(1)] && len(out) < maxIndexTerms {
				seen[t.Arg(1)] = true
				out = append(out, pool.Linear(t.Arg(1)))
			}
			return !t.IsQuantifier()
		})
	}
	visit(c.Constraint)
	for _, a := range c.Atoms() {
		for _, t := range a.Args {
			visit(t)
		}
	}
	return out
}

// between returns the companion by which two indices of a clause are related: by their difference, or by their sum. It returns nil
// where that depends on what the indices do.
func between(sys *chc.System, clauses []*chc.Clause, c *chc.Clause, i, j term.Linear, sum bool) *companion {
	if i.IsConst() || j.IsConst() {
		return nil
	}
	out := &companion{sign: term.NewInt(1)}
	rest := i.Sub(j)
	if sum {
		out.sign = term.NewInt(-1)
		rest = i.Sub(j.Scale(term.NewInt(-1)))
	} else if rest.Const.Sign() < 0 || rest.Const.IsZero() && len(rest.Monomials) > 0 && rest.Monomials[0].Coef.Sign() < 0 {
		rest = j.Sub(i)
	}
	if len(rest.Monomials) > mostCompanionEnds || rest.IsConst() && !sum && rest.Const.IsZero() {
		return nil
	}
	out.constant = rest.Const
	for _, m := range rest.Monomials {
		at := carried(clauses, c, m.Term)
		if at == nil || !m.Coef.IsInt() {
			return nil
		}
		out.coefs = append(out.coefs, m.Coef)
		out.positions = append(out.positions, at)
	}
	// What is left has to be without one of the terms of the indices, the one that moves.
	for _, m := range slices.Concat(i.Monomials, j.Monomials) {
		if rest.Coef(m.Term).IsZero() {
			return out
		}
	}
	return nil
}

// carried returns the positions where predicates have what the term x of the clause c is, which all atoms of c that have it have at
// the same position. It is nil where no atom has it.
func carried(clauses []*chc.Clause, c *chc.Clause, x *term.Term) map[*chc.Predicate]int {
	at := map[*chc.Predicate]int{}
	spread := func(c *chc.Clause, x *term.Term) {
		for _, a := range c.Atoms() {
			if _, known := at[a.Pred]; known {
				continue
			}
			if i := slices.Index(a.Args, x); i >= 0 {
				at[a.Pred] = i
			}
		}
	}
	spread(c, x)
	if len(at) == 0 {
		return nil
	}
	for _, a := range c.Atoms() {
		if i, ok := at[a.Pred]; !ok || a.Args[i] != x {
			return nil
		}
	}
	for before := 0; before < len(at); {
		before = len(at)
		for _, c := range clauses {
			for _, a := range c.Atoms() {
				if i, ok := at[a.Pred]; ok {
					spread(c, a.Args[i])
				}
			}
		}
	}
	return at
}

// companion returns the companion of an index of the arrays that an atom has in a group with companions.
func (d *draft) companion(g group, a chc.App, k *term.Term) *term.Term {
	return d.scalar(g.companion.index(d.pool, a.Pred, a.Args, k))
}

// apart returns the index terms that are not companions of others among them: at those, arrays are known without them.
func (d *draft) apart(g group, a chc.App, terms []*term.Term) []*term.Term {
	var kept func(t *term.Term) bool
	kept = func(t *term.Term) bool {
		return !slices.ContainsFunc(terms, func(u *term.Term) bool {
			return u != t && d.companion(g, a, u) == t && (!g.companion.mutual() || d.simpler(u, t)) && kept(u)
		})
	}
	return slices.DeleteFunc(slices.Clone(terms), func(t *term.Term) bool { return !kept(t) })
}

// simpler reports whether an index is a sum of fewer terms than another one, or of as many and older.
func (d *draft) simpler(t, u *term.Term) bool {
	m, n := len(d.pool.Linear(t).Monomials), len(d.pool.Linear(u).Monomials)
	return m < n || m == n && t.ID() < u.ID()
}
