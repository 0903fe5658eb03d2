package sums

import (
	"slices"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
	"hornbeam/chc/transform/ghost"
)

// node is an array term of a clause, or an argument of a predicate, which are joined where they are the same array at different times.
type node struct {
	clause, pred, position int
	array                  *term.Term
}

// class is what the clauses do with an array.
type class struct {
	// accumulates means that elements have something added, counted that a clause that stores in it changes a number by a constant.
	accumulates, counted bool
	// stored are the numerals that are stored, and arbitrary means that there are other stores; initial are the constant arrays' elements,
	// and asked are the numerals that elements are compared with.
	stored, initial, asked []*term.Term
	arbitrary              bool
}

// weights are those that the elements of the arrays are summed with; what is added after their ends is not known yet.
func (k *class) weights() []weight {
	var out []weight
	if k.accumulates {
		out = append(out, weight{})
	}
	if !k.counted {
		return out
	}
	var counts []weight
	if k.arbitrary {
		for _, v := range k.initial {
			if slices.Contains(k.asked, v) {
				counts = append(counts, weight{value: v, other: true})
			}
		}
	} else {
		for _, v := range k.stored {
			if !slices.Contains(k.initial, v) {
				counts = append(counts, weight{value: v})
			}
		}
	}
	if len(counts) > maxCounts {
		return out
	}
	return append(out, counts...)
}

// measures returns the sums of the arguments of each predicate, by ID: of arrays in which some clause accumulates or counts, and of those
// that such arrays come from or go to.
func measures(sys *chc.System) [][]measure {
	var same transform.Partition[node]
	type event struct {
		at  node
		set func(*class)
	}
	var events []event
	for n, c := range sys.Clauses {
		of := func(t *term.Term) node { return node{clause: n, array: t} }
		note := func(t *term.Term, set func(*class)) { events = append(events, event{of(t), set}) }
		// Arrays of which each begins as a constant have nothing to do with each other.
		begin := func(at node, t *term.Term) {
			events = append(events, event{at, func(k *class) { add(&k.initial, t.Arg(0)) }})
		}
		ghost.JoinArrays(c, summed, func(t, u *term.Term) {
			switch {
			case u.Op() == term.ConstArray:
				begin(of(t), u)
			case t.Op() == term.ConstArray:
				begin(of(u), t)
			default:
				same.Join(of(t), of(u))
			}
		})
		for _, a := range c.Atoms() {
			for i, t := range a.Args {
				switch at := (node{pred: a.Pred.ID, position: i}); {
				case !summed(t.Sort()):
				case t.Op() == term.ConstArray:
					begin(at, t)
				default:
					same.Join(at, of(t))
				}
			}
		}
		a := newAccumulation(c)
		for _, s := range a.stores {
			if !summed(s.Sort()) {
				continue
			}
			accumulates, counted := a.store(s), s.Sort().Elem == term.Int && a.counts(c, s.Arg(1))
			note(s, func(k *class) {
				k.accumulates, k.counted = k.accumulates || accumulates, k.counted || counted
				if s.Arg(2).IsNumeral() {
					add(&k.stored, s.Arg(2))
				} else {
					k.arbitrary = true
				}
			})
		}
		ghost.Each(c, func(t *term.Term) {
			if t.Op() != term.Eq {
				return
			}
			for i, u := range t.Args() {
				if u.Op() == term.Select && summed(u.Arg(0).Sort()) && t.Arg(1-i).IsNumeral() {
					note(u.Arg(0), func(k *class) { add(&k.asked, t.Arg(1-i)) })
				}
			}
		})
	}
	classes := map[node]*class{}
	for _, e := range events {
		r := same.Find(e.at)
		if classes[r] == nil {
			classes[r] = &class{}
		}
		e.set(classes[r])
	}
	weights := map[node][]weight{}
	for r, k := range classes {
		if weights[r] = k.weights(); len(weights[r]) == 0 {
			continue
		}
		last := lastIndex(sys, func(clause int, array *term.Term) bool { return same.Find(node{clause: clause, array: array}) == r })
		for i := range weights[r] {
			weights[r][i].end = sys.Pool.Numeral(last.Add(term.NewInt(1)), term.Int)
		}
	}
	out := make([][]measure, len(sys.Predicates))
	for i, p := range sys.Predicates {
		for k, s := range p.Sorts {
			if summed(s) {
				for _, w := range weights[same.Find(node{pred: i, position: k})] {
					out[i] = append(out[i], measure{k, w})
				}
			}
		}
	}
	return out
}

// add adds a term to a set.
func add(set *[]*term.Term, t *term.Term) {
	if !slices.Contains(*set, t) {
		*set = append(*set, t)
	}
}

// counts reports whether a number of the clause's head is one of its body with a constant added, other than one that the index has.
func (a *accumulation) counts(c *chc.Clause, index *term.Term) bool {
	if c.Head == nil || handedOn(c, index) {
		return false
	}
	moved := func(t, x *term.Term) bool {
		d := t.Pool().Linear(t.Pool().Sub(t, x))
		return d.IsConst() && d.Const.Sign() != 0
	}
	for _, b := range c.Body {
		for _, x := range b.Args {
			if x.Sort() != term.Int || !x.IsVar() || term.Contains(index, x) {
				continue
			}
			for _, t := range c.Head.Args {
				if t.Sort() == term.Int && (moved(t, x) || slices.ContainsFunc(a.equal[t], func(u *term.Term) bool { return moved(u, x) })) {
					return true
				}
			}
		}
	}
	return false
}
