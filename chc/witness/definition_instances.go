package witness

import (
	"slices"

	"hornbeam/chc/term"
)

// Facts are a model's Definitions and proved Lemmas. Queries, in which the functions are uninterpreted, get the
// instances that they need.
type Facts struct {
	pool        *term.Pool
	definitions map[*term.Func]*Definition
	lemmas      []Lemma
}

// NewFacts returns the facts of definitions and lemmas. The caller guarantees that they hold.
func NewFacts(p *term.Pool, ds []Definition, ls []Lemma) *Facts {
	f := &Facts{pool: p, definitions: make(map[*term.Func]*Definition, len(ds)), lemmas: ls}
	for i := range ds {
		f.definitions[ds[i].Func] = &ds[i]
	}
	return f
}

// Instances returns formulas that hold for all values of the terms' variables: the definitions at the functions'
// applications in ts and in what they unfold to, as deep as constructors go and level deep at other terms, and the
// lemmas at the terms to which the functions are applied.
func (f *Facts) Instances(level int, ts ...*term.Term) []*term.Term {
	u := &unfolding{facts: f, level: level, seen: map[*term.Term]bool{}, depth: map[*term.Term]int{}}
	u.terms = termsOf(ts)
	u.findEquated()
	for _, t := range ts {
		u.visit(t, 0)
	}
	u.run()
	for round := range level {
		before := len(u.applications)
		for k := range f.lemmas {
			u.instantiate(&f.lemmas[k], round)
		}
		u.run()
		if len(u.applications) == before {
			break
		}
	}
	return u.out
}

// unfolding collects the instances for one query.
type unfolding struct {
	facts *Facts
	level int
	// seen are the terms that were searched for applications.
	seen map[*term.Term]bool
	// applications are those that were found, depth how far from the query's own terms; those from next on are not
	// unfolded yet.
	applications []*term.Term
	depth        map[*term.Term]int
	next         int
	unfoldings   int
	// terms are the query's subterms.
	terms []*term.Term
	// equated are the constructors' terms that the query equates a term with.
	equated map[*term.Term][]*term.Term
	stale   map[*term.Term]bool // lemma instances that there are
	out     []*term.Term
}

// visit finds the applications in t.
func (u *unfolding) visit(t *term.Term, depth int) {
	term.Walk(t, func(s *term.Term) bool {
		if u.seen[s] {
			return false
		}
		u.seen[s] = true
		if fn := s.Func(); fn != nil && u.facts.definitions[fn] != nil {
			u.depth[s] = depth
			u.applications = append(u.applications, s)
		}
		return true
	})
}

// findEquated finds the equations between a term and a constructor's: the functions of the one are those of the other,
// which unfold further.
func (u *unfolding) findEquated() {
	u.equated = map[*term.Term][]*term.Term{}
	for _, t := range u.terms {
		if t.Op() != term.Eq {
			continue
		}
		for k, c := range t.Args() {
			if x := t.Arg(1 - k); c.Op() == term.Construct && x.Op() != term.Construct {
				u.equated[x] = append(u.equated[x], c)
			}
		}
	}
}

// run unfolds the applications that are shallow enough.
func (u *unfolding) run() {
	for ; u.next < len(u.applications); u.next++ {
		a := u.applications[u.next]
		depth := u.depth[a]
		if beyondUnfolding(a.Arg(0)) {
			continue
		}
		if a.Arg(0).Op() != term.Construct {
			for _, c := range u.equated[a.Arg(0)] {
				args := slices.Clone(a.Args())
				args[0] = c
				u.visit(u.facts.pool.Apply(a.Func(), args...), depth)
			}
			if depth >= u.level {
				continue
			}
			depth++
		}
		if u.unfoldings++; u.unfoldings > maxUnfoldings {
			continue
		}
		body := u.facts.unfold(a)
		u.out = append(u.out, u.facts.pool.Eq(a, body))
		u.visit(body, depth)
	}
}

// beyondUnfolding reports whether a term is a number from which a recursion would not come to its end.
func beyondUnfolding(t *term.Term) bool {
	return t.Sort() == term.Int && t.IsNumeral() && t.Num().Abs().Cmp(term.NewInt(maxIntegerUnfolding)) > 0
}

// unfold is the body of the application's definition at its arguments.
func (f *Facts) unfold(a *term.Term) *term.Term {
	d := f.definitions[a.Func()]
	sub := make(map[*term.Term]*term.Term, len(d.Params))
	for k, x := range d.Params {
		sub[x] = a.Arg(k)
	}
	return f.pool.Substitute(d.Body, sub)
}

// termsOf returns the subterms of ts, each once.
func termsOf(ts []*term.Term) []*term.Term {
	var out []*term.Term
	seen := map[*term.Term]bool{}
	for _, t := range ts {
		term.Walk(t, func(s *term.Term) bool {
			if seen[s] {
				return false
			}
			seen[s] = true
			out = append(out, s)
			return true
		})
	}
	return out
}

// limitTuples shortens the longest lists until they have no more than limit tuples.
func limitTuples(lists [][]*term.Term, limit int) {
	for {
		n, longest := 1, 0
		for k, l := range lists {
			n = min(n*len(l), limit*limit)
			if len(l) > len(lists[longest]) {
				longest = k
			}
		}
		if n <= limit {
			return
		}
		lists[longest] = lists[longest][:len(lists[longest])-1]
	}
}

// tuples yields the tuples with one element of each list, the last position changing fastest. The slice is reused.
func tuples(lists [][]*term.Term) func(yield func([]*term.Term) bool) {
	return func(yield func([]*term.Term) bool) {
		tuple := make([]*term.Term, len(lists))
		var from func(k int) bool
		from = func(k int) bool {
			if k == len(lists) {
				return yield(tuple)
			}
			for _, t := range lists[k] {
				tuple[k] = t
				if !from(k + 1) {
					return false
				}
			}
			return true
		}
		from(0)
	}
}

// skolemised prepares a clause's query.
func (f *Facts) skolemised(premises, goals []*term.Term) (p, g []*term.Term) {
	p, g = make([]*term.Term, len(premises)), make([]*term.Term, len(goals))
	for i, t := range premises {
		p[i] = f.skolemise(t, true)
	}
	for i, t := range goals {
		g[i] = f.skolemise(t, false)
	}
	return p, g
}

// compute is Compute with the definitions of f.
func (f *Facts) compute(a term.Assignment) term.Assignment {
	return f.computeWithin(a, defaultBounds)
}

func (f *Facts) computeWithin(a term.Assignment, b Bounds) term.Assignment {
	return &computed{pool: f.pool, inner: a, of: f.definitions, known: map[*term.Term]result{}, bounds: b}
}

// skolemise replaces the existential variables of a formula that is asserted by fresh ones, and the universal ones of
// its negated parts, as far as there are only conjunctions and disjunctions around them: instances are for terms.
func (f *Facts) skolemise(t *term.Term, positive bool) *term.Term {
	p := f.pool
	if !t.HasQuantifier() {
		return t
	}
	switch t.Op() {
	case term.Not:
		return p.Not(f.skolemise(t.Arg(0), !positive))
	case term.And, term.Or:
		args := make([]*term.Term, len(t.Args()))
		for i, a := range t.Args() {
			args[i] = f.skolemise(a, positive)
		}
		if t.IsAnd() {
			return p.And(args...)
		}
		return p.Or(args...)
	case term.Exists, term.Forall:
		if positive != (t.Op() == term.Exists) {
			return t
		}
		sub := make(map[*term.Term]*term.Term, len(t.Bound()))
		for _, x := range t.Bound() {
			sub[x] = p.Fresh("sk", x.Sort())
		}
		return f.skolemise(p.Substitute(t.Arg(0), sub), positive)
	}
	return t
}
