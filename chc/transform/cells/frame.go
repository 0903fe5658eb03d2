package cells

import (
	"math/big"

	"hornbeam/chc"
	"hornbeam/chc/term"
	"hornbeam/chc/transform"
)

// frame renumbers the indices of an array before it becomes cells: number k stands for index scale*k+offset+base. Arrays that are
// accessed in steps from a base, as memory behind a pointer is, are numbered from the base in these steps, so that elements
// with equal numbers have the same ghost in all arrays.
type frame struct {
	scale, offset term.Num
	// base is a term of a clause, or a parameter of an interpretation; nil for none.
	base *term.Term
}

func plainFrame() frame { return frame{scale: term.NewInt(1)} }

func (f frame) plain() bool { return f.scale.IsOne() && f.offset.IsZero() && f.base == nil }

// start returns the index that has the number 0.
func (f frame) start(p *term.Pool) *term.Term {
	if f.base == nil {
		return p.IntNum(f.offset)
	}
	return p.Add(f.base, p.IntNum(f.offset))
}

// at returns the index that has the number k.
func (f frame) at(p *term.Pool, k *term.Term) *term.Term {
	if f.plain() {
		return k
	}
	return p.Add(p.Scale(f.scale, k), f.start(p))
}

func (f frame) equal(g frame) bool {
	return f.scale.Equal(g.scale) && f.offset.Equal(g.offset) && f.base == g.base
}

// number returns the number of an index, and the condition under which it has none; nil if every index has one.
func (f frame) number(p *term.Pool, index *term.Term) (number, outside *term.Term) {
	if f.plain() {
		return index, nil
	}
	from := p.Sub(index, f.start(p))
	if f.scale.IsOne() {
		return from, nil
	}
	return p.IntDiv(from, p.IntNum(f.scale)), p.Not(p.Divides(f.scale, from))
}

// seen returns the number of an index that is known to have one.
func (f frame) seen(p *term.Pool, index *term.Term) *term.Term {
	if f.plain() {
		return index
	}
	return p.FromLinear(p.Linear(p.Sub(index, f.start(p))).Scale(f.scale.Inv()), term.Int)
}

// framing finds the frames of a system's arrays: classes of arguments and array terms that are the same arrays at different
// times have one frame.
type framing struct {
	pool *term.Pool
	// same joins the nodes, kept has a node of each class that is not renumbered, and whole one of each
	// class with arrays that are compared.
	same   transform.Partition[any]
	kept   []any
	whole  []any
	access []access
	// sites are the atoms' arguments that are arrays.
	sites  []site
	frames map[any]classFrame
}

// classFrame is the frame of a class of arrays. Its base is a term of each clause, and an argument of each predicate, where the
// class has arrays.
type classFrame struct {
	frame
	bases map[int]*term.Term
	// positions are those of the base, by the array's.
	positions map[transform.Place]int
}

// in returns the frame as it is in a clause.
func (c classFrame) in(clause int) frame {
	c.base = c.bases[clause]
	return c.frame
}

// inClause is an array term of a clause.
type inClause struct {
	clause int
	array  *term.Term
}

// access is an index at which an array is read or written.
type access struct {
	clause int
	array  any
	index  term.Linear
}

// site is an array among the arguments of an atom of a clause.
type site struct {
	clause int
	atom   chc.App
	array  transform.Place
}

// findFrames returns the frames of a system's arrays.
func findFrames(sys *chc.System) *framing {
	f := &framing{pool: sys.Pool, frames: map[any]classFrame{}}
	for i, c := range sys.Clauses {
		seen := map[*term.Term]bool{}
		f.formula(i, c.Constraint, true, seen)
		for _, a := range c.Atoms() {
			for j, t := range a.Args {
				if t.Sort().IsArray() {
					array := transform.Place{Predicate: a.Pred, Position: j}
					f.same.Join(array, inClause{i, t})
					f.sites = append(f.sites, site{i, a, array})
				}
				f.term(i, t, seen)
			}
		}
	}
	f.choose()
	return f
}

// formula walks over a formula in a positive position, or in any.
func (f *framing) formula(clause int, t *term.Term, positive bool, seen map[*term.Term]bool) {
	switch {
	case positive && (t.IsAnd() || t.IsOr()):
		for _, a := range t.Args() {
			f.formula(clause, a, true, seen)
		}
	case positive && t.Op() == term.Ite:
		f.term(clause, t.Arg(0), seen)
		f.formula(clause, t.Arg(1), true, seen)
		f.formula(clause, t.Arg(2), true, seen)
	case positive && isArrayEquality(t):
		f.same.Join(inClause{clause, t.Arg(0)}, inClause{clause, t.Arg(1)})
		f.term(clause, t.Arg(0), seen)
		f.term(clause, t.Arg(1), seen)
	default:
		f.term(clause, t, seen)
	}
}

// term walks over a term.
func (f *framing) term(clause int, t *term.Term, seen map[*term.Term]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.IsQuantifier() {
		// What is below a quantifier is left as it is.
		for _, x := range term.Vars(t) {
			if x.Sort().IsArray() {
				f.kept = append(f.kept, inClause{clause, x})
			}
		}
		return
	}
	node := func(u *term.Term) any { return inClause{clause, u} }
	for i, a := range t.Args() {
		f.term(clause, a, seen)
		if !a.Sort().IsArray() {
			continue
		}
		switch {
		case t.Op() == term.Select && i == 0:
			f.access = append(f.access, access{clause, node(a), f.index(t.Arg(1))})
		case t.Op() == term.Store && i == 0:
			f.same.Join(node(t), node(a))
			f.access = append(f.access, access{clause, node(a), f.index(t.Arg(1))})
		case t.Op() == term.Ite && i > 0:
			f.same.Join(node(t), node(a))
		case t.Op() == term.Eq:
			f.same.Join(node(t.Arg(0)), node(t.Arg(1)))
			f.whole = append(f.whole, node(a))
		default:
			f.kept = append(f.kept, node(a))
		}
	}
	if t.Sort().IsArray() && (t.Sort().Index != term.Int || !t.IsVar() && t.Op() != term.Store && t.Op() != term.Ite && t.Op() != term.ConstArray) {
		f.kept = append(f.kept, node(t))
	}
}

// index returns an index as a linear form, the zero form for an index that is no Int: its array gets no frame.
func (f *framing) index(t *term.Term) term.Linear {
	if t.Sort() != term.Int {
		return term.Linear{}
	}
	return f.pool.Linear(t)
}

// choose gives every class a base if all of its indices have one, and from there the frame from the constant that most of its
// indices have, or from 0 if any has that, in steps of the greatest number that all of its indices are multiples of from there.
func (f *framing) choose() {
	kept, whole := map[any]bool{}, map[any]bool{}
	for _, n := range f.kept {
		kept[f.same.Find(n)] = true
	}
	for _, n := range f.whole {
		whole[f.same.Find(n)] = true
	}
	accesses := map[any][]access{}
	var order []any
	for _, a := range f.access {
		root := f.same.Find(a.array)
		if accesses[root] == nil {
			order = append(order, root)
		}
		accesses[root] = append(accesses[root], a)
	}
	sites := map[any][]site{}
	for _, s := range f.sites {
		root := f.same.Find(s.array)
		sites[root] = append(sites[root], s)
	}
	for _, root := range order {
		if kept[root] {
			continue
		}
		found := findBase(sites[root], accesses[root])
		indices := make([]term.Linear, len(accesses[root]))
		for i, a := range accesses[root] {
			indices[i] = a.index
			if base := found.bases[a.clause]; base != nil {
				indices[i] = a.index.Sub(f.pool.Linear(base))
			}
		}
		if chosen, ok := frameOf(indices, whole[root]); ok {
			found.frame = chosen
		}
		if !found.plain() || found.bases != nil {
			f.frames[root] = found
		}
	}
}

// frameOf returns the frame for the indices of a class. The scale is 1 if arrays of the class are compared (whole).
func frameOf(indices []term.Linear, whole bool) (frame, bool) {
	count := map[string]int{}
	best := -1
	for i, l := range indices {
		if l.IsConst() {
			continue
		}
		count[l.Const.String()]++
		if best < 0 || count[l.Const.String()] > count[indices[best].Const.String()] {
			best = i
		}
	}
	if best < 0 {
		return frame{}, false
	}
	out := plainFrame()
	if count[term.Num{}.String()] == 0 {
		out.offset = indices[best].Const
	}
	scale := new(big.Int)
	divide := func(n term.Num) bool {
		if !n.IsInt() {
			return false
		}
		scale.GCD(nil, nil, scale, new(big.Int).Abs(n.BigInt()))
		return true
	}
	for _, l := range indices {
		ok := divide(l.Const.Sub(out.offset))
		for _, m := range l.Monomials {
			ok = ok && divide(m.Coef)
		}
		if !ok {
			return frame{}, false
		}
	}
	if !whole && scale.Sign() > 0 {
		out.scale = term.NumFromBig(scale)
	}
	return out, true
}

// within returns the frame of an argument of an atom of a clause.
func (f *framing) within(clause int, array transform.Place) frame {
	if found, ok := f.frames[f.same.Find(array)]; ok {
		return found.in(clause)
	}
	return plainFrame()
}

// of returns the frame of a predicate's argument, the base being one of the parameters.
func (f *framing) of(p *chc.Predicate, position int, params []*term.Term) frame {
	array := transform.Place{Predicate: p, Position: position}
	found, ok := f.frames[f.same.Find(array)]
	if !ok {
		return plainFrame()
	}
	if at, ok := found.positions[array]; ok {
		found.base = params[at]
	}
	return found.frame
}

// clause returns a clause with its arrays renumbered.
func (f *framing) clause(i int, c *chc.Clause) *chc.Clause {
	if len(f.frames) == 0 {
		return c
	}
	done := map[*term.Term]*term.Term{}
	rewrite := func(t *term.Term) *term.Term { return f.rewrite(i, t, done) }
	constraint := rewrite(c.Constraint)
	out := c.MapAtoms(func(a chc.App) chc.App { return a.Map(a.Pred, rewrite) })
	out.Constraint = constraint
	return out
}

func (f *framing) rewrite(clause int, t *term.Term, done map[*term.Term]*term.Term) *term.Term {
	if len(t.Args()) == 0 || t.IsQuantifier() {
		return t
	}
	if r := done[t]; r != nil {
		return r
	}
	args := make([]*term.Term, len(t.Args()))
	for i, a := range t.Args() {
		args[i] = f.rewrite(clause, a, done)
	}
	if t.Op() == term.Select || t.Op() == term.Store {
		if found, ok := f.frames[f.same.Find(inClause{clause, t.Arg(0)})]; ok {
			args[1] = found.in(clause).seen(f.pool, args[1])
		}
	}
	r := f.pool.Rebuild(t, args)
	done[t] = r
	return r
}
