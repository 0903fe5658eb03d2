package intblast

import (
	"hornbeam/chc"
	"hornbeam/chc/term"
)

// minSigned is the width from which a vector is read as signed when no operation prefers either reading: the widths of C's
// int and long; bytes and flags are read as unsigned.
const minSigned = 16

// readings decides, for every predicate argument and clause variable that is a bit-vector, whether it is read as a signed
// or as an unsigned number. Arguments and variables that clauses hand over to each other are read alike, by a vote of the
// operations that they occur in.
type readings struct {
	index map[place]int
	// parent is a union-find forest, votes are its roots' balance: positive for signed.
	parent []int
	votes  []int
	widths []int
}

// place is an argument of a predicate or a variable of a clause.
type place struct {
	pred     *chc.Predicate
	argument int
	clause   *chc.Clause
	variable *term.Term
}

// countVotes collects the votes of the whole system.
func countVotes(sys *chc.System) *readings {
	r := &readings{index: map[place]int{}}
	for _, c := range sys.Clauses {
		v := &voter{readings: r, clause: c, seen: map[*term.Term]bool{}}
		for _, a := range c.Atoms() {
			for i, t := range a.Args {
				if t.Sort().IsBitVec() {
					v.join(v.at(place{pred: a.Pred, argument: i}, t), v.leaf(t))
				}
				v.walk(t)
			}
		}
		v.walk(c.Constraint)
	}
	return r
}

// signed reports the reading of a predicate's argument or a clause's variable of the given width.
func (r *readings) signed(at place, width int) bool {
	if i, ok := r.index[at]; ok {
		if n := r.votes[r.find(i)]; n != 0 {
			return n > 0
		}
	}
	return width >= minSigned
}

func (r *readings) find(i int) int {
	for r.parent[i] != i {
		r.parent[i] = r.parent[r.parent[i]]
		i = r.parent[i]
	}
	return i
}

func (r *readings) at(p place, t *term.Term) int {
	i, ok := r.index[p]
	if !ok {
		i = len(r.parent)
		r.index[p] = i
		r.parent = append(r.parent, i)
		r.votes = append(r.votes, 0)
		r.widths = append(r.widths, t.Sort().Width)
	}
	return i
}

// join makes two places be read alike; a negative one is none.
func (r *readings) join(i, j int) {
	if i < 0 || j < 0 {
		return
	}
	if i, j = r.find(i), r.find(j); i != j && r.widths[i] == r.widths[j] {
		r.parent[j] = i
		r.votes[i] += r.votes[j]
	}
}

// voter collects the votes of one clause.
type voter struct {
	*readings
	clause *chc.Clause
	seen   map[*term.Term]bool
}

// leaf returns the variable that a term's value is that of, up to an offset that may wrap around; -1 when there is none.
func (v *voter) leaf(t *term.Term) int {
	switch t.Op() {
	case term.Var:
		return v.at(place{clause: v.clause, variable: t}, t)
	case term.BVAdd, term.BVSub:
		if t.Arg(1).Op() == term.BVNumeral {
			return v.leaf(t.Arg(0))
		}
		if t.Arg(0).Op() == term.BVNumeral {
			return v.leaf(t.Arg(1))
		}
	}
	return -1
}

// vote adds n to the votes of all variables whose numbers a term adds up.
func (v *voter) vote(t *term.Term, n int) {
	switch t.Op() {
	case term.Var:
		i := v.find(v.at(place{clause: v.clause, variable: t}, t))
		v.votes[i] += n
	case term.BVAdd, term.BVSub, term.BVMul, term.BVNeg:
		for _, a := range t.Args() {
			v.vote(a, n)
		}
	case term.Ite:
		v.vote(t.Arg(1), n)
		v.vote(t.Arg(2), n)
	}
}

func (v *voter) walk(t *term.Term) {
	term.Walk(t, func(u *term.Term) bool {
		if v.seen[u] {
			return false
		}
		v.seen[u] = true
		v.visit(u)
		return true
	})
}

func (v *voter) visit(t *term.Term) {
	switch t.Op() {
	case term.Eq:
		if t.Arg(0).Sort().IsBitVec() {
			v.join(v.leaf(t.Arg(0)), v.leaf(t.Arg(1)))
		}
	case term.Ite:
		if t.Sort().IsBitVec() {
			v.join(v.leaf(t.Arg(1)), v.leaf(t.Arg(2)))
		}
	case term.BVSle, term.BVSdiv, term.BVSrem, term.BVSmod, term.BVAshr, term.BVSignExtend:
		for _, a := range t.Args() {
			v.vote(a, 1)
		}
	case term.BVUle, term.BVUdiv, term.BVUrem, term.BVLshr, term.BVZeroExtend, term.BVToNat:
		for _, a := range t.Args() {
			v.vote(a, -1)
		}
	case term.BVExtract:
		if top := t.Arg(0).Sort().Width - 1; t.Indices()[1] == top {
			v.vote(t.Arg(0), 1)
		}
	case term.BVConcat:
		v.vote(t.Arg(1), -1)
	}
}
