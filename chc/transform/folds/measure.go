package folds

import (
	"cmp"
	"fmt"
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/ghost"
)

// measure is a new argument of a predicate: the sum of the addends of an array's elements before an end, or with element the element
// itself at an index.
type measure struct {
	// array is the position of the array, end that of the integer, or -1 where it is a numeral.
	array, end int
	// numeral is the end where it is one, and what is added to the argument where it is not.
	numeral term.Num
	addend  addend
	element bool
}

// suffix is that of the argument's name.
func (m measure) suffix() string {
	at := m.numeral.String()
	if m.end >= 0 {
		at = fmt.Sprint(m.end, "+", at)
	}
	if m.element {
		return ".at." + at
	}
	return ".sum." + at
}

// at is the end, or the index, among the arguments.
func (m measure) at(p *term.Pool, args []*term.Term) *term.Term {
	if m.end >= 0 {
		return p.Add(args[m.end], p.IntNum(m.numeral))
	}
	return p.IntNum(m.numeral)
}

// node is an array term of a clause, or an argument of a predicate, which are joined where they are the same array at different times.
type node struct {
	clause, pred, position int
	array                  *term.Term
}

// classes are the arrays that are joined, and what is added up of each.
type classes struct {
	sys     *chc.System
	same    transform.Partition[node]
	addends map[node][]addend
	// counters and ends are positions of predicates' integers that index an array of the class, and that such are compared with;
	// last has the numerals that they are compared with.
	counters, ends map[node][]node
	last           map[node][]term.Num
	// handed joins the integers of predicates that clauses hand on, and falling are the counters that loops count down.
	handed  transform.Partition[node]
	falling map[node]bool
}

// measures returns the new arguments of each predicate, by ID.
func measures(sys *chc.System) [][]measure {
	k := &classes{sys: sys, addends: map[node][]addend{}, counters: map[node][]node{}, ends: map[node][]node{}, last: map[node][]term.Num{},
		falling: map[node]bool{}}
	k.join()
	loops := map[[2]int]int{}
	for _, c := range sys.Clauses {
		if c.Head != nil && len(c.Body) == 1 {
			loops[[2]int{c.Body[0].Pred.ID, c.Head.Pred.ID}]++
		}
	}
	for n, c := range sys.Clauses {
		others := c.Head != nil && len(c.Body) == 1 && loops[[2]int{c.Body[0].Pred.ID, c.Head.Pred.ID}] > 1
		for _, a := range additions(c, others) {
			r := k.same.Find(node{clause: n, array: a.array})
			if !slices.ContainsFunc(k.addends[r], a.addend.equal) && len(k.addends[r]) < maxAddends {
				k.addends[r] = append(k.addends[r], a.addend)
			}
		}
	}
	out := make([][]measure, len(sys.Predicates))
	if len(k.addends) == 0 {
		return out
	}
	for n, c := range sys.Clauses {
		k.indices(n, c)
	}
	for i, p := range sys.Predicates {
		for position, s := range p.Sorts {
			if folded(s) {
				out[i] = append(out[i], k.of(i, position)...)
			}
		}
		if len(out[i]) > maxMeasures {
			out[i] = out[i][:maxMeasures]
		}
	}
	return out
}

// join joins the arrays of the clauses.
func (k *classes) join() {
	for n, c := range k.sys.Clauses {
		of := func(t *term.Term) node { return node{clause: n, array: t} }
		ghost.JoinArrays(c, folded, func(t, u *term.Term) { k.same.Join(of(t), of(u)) })
		for _, a := range c.Atoms() {
			for i, t := range a.Args {
				if folded(t.Sort()) {
					k.same.Join(node{clause: -1, pred: a.Pred.ID, position: i}, of(t))
				}
			}
		}
	}
}

// indices finds the integers of the clause's body that are indices of arrays with sums, and what these are compared with.
func (k *classes) indices(n int, c *chc.Clause) {
	p := k.sys.Pool
	position := map[*term.Term][]node{}
	for _, b := range c.Body {
		for i, x := range b.Args {
			if x.IsVar() && x.Sort() == term.Int {
				position[x] = append(position[x], node{clause: -1, pred: b.Pred.ID, position: i})
			}
		}
	}
	if c.Head != nil {
		for i, t := range c.Head.Args {
			for _, x := range position[t] {
				k.handed.Join(node{clause: -1, pred: c.Head.Pred.ID, position: i}, x)
			}
		}
	}
	roots := map[*term.Term][]node{}
	moved := movedIndices(c)
	ghost.Each(c, func(t *term.Term) {
		if (t.Op() != term.Select && t.Op() != term.Store) || !folded(t.Arg(0).Sort()) {
			return
		}
		r := k.same.Find(node{clause: n, array: t.Arg(0)})
		if len(k.addends[r]) == 0 {
			return
		}
		for _, m := range p.Linear(t.Arg(1)).Monomials {
			if at := position[m.Term]; len(at) > 0 && !slices.Contains(roots[m.Term], r) {
				roots[m.Term] = append(roots[m.Term], r)
				for _, x := range at {
					note(k.ends, r, x)
					if by, ok := moved[m.Term]; ok {
						note(k.counters, r, x)
						k.falling[x] = k.falling[x] || by.Sign() < 0
					}
				}
			}
		}
	})
	ghost.Each(c, func(t *term.Term) {
		if t.Op() == term.Eq && t.Arg(0).Sort() != term.Int {
			return
		}
		con, ok := p.AsConstraint(t)
		if !ok || len(con.Monomials) > 2 {
			return
		}
		for i, m := range con.Monomials {
			for _, r := range roots[m.Term] {
				if len(con.Monomials) == 2 {
					for _, x := range position[con.Monomials[1-i].Term] {
						note(k.ends, r, x)
					}
				} else if con.Rel != term.EQ && m.Coef.Abs().IsOne() {
					bound := con.Const.Neg().Mul(m.Coef)
					k.last[r] = append(k.last[r], bound.Add(term.NewInt(1)), bound)
				}
			}
		}
	})
}

func note(to map[node][]node, r, x node) {
	if !slices.Contains(to[r], x) {
		to[r] = append(to[r], x)
	}
}

// of returns the measures of an array of a predicate.
func (k *classes) of(pred, position int) []measure {
	r := k.same.Find(node{clause: -1, pred: pred, position: position})
	if len(k.addends[r]) == 0 {
		return nil
	}
	var ends, counters []int
	for _, x := range k.counters[r] {
		if x.pred == pred && !slices.Contains(counters, x.position) {
			counters = append(counters, x.position)
		}
	}
	ends = slices.Clone(counters)
	for _, x := range k.ends[r] {
		// An end that is handed on is one of the other predicates, too.
		for i, s := range k.sys.Predicates[pred].Sorts {
			at := node{clause: -1, pred: pred, position: i}
			if s == term.Int && !slices.Contains(ends, i) && k.handed.Find(at) == k.handed.Find(x) {
				ends = append(ends, i)
			}
		}
	}
	var out []measure
	for _, a := range k.addends[r] {
		for _, e := range ends {
			m := measure{array: position, end: e, addend: a}
			if k.falling[node{clause: -1, pred: pred, position: e}] {
				m.numeral = term.NewInt(1)
			}
			out = append(out, m)
		}
		if last := k.last[r]; len(last) > 0 {
			if most := slices.MaxFunc(last, term.Num.Cmp); cmp.Compare(most.Sign(), 0) > 0 {
				out = append(out, measure{array: position, end: -1, numeral: most, addend: a})
			}
		}
	}
	for _, i := range counters {
		out = append(out, measure{array: position, end: i, element: true})
	}
	return out
}
