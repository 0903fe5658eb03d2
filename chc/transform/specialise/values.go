package specialise

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform/resolve"
)

// controlPositions returns the argument positions to split by: those that are Boolean or have, in every derivation, one of
// a few constants, and whose value selects some of the clauses that use them, or by which a loop counts.
func controlPositions(sys *chc.System, o Options, steps []map[int]bool) splitPositions {
	d := newDomains(sys, o.MaxValues, steps)
	d.run()
	out := make(splitPositions, len(sys.Predicates))
	for i, p := range sys.Predicates {
		for k, s := range p.Sorts {
			values := d.of[i][k].values
			if s == term.Bool {
				values = []*term.Term{sys.Pool.False(), sys.Pool.True()}
			}
			if len(values) == 0 {
				continue
			}
			if d.steps[i][k] || spreadWithin(sys, d.uses[i], p, k, values, o.Spread+o.SpreadPerValue*float64(len(values)-2)) {
				out[i] = append(out[i], k)
			}
		}
	}
	return out
}

// spreadWithin reports whether the clauses that use p get at most limit times as large when they are written once for each
// of an argument's values: it is little more than 1 for a program counter, of which each value picks a part of the
// clauses, and almost the number of values for data.
func spreadWithin(sys *chc.System, uses []*chc.Clause, p *chc.Predicate, k int, values []*term.Term, limit float64) bool {
	before, after := 0, 0
	for _, c := range uses {
		before += c.Constraint.Size() * resolve.Occurrences(c.Body, p)
	}
	for _, c := range uses {
		for _, a := range c.Body {
			if a.Pred != p {
				continue
			}
			x := a.Args[k]
			for _, v := range values {
				f := c.Constraint
				if x.IsVar() {
					f = sys.Pool.Substitute(f, map[*term.Term]*term.Term{x: v})
				} else {
					f = sys.Pool.And(f, sys.Pool.Eq(x, v))
				}
				if f.IsFalse() {
					continue
				}
				if after += f.Size(); float64(after) > limit*float64(before) {
					return false
				}
			}
		}
	}
	return true
}

// domain is a set of constants, or anything.
type domain struct {
	values []*term.Term // sorted by ID
	any    bool
}

// join adds o's values and reports whether that changed anything; beyond limit it becomes anything.
func (d *domain) join(o domain, limit int) bool {
	if d.any {
		return false
	}
	if o.any {
		*d = domain{any: true}
		return true
	}
	changed := false
	for _, v := range o.values {
		i, found := slices.BinarySearchFunc(d.values, v, func(a, b *term.Term) int { return int(a.ID()) - int(b.ID()) })
		if !found {
			d.values = slices.Insert(slices.Clone(d.values), i, v)
			changed = true
		}
	}
	if len(d.values) > limit {
		*d = domain{any: true}
	}
	return changed
}

// meet returns the values that are in both.
func (d domain) meet(o domain) domain {
	switch {
	case d.any:
		return o
	case o.any:
		return d
	}
	return domain{values: slices.DeleteFunc(slices.Clone(d.values), func(v *term.Term) bool { return !slices.Contains(o.values, v) })}
}

// domains computes the least assignment of domains to argument positions that is closed under the clauses.
type domains struct {
	sys   *chc.System
	limit int
	of    [][]domain
	uses  [][]*chc.Clause
	// heads holds, by the clauses' IDs, where the values of the head's arguments come from.
	heads [][]sources
	// steps has the arguments by which loops count, of which bounds count as values, too.
	steps []map[int]bool
}

func newDomains(sys *chc.System, limit int, steps []map[int]bool) *domains {
	d := &domains{
		sys: sys, limit: limit, of: make([][]domain, len(sys.Predicates)),
		uses: make([][]*chc.Clause, len(sys.Predicates)), heads: make([][]sources, len(sys.Clauses)),
		steps: steps,
	}
	for i, p := range sys.Predicates {
		d.of[i] = make([]domain, p.Arity())
		for k, s := range p.Sorts {
			d.of[i][k].any = s == term.Bool // both values are possible
		}
	}
	for _, c := range sys.Clauses {
		for i, a := range c.Body {
			if resolve.Occurrences(c.Body[:i], a.Pred) == 0 {
				d.uses[a.Pred.ID] = append(d.uses[a.Pred.ID], c)
			}
		}
		if c.Head == nil {
			continue
		}
		for k, t := range c.Head.Args {
			f := sources{any: true}
			if t.Sort() != term.Bool {
				f = sourcesOf(sys.Pool, t, c.Constraint)
			}
			if d.steps[c.Head.Pred.ID][k] && t.IsVar() && len(f.constants) == 0 {
				if values := within(sys.Pool, t, c.Constraint, limit); len(values) > 0 {
					f = sources{constants: values}
				}
			}
			d.heads[c.ID] = append(d.heads[c.ID], f)
		}
	}
	return d
}

// run iterates to the fixpoint: every position changes at most limit+1 times.
func (d *domains) run() {
	queue := slices.Clone(d.sys.Clauses)
	queued := make([]bool, len(d.sys.Clauses))
	for i := range queued {
		queued[i] = true
	}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		queued[c.ID] = false
		if c.Head == nil || !d.apply(c) {
			continue
		}
		for _, u := range d.uses[c.Head.Pred.ID] {
			if !queued[u.ID] {
				queued[u.ID] = true
				queue = append(queue, u)
			}
		}
	}
}

// apply joins what the clause derives to its head's domains and reports whether they changed.
func (d *domains) apply(c *chc.Clause) bool {
	vars := map[*term.Term]domain{}
	for _, a := range c.Body {
		for k, t := range a.Args {
			to := d.of[a.Pred.ID][k]
			if !to.any && len(to.values) == 0 {
				return false // not reached yet
			}
			if old, ok := vars[t]; ok {
				to = old.meet(to)
			}
			vars[t] = to
		}
	}
	changed := false
	for k, from := range d.heads[c.ID] {
		if d.of[c.Head.Pred.ID][k].join(from.domain(vars, d.limit), d.limit) {
			changed = true
		}
	}
	return changed
}

// sources are what a term's value can be: one of the constants, the value of one of the variables, or anything.
type sources struct {
	constants, vars []*term.Term
	any             bool
}

func (s sources) size() int { return len(s.constants) + len(s.vars) }

// domain returns the values that the sources have when variables have those of vars.
func (s sources) domain(vars map[*term.Term]domain, limit int) domain {
	if s.any {
		return domain{any: true}
	}
	var d domain
	d.join(domain{values: s.constants}, limit)
	for _, v := range s.vars {
		dom, ok := vars[v]
		if !ok {
			return domain{any: true}
		}
		d.join(dom, limit)
	}
	return d
}

// union returns the sources of something that has its value from s or from t.
func (s sources) union(t sources) sources {
	if s.any || t.any {
		return sources{any: true}
	}
	return sources{constants: unite(s.constants, t.constants), vars: unite(s.vars, t.vars)}
}

func unite(a, b []*term.Term) []*term.Term {
	out := slices.Clone(a)
	for _, t := range b {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// sourcesOf finds where a term's value comes from when f holds.
func sourcesOf(pool *term.Pool, t, f *term.Term) sources {
	switch {
	case t.IsValue():
		return sources{constants: []*term.Term{t}}
	case t.IsVar():
		seen := map[*term.Term]sources{}
		if s := restricted(pool, t, f, seen); !s.any {
			return s
		}
		return sources{vars: []*term.Term{t}}
	case t.IsIte():
		return sourcesOf(pool, t.Arg(1), f).union(sourcesOf(pool, t.Arg(2), f))
	default:
		return sources{any: true}
	}
}

// restricted finds what f equates the variable v with: the least that one of its conjuncts does, all that any of its
// disjuncts do.
func restricted(pool *term.Pool, v, f *term.Term, seen map[*term.Term]sources) sources {
	if s, ok := seen[f]; ok {
		return s
	}
	s := sources{any: true}
	switch f.Op() {
	case term.And:
		for _, c := range f.Args() {
			if r := restricted(pool, v, c, seen); !r.any && (s.any || r.size() < s.size()) {
				s = r
			}
		}
	case term.Or:
		s = sources{}
		for _, c := range f.Args() {
			if s = s.union(restricted(pool, v, c, seen)); s.any {
				break
			}
		}
	case term.Eq:
		s = equated(pool, v, f)
	}
	seen[f] = s
	return s
}

// equated reads v = c and v = w.
func equated(pool *term.Pool, v, eq *term.Term) sources {
	a, b := eq.Arg(0), eq.Arg(1)
	if b == v {
		a, b = b, a
	}
	switch {
	case a == v && b.IsValue():
		return sources{constants: []*term.Term{b}}
	case a == v && b.IsVar():
		return sources{vars: []*term.Term{b}}
	}
	c, ok := pool.AsConstraint(eq)
	if !ok || len(c.Monomials) != 2 || !c.Const.IsZero() || !c.Monomials[0].Coef.Add(c.Monomials[1].Coef).IsZero() {
		return sources{any: true}
	}
	for i, m := range c.Monomials {
		if w := c.Monomials[1-i].Term; m.Term == v && w.IsVar() {
			return sources{vars: []*term.Term{w}}
		}
	}
	return sources{any: true}
}
