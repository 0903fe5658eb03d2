package accelerate

import (
	"maps"
	"slices"

	"hornbeam/chc/term"
)

// cell is an element of an array that a round changes, at an index that stays the same.
type cell struct {
	// array is the position of the array among the arguments.
	array int
	index *term.Term
	// now and next are variables for the element before and after a round.
	now, next *term.Term
}

// scalarise returns the loop, for the rounds along a path, with the elements that these change as numbers of their own, and the path and
// its model over them; nil where the path changes arrays in other ways. Indices that are the same in the model are taken to be the same,
// which literals of the new path say, and others to be different.
func (l *loop) scalarise(path []*term.Term, m term.Assignment) (*loop, []*term.Term, term.Assignment) {
	p := l.pool
	ev := term.NewEvaluator(p, term.Complete(p, m))
	r := &reader{pool: p, ev: ev, memo: map[*term.Term]*term.Term{}}
	path = slices.DeleteFunc(slices.Clone(path), func(lit *term.Term) bool { return l.moves[lit] })
	solved := l.settle(path)
	if solved == nil {
		return nil, nil, nil
	}
	out := *l
	out.now, out.next, out.fixed = slices.Clone(l.now), slices.Clone(l.next), maps.Clone(l.fixed)
	out.back = map[*term.Term]*term.Term{}
	out.first = map[*term.Term]*term.Term{}
	values, first, last := term.MapAssignment{}, out.first, map[*term.Term]*term.Term{}
	for j, x := range l.now {
		if !x.Sort().IsArray() || l.next[j] == x {
			continue
		}
		out.next[j] = x
		after := solved.value(l.next[j])
		var indices []*term.Term
		a := after
		for ; a.Op() == term.Store; a = a.Arg(0) {
			indices = append(indices, a.Arg(1))
		}
		if a != x {
			return nil, nil, nil
		}
		rest := p.Fresh("a", x.Sort())
		first[x], out.back[rest], out.fixed[rest] = rest, x, true
		v, ok := ev.Eval(x)
		if !ok {
			return nil, nil, nil
		}
		values[rest] = v
		for _, i := range slices.Backward(indices) {
			if slices.ContainsFunc(out.cells, func(c cell) bool { return c.array == j && r.same(c.index, i) }) {
				continue
			}
			c := cell{array: j, index: i, now: p.Fresh("x", x.Sort().Elem), next: p.Fresh("y", x.Sort().Elem)}
			before, ok := ev.Eval(p.Select(x, i))
			then, known := ev.Eval(p.Select(after, i))
			if !ok || !known {
				return nil, nil, nil
			}
			values[c.now], values[c.next] = before, then
			out.cells = append(out.cells, c)
			// What an element equals may be its own index, which must not be in terms of the element then.
			for _, v := range term.Vars(i) {
				out.fixed[v] = true
			}
			out.now, out.next, out.fixed[c.now] = append(out.now, c.now), append(out.next, c.next), true
			out.back[c.now] = p.Select(x, i)
			first[x], last[c.next] = p.Store(first[x], i, c.now), p.Select(after, i)
		}
	}
	for _, c := range out.cells {
		for x := range first {
			if term.Contains(c.index, x) {
				return nil, nil, nil
			}
		}
	}
	if len(out.cells) == 0 {
		return nil, nil, nil
	}
	model := term.Overlay{Values: values, Rest: m}
	r.ev = term.NewEvaluator(p, term.Complete(p, model))
	var lits []*term.Term
	for _, c := range out.cells {
		lits = append(lits, p.Eq(c.next, r.term(p.Substitute(last[c.next], first))))
	}
	for _, lit := range path {
		lits = append(lits, r.term(p.Substitute(lit, first)))
	}
	if r.failed {
		return nil, nil, nil
	}
	return &out, append(lits, r.known...), model
}

// reader replaces reads of arrays with stores by what is read where indices are as in a model.
type reader struct {
	pool *term.Pool
	ev   *term.Evaluator
	memo map[*term.Term]*term.Term
	// known are the literals that say which indices are the same and which are not.
	known  []*term.Term
	failed bool
}

// same reports whether two indices are the same in the model, and notes that.
func (r *reader) same(i, j *term.Term) bool {
	p := r.pool
	if i == j {
		return true
	}
	v, ok := r.ev.Eval(i)
	w, known := r.ev.Eval(j)
	if !ok || !known {
		r.failed = true
		return false
	}
	lit := p.Eq(i, j)
	if equal := v.Equal(w); !equal {
		lit = p.Ne(i, j)
		if i.Sort().IsArith() && v.Compare(w) < 0 {
			lit = p.Lt(i, j)
		} else if i.Sort().IsArith() {
			lit = p.Lt(j, i)
		}
	}
	if !lit.IsTrue() && !slices.Contains(r.known, lit) {
		r.known = append(r.known, lit)
	}
	return v.Equal(w)
}

// term is t with its reads replaced.
func (r *reader) term(t *term.Term) *term.Term {
	if out, ok := r.memo[t]; ok {
		return out
	}
	out := t
	if len(t.Args()) > 0 && !t.IsQuantifier() {
		out = r.pool.MapArgs(t, r.term)
	}
	if out.Op() == term.Select {
		a, i := out.Arg(0), out.Arg(1)
		for a.Op() == term.Store && !r.same(a.Arg(1), i) {
			a = a.Arg(0)
		}
		if a.Op() == term.Store {
			out = a.Arg(2)
		} else {
			out = r.pool.Select(a, i)
		}
	}
	r.memo[t] = out
	return out
}
