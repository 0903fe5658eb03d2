package cells

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/simplify"
)

// draft is a clause whose arrays are being replaced by cells.
type draft struct {
	abstraction *abstraction
	pool        *term.Pool
	clause      *chc.Clause
	number      int // the clause's
	// conjuncts are those of the constraint.
	conjuncts  []*term.Term
	equalities []arrayEquality
	// nested finds the equalities.
	nested map[*term.Term]int
	// same joins the array terms that share index terms.
	same transform.Partition[*term.Term]
	// indices are the index terms by class, in the order of their importance.
	indices map[*term.Term][]*term.Term
	// ghosts are those of the head's groups.
	ghosts [][]*term.Term
	// own are the clause's array variables.
	own map[*term.Term]bool
	// cells are the values of own arrays at indices, order in the order of creation.
	cells map[cell]*term.Term
	order []cell
	// escaped are own arrays that also stand where they can't be replaced by cells.
	escaped map[*term.Term]bool
	scalars map[*term.Term]*term.Term
}

// cell is an array variable of the clause at an index.
type cell struct {
	array, index *term.Term
}

// arrayEquality is an equality of arrays in the clause's constraint.
type arrayEquality struct {
	left, right *term.Term
	// positive and negative report the polarities with which it occurs.
	positive, negative bool
	// rows says that it is one of abstraction.rows.
	rows bool
	// literal stands for the equality where it stands in both.
	literal *term.Term
	// witness is an index at which the arrays differ where the equality is false.
	witness *term.Term
}

func newDraft(t *abstraction, number int, c *chc.Clause) *draft {
	d := &draft{
		abstraction: t, pool: t.old.Pool, clause: c, number: number, nested: map[*term.Term]int{},
		indices: map[*term.Term][]*term.Term{},
		own:     map[*term.Term]bool{}, cells: map[cell]*term.Term{}, escaped: map[*term.Term]bool{}, scalars: map[*term.Term]*term.Term{},
	}
	for _, x := range c.Vars() {
		d.own[x] = x.Sort().IsArray()
	}
	d.split()
	d.collectIndices()
	return d
}

// split takes the constraint apart.
func (d *draft) split() {
	p := d.pool
	for _, c := range simplify.Conjuncts(p, d.clause.Constraint) {
		switch {
		case c.HasQuantifier():
			// Arrays below quantifiers are read at more than finitely many indices: nothing is kept of such a conjunct.
			if !slices.ContainsFunc(term.Vars(c), func(x *term.Term) bool { return d.own[x] }) {
				d.conjuncts = append(d.conjuncts, c)
			}
		default:
			d.conjuncts = append(d.conjuncts, c)
			d.nestedEqualities(c, true)
		}
	}
	for _, a := range d.clause.Body {
		d.equalitiesWithin(a.Args...)
	}
	if d.clause.Head != nil {
		d.equalitiesWithin(d.clause.Head.Args...)
	}
	for i := range d.equalities {
		e := &d.equalities[i]
		if e.negative && !e.rows {
			e.witness = p.Fresh("w", e.left.Sort().Index)
		}
		if e.negative && e.positive {
			e.literal = p.Fresh("e", term.Bool)
		}
	}
}

// equate notes that the equality stands in a positive or negative position.
func (d *draft) equate(t *term.Term, positive, negative bool) {
	i, ok := d.nested[t]
	if !ok {
		i = len(d.equalities)
		d.nested[t] = i
		d.equalities = append(d.equalities, arrayEquality{left: t.Arg(0), right: t.Arg(1), rows: d.abstraction.rows[t]})
	}
	e := &d.equalities[i]
	e.positive, e.negative = e.positive || positive, e.negative || negative
}

// nestedEqualities notes the equalities of arrays in a formula that stands in a positive or negative position.
func (d *draft) nestedEqualities(f *term.Term, positive bool) {
	switch {
	case isArrayEquality(f):
		d.equate(f, positive, !positive)
		d.equalitiesWithin(f.Args()...)
	case f.IsNot():
		d.nestedEqualities(f.Arg(0), !positive)
	case f.IsAnd(), f.IsOr():
		for _, a := range f.Args() {
			d.nestedEqualities(a, positive)
		}
	case f.Op() == term.Ite:
		d.equalitiesWithin(f.Arg(0))
		d.nestedEqualities(f.Arg(1), positive)
		d.nestedEqualities(f.Arg(2), positive)
	default:
		d.equalitiesWithin(f)
	}
}

// equalitiesWithin notes the equalities of arrays in terms whose value depends on them either way.
func (d *draft) equalitiesWithin(ts ...*term.Term) {
	for _, t := range ts {
		term.Walk(t, func(t *term.Term) bool {
			if isArrayEquality(t) {
				d.equate(t, true, true)
			}
			return !t.IsQuantifier()
		})
	}
}

func isArrayEquality(t *term.Term) bool { return t.Op() == term.Eq && t.Arg(0).Sort().IsArray() }

// collectIndices finds the classes of array terms and their index terms: the head's ghosts, the indices at which arrays
// differ, the indices that are read, those that are written where arrays are compared or an atom of the body has the
// result, and the atoms' other arguments where arrays are compared or nothing is read.
func (d *draft) collectIndices() {
	var roots []*term.Term
	roots = append(roots, d.conjuncts...)
	row := map[*term.Term]bool{}
	for _, e := range d.equalities {
		if e.rows {
			row[e.left], row[e.right] = true, true
			continue
		}
		d.same.Join(e.left, e.right)
		roots = append(roots, e.left, e.right)
	}
	atoms := d.clause.Body
	if d.clause.Head != nil {
		atoms = append(slices.Clone(atoms), *d.clause.Head)
	}
	for _, a := range atoms {
		roots = append(roots, a.Args...)
		for _, g := range d.abstraction.predicates[a.Pred.ID].groups {
			for _, i := range g.arrays {
				d.same.Join(a.Args[g.arrays[0]], a.Args[i])
			}
		}
	}
	type access struct {
		array, index *term.Term
	}
	var read, written []access
	// A store in a body atom is a value of the atom's predicate.
	premise := map[*term.Term]bool{}
	for _, a := range d.clause.Body {
		for _, t := range a.Args {
			term.Walk(t, func(t *term.Term) bool {
				premise[t] = premise[t] || t.Op() == term.Store
				return true
			})
		}
	}
	seen := map[*term.Term]bool{}
	for _, r := range roots {
		term.Walk(r, func(t *term.Term) bool {
			if seen[t] || t.HasQuantifier() && t.IsQuantifier() {
				return false
			}
			seen[t] = true
			switch {
			case t.Op() == term.Select:
				read = append(read, access{t.Arg(0), t.Arg(1)})
			case t.Op() == term.Store:
				d.same.Join(t, t.Arg(0))
				written = append(written, access{t, t.Arg(1)})
			case t.Op() == term.Ite && t.Sort().IsArray():
				d.same.Join(t, t.Arg(1))
				d.same.Join(t, t.Arg(2))
			}
			return true
		})
	}
	add := func(array, index *term.Term) {
		c := d.same.Find(array)
		if !slices.Contains(d.indices[c], index) && len(d.indices[c]) < maxIndexTerms {
			d.indices[c] = append(d.indices[c], index)
		}
	}
	bySort := map[*term.Sort][]*term.Term{}
	if h := d.clause.Head; h != nil {
		for _, g := range d.abstraction.predicates[h.Pred.ID].groups {
			ks := make([]*term.Term, g.ghosts)
			for i := range ks {
				ks[i] = d.pool.Fresh("k", g.index)
				add(h.Args[g.arrays[0]], ks[i])
			}
			d.ghosts = append(d.ghosts, ks)
			bySort[g.index] = append(bySort[g.index], ks...)
		}
	}
	// The head's ghosts are index terms of the body's arrays, too, also of those that are not in the head; but a row that is at another
	// index than the head's is a row of its own.
	for _, a := range d.clause.Body {
		for _, g := range d.abstraction.predicates[a.Pred.ID].groups {
			for _, k := range bySort[g.index] {
				if array := a.Args[g.arrays[0]]; !row[array] {
					add(array, k)
				}
			}
		}
	}
	compared := map[*term.Term]bool{}
	for _, e := range d.equalities {
		if e.witness != nil {
			add(e.left, e.witness)
		}
		if !e.rows && !d.defines(e) {
			compared[d.same.Find(e.left)] = true
		}
	}
	for _, a := range read {
		add(a.array, d.scalar(a.index))
	}
	for _, a := range written {
		if compared[d.same.Find(a.array)] || premise[a.array] {
			add(a.array, d.scalar(a.index))
		}
	}
	hasIndex := map[*term.Term]bool{}
	for c, terms := range d.indices { // a set has no order
		hasIndex[c] = len(terms) > 0
	}
	// For arrays that are compared, or at which no index is read, but not for rows, the atoms' own arguments may be the right indices.
	for _, a := range d.clause.Body {
		for _, g := range d.abstraction.predicates[a.Pred.ID].groups {
			array := a.Args[g.arrays[0]]
			if c := d.same.Find(array); !compared[c] && (hasIndex[c] || row[array]) {
				continue
			}
			view := d.abstraction.frames.within(d.number, transform.Place{Predicate: a.Pred, Position: g.arrays[0]})
			for _, t := range d.mentioned(a, g) {
				if view.scale.IsOne() {
					t = view.seen(d.pool, t)
				}
				add(array, d.scalar(t))
			}
		}
	}
}

// mentioned returns the arguments of an atom that may be the right indices for a group: those that are indices elsewhere and what is
// compared with these, or the first ones where there are none.
func (d *draft) mentioned(a chc.App, g group) []*term.Term {
	var by [index + 1][]*term.Term
	for i, t := range a.Args {
		if t.Sort() == g.index {
			r := d.abstraction.scalars.of(a.Pred, i)
			by[r] = append(by[r], t)
		}
	}
	found := slices.Concat(by[index], by[bound])
	if len(found) == 0 {
		found = by[unrelated]
	}
	return found[:min(len(found), maxMentioned)]
}

// bodyInstances returns the instances of a body atom.
func (d *draft) bodyInstances(a chc.App) []chc.App {
	q := d.abstraction.predicates[a.Pred.ID]
	out := []chc.App{{Pred: q.new, Args: d.scalarArguments(q, a)}}
	most := maxIndexTerms
	for most > 1 && d.instances(most, a, q) > maxInstances {
		most--
	}
	for _, g := range q.groups {
		terms := d.atMost(most, a, g)
		if len(terms) == 0 {
			terms = []*term.Term{d.pool.Fresh("k", g.index)} // one instance at least
		}
		var next []chc.App
		for _, ks := range d.tuples(g, terms) {
			for _, b := range out {
				next = append(next, chc.App{Pred: b.Pred, Args: append(slices.Clone(b.Args), d.groupArguments(g, a, ks)...)})
			}
		}
		out = next
	}
	return out
}

// instances counts the instances of an atom when each group has at most so many index terms, up to more than there may be.
func (d *draft) instances(most int, a chc.App, q *predicate) int {
	n := 1
	for _, g := range q.groups {
		n *= max(1, len(d.tuples(g, d.atMost(most, a, g))))
		if n > maxInstances {
			break // many groups multiply beyond what an int can hold
		}
	}
	return n
}

// atMost returns the first index terms for a group of an atom.
func (d *draft) atMost(n int, a chc.App, g group) []*term.Term {
	terms := d.indices[d.same.Find(a.Args[g.arrays[0]])]
	if g.companion != nil {
		terms = d.apart(g, a, terms)
	}
	return terms[:min(n, len(terms))]
}

// headInstance returns the head at its ghosts.
func (d *draft) headInstance(a chc.App) chc.App {
	q := d.abstraction.predicates[a.Pred.ID]
	out := chc.App{Pred: q.new, Args: d.scalarArguments(q, a)}
	for i, g := range q.groups {
		out.Args = append(out.Args, d.groupArguments(g, a, d.ghosts[i])...)
	}
	return out
}

func (d *draft) scalarArguments(q *predicate, a chc.App) []*term.Term {
	args := make([]*term.Term, len(q.scalars))
	for j, i := range q.scalars {
		args[j] = d.scalar(a.Args[i])
	}
	return args
}

// tuples returns the lists of index terms at which a group is instantiated: one term each, or all pairs.
func (d *draft) tuples(g group, terms []*term.Term) [][]*term.Term {
	var out [][]*term.Term
	if g.ghosts == 1 {
		for _, t := range terms {
			out = append(out, []*term.Term{t})
		}
		return out
	}
	if len(terms) == 1 {
		return [][]*term.Term{{terms[0], terms[0]}}
	}
	for i, s := range terms {
		for _, t := range terms[i+1:] {
			out = append(out, []*term.Term{s, t})
		}
	}
	return out
}

// inOrder reports whether ks are a pair of the head's ghosts, which the constraint puts in order.
func (d *draft) inOrder(ks []*term.Term) bool {
	return slices.ContainsFunc(d.ghosts, func(own []*term.Term) bool { return slices.Equal(ks, own) })
}

// groupArguments returns what the group's arrays become at the indices ks: a pair is put in order.
func (d *draft) groupArguments(g group, a chc.App, ks []*term.Term) []*term.Term {
	p := d.pool
	in := func(x, _ *term.Term) *term.Term { return x }
	if len(ks) == 2 && !d.inOrder(ks) {
		order := p.Le(ks[0], ks[1])
		in = func(x, y *term.Term) *term.Term { return p.Ite(order, x, y) }
	}
	var args []*term.Term
	for i := range ks {
		args = append(args, in(ks[i], ks[len(ks)-1-i]))
	}
	for i := range ks {
		for _, j := range g.arrays {
			args = append(args, in(d.read(a.Args[j], ks[i]), d.read(a.Args[j], ks[len(ks)-1-i])))
		}
	}
	if g.companion == nil {
		return args
	}
	for i := range ks {
		for _, j := range g.arrays {
			args = append(args, in(d.read(a.Args[j], d.companion(g, a, ks[i])), d.read(a.Args[j], d.companion(g, a, ks[len(ks)-1-i]))))
		}
	}
	return args
}
