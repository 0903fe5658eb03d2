package mbp

import (
	"hornbeam/chc/term"
)

// selects reduces reads of stores by the model's choice: select(store(a, i, v), j) is v beside i = j, or select(a, j)
// beside i != j, whichever holds (4.4 b of the Spacer notes). Reads of constant arrays fold, and an array or index that
// is an if-then-else becomes its branch beside its condition. Only terms with an interesting variable are rewritten.
// Where an index has no value the read stays as it is.
type selects struct {
	p           *term.Pool
	ev          *term.Evaluator
	interesting func(v *term.Term) bool // nil for all terms
	branches    bool                    // resolve every if-then-else that is not Boolean, not only arrays that are read

	marks   term.Map[bool]
	memo    term.Map[*term.Term]
	conds   []*term.Term // formulas that are true in the model and under which the results equal what they replaced
	reduced int          // reads that met a store
}

// has reports whether a term has an interesting variable; those of quantified terms do not count, since they are left
// alone.
func (r *selects) has(t *term.Term) bool {
	switch {
	case r.interesting == nil:
		return !t.IsQuantifier()
	case t.IsVar():
		return r.interesting(t)
	case t.IsGround() || t.IsQuantifier():
		return false
	}
	if m, ok := r.marks.Get(t); ok {
		return m
	}
	m := false
	for _, a := range t.Args() {
		if r.has(a) {
			m = true
			break
		}
	}
	r.marks.Put(t, m)
	return m
}

// rewrite returns a term that equals t under the conditions, which it adds to r.conds.
func (r *selects) rewrite(t *term.Term) *term.Term {
	if len(t.Args()) == 0 || !r.has(t) {
		return t
	}
	if u, ok := r.memo.Get(t); ok {
		return u
	}
	u, ok := t, false
	if r.branches && t.IsIte() && !t.IsBool() {
		u, ok = r.branch(t)
	}
	if !ok {
		args := make([]*term.Term, len(t.Args()))
		changed := false
		for i, a := range t.Args() {
			args[i] = r.rewrite(a)
			changed = changed || args[i] != a
		}
		switch {
		case t.Op() == term.Select:
			u = r.read(args[0], args[1])
		case changed:
			u = r.p.Rebuild(t, args)
		}
	}
	r.memo.Put(t, u)
	return u
}

// branch returns the branch of an if-then-else that the model takes.
func (r *selects) branch(t *term.Term) (*term.Term, bool) {
	cond := t.Arg(0)
	v, ok := r.ev.Eval(cond)
	if !ok {
		return t, false
	}
	b := t.Arg(1)
	if !v.Bool() {
		cond, b = r.p.Not(cond), t.Arg(2)
	}
	r.assume(r.rewrite(cond))
	return r.rewrite(b), true
}

// read returns a[i] without the stores whose indices the model tells apart from i, or equals to it.
func (r *selects) read(a, i *term.Term) *term.Term {
	for {
		t := r.p.Select(a, i)
		if t.Op() != term.Select || t.Arg(1) != i {
			return t
		}
		switch a = t.Arg(0); a.Op() {
		case term.Store:
			at, ok := r.ev.Eval(i)
			j, ok2 := r.ev.Eval(a.Arg(1))
			if !ok || !ok2 {
				return t
			}
			r.reduced++
			same := r.p.Eq(a.Arg(1), i)
			if at.Equal(j) {
				r.assume(same)
				return a.Arg(2)
			}
			r.assume(r.p.Not(same))
			a = a.Arg(0)
		case term.Ite:
			b, ok := r.branch(a)
			if !ok {
				return t
			}
			a = b
		default:
			return t
		}
	}
}

func (r *selects) assume(f *term.Term) {
	if !f.IsTrue() {
		r.conds = append(r.conds, f)
	}
}

// ReduceSelects returns literals without reads of stores that imply lits and are true under the assignment, which must
// make lits true: select(store(a, i, v), j) becomes v beside i = j, or select(a, j) beside i != j, as the assignment
// has it, and reads of constant arrays fold (4.4 b of the Spacer notes, reduce_all_selects). A read whose index the
// assignment leaves open stays. The literals keep their order, each followed by the conditions of its reads; there are
// no duplicates. Literals without such reads are returned as they are.
func ReduceSelects(p *term.Pool, lits []*term.Term, a term.Assignment) []*term.Term {
	r := selects{p: p, ev: term.NewEvaluator(p, a)}
	out := make([]*term.Term, 0, len(lits))
	seen := make(map[*term.Term]bool, len(lits))
	add := func(f *term.Term, whole bool) {
		for _, l := range literalsOf(p, f, a, whole) {
			if !l.IsTrue() && !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	next := 0
	for _, l := range lits {
		reduced := r.rewrite(l)
		add(reduced, reduced == l)
		for ; next < len(r.conds); next++ {
			add(r.conds[next], false)
		}
	}
	return out
}

// literalsOf returns literals that imply a formula which the assignment makes true: the formula itself when it is one
// or when it is wanted whole, or when the assignment does not determine it.
func literalsOf(p *term.Pool, f *term.Term, a term.Assignment, whole bool) []*term.Term {
	if whole || f.IsLiteral() {
		return []*term.Term{f}
	}
	lits, err := ImplicantOf(p, []*term.Term{f}, a, ImplicantOptions{KeepDisequalities: true})
	if err != nil {
		return term.Conjuncts(f)
	}
	return lits
}
