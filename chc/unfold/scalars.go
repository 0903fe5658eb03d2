package unfold

import "hornbeam/chc/term"

// Scalars is a formula without arrays, where these are only read: a variable stands for each read of an array, and reads at equal indices
// are equal, which is Ackermann's reduction.
type Scalars struct {
	Formula *term.Term

	pool  *term.Pool
	reads []read
}

// read is what stands for a read of an array, which is a variable; the index is without arrays too.
type read struct{ array, index, value *term.Term }

// Scalars returns a formula that has a model exactly if the unfolding's formula has one. It is that formula where arrays are more than
// read, where an index is no bit-vector, and where there are very many reads.
func (u *Unfolding) Scalars(p *term.Pool) *Scalars { return scalars(p, u.Formula) }

// Relaxed returns a formula that has a model if the unfolding's formula has one, and perhaps if it has none: what is read at an index that
// is none of those constants which it may be is arbitrary. Such an index is what a pointer has that no run uses, most often: then the
// formula is by far the smaller one. It is nil where there are no such reads.
func (u *Unfolding) Relaxed(p *term.Pool) *term.Term {
	r := newReader(p, maxReadThrough)
	r.values, r.arbitrary = newValueSets(p), true
	if f := r.rewrite(u.written); r.left > 0 && len(r.others) > 0 {
		return scalars(p, f).Formula
	}
	return nil
}

func scalars(p *term.Pool, formula *term.Term) *Scalars {
	s := &Scalars{pool: p}
	done := map[*term.Term]*term.Term{}
	of := map[*term.Term][]read{}
	ok, pairs := true, 0
	var rewrite func(t *term.Term) *term.Term
	rewrite = func(t *term.Term) *term.Term {
		if out, found := done[t]; found {
			return out
		}
		if !ok {
			return t
		}
		out := t
		switch {
		case t.Op() == term.Select && t.Arg(0).IsVar() && t.Arg(1).Sort().IsBitVec() && !t.Sort().IsArray():
			r := read{array: t.Arg(0), index: rewrite(t.Arg(1)), value: p.Fresh("read", t.Sort())}
			pairs += len(of[r.array])
			ok = ok && pairs <= maxReadPairs
			of[r.array] = append(of[r.array], r)
			s.reads = append(s.reads, r)
			out = r.value
		case t.Sort().IsArray() || t.HasQuantifier():
			ok = false
		case len(t.Args()) > 0:
			out = p.MapArgs(t, rewrite)
		}
		done[t] = out
		return out
	}
	f := rewrite(formula)
	if !ok {
		return &Scalars{Formula: formula, pool: p}
	}
	parts := []*term.Term{f}
	for _, r := range s.reads {
		for _, other := range of[r.array] {
			if other == r {
				break
			}
			parts = append(parts, p.Implies(p.Eq(r.index, other.index), p.Eq(r.value, other.value)))
		}
	}
	s.Formula = p.And(parts...)
	return s
}

// Assignment returns what makes the unfolding's formula true, given what makes Formula true: arrays that hold what was read of them.
func (s *Scalars) Assignment(a term.Assignment) term.Assignment {
	values := term.NewEvaluator(s.pool, a)
	arrays := map[*term.Term]*term.Term{}
	for _, r := range s.reads {
		if arrays[r.array] == nil {
			sort := r.array.Sort()
			arrays[r.array] = s.pool.ConstArray(sort, term.DefaultValue(s.pool, r.value.Sort()).Term(s.pool))
		}
		index, known := values.Eval(r.index)
		value, chosen := values.Eval(r.value)
		if known && chosen {
			arrays[r.array] = s.pool.Store(arrays[r.array], index.Term(s.pool), value.Term(s.pool))
		}
	}
	read := term.MapAssignment{}
	for v, t := range arrays {
		if value, ok := values.Eval(t); ok {
			read[v] = value
		}
	}
	return term.Overlay{Values: read, Rest: a}
}
