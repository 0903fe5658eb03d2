package smtlib

import (
	"slices"
	"strings"

	"hornbeam/chc"
	"hornbeam/chc/term"
)

const (
	// maxClauses bounds the clauses of one formula, maxCases those that splitting the disjunctions of one body makes;
	// beyond maxCases a disjunction gets a predicate of its own.
	maxClauses = 100000
	maxCases   = 64
	// maxFormulaDepth bounds the nesting of connectives above predicates, which are walked recursively.
	maxFormulaDepth = 100000
)

// extractor turns asserted formulas into clauses of the script's system.
type extractor struct {
	r    *reader
	pool *term.Pool
	// shapes caches shapeOf for the formula at hand, cases countFormula.
	shapes map[*term.Term]shape
	cases  map[signed]int
	// freed are the variables that free took from quantifiers on the way to the clause at hand.
	freed []*term.Term
	// off is where the formula stands, first the index of its first clause, depth the depth of recursion.
	off, first, depth int
	// auxiliary are the predicates made for disjunctions.
	auxiliary []*chc.Predicate
}

// signed is a formula or its negation.
type signed struct {
	t   *term.Term
	neg bool
}

func (s signed) not() signed { return signed{s.t, !s.neg} }

// polarity says how predicates occur in a formula: as they are, negated, or both; 0 means that there are none.
type polarity uint8

const (
	positive polarity = 1 << iota
	negative
)

func (p polarity) flip(neg bool) polarity {
	if neg {
		return p>>1 | p<<1&negative
	}
	return p
}

func newExtractor(r *reader) *extractor {
	return &extractor{r: r, pool: r.pool, shapes: map[*term.Term]shape{}, cases: map[signed]int{}}
}

func (x *extractor) begin(off int) {
	x.off, x.first, x.depth = off, len(x.r.script.System.Clauses), 0
	x.freed = x.freed[:0]
	clear(x.shapes)
	clear(x.cases)
}

// assert adds the clauses of a closed formula.
func (x *extractor) assert(o operand) {
	x.begin(x.r.commandOff)
	if o.spine == nil {
		x.formula(signed{t: o.t}, nil)
		return
	}
	hyps := make([]signed, len(o.spine.hyps))
	for i, h := range o.spine.hyps {
		hyps[i] = signed{h.t, true}
		if !h.pred {
			x.shapes[h.t] = shape{}
		}
	}
	heads := make([]signed, len(o.spine.heads))
	for i, h := range o.spine.heads {
		heads[i] = signed{t: h.t}
	}
	x.conjunction(heads, hyps)
}

// query adds the clauses that say that the formula is false everywhere.
func (x *extractor) query(o operand) {
	x.begin(x.r.commandOff)
	x.formula(signed{o.t, true}, nil)
}

// queryAll adds the clause that says that no tuple is in the predicate.
func (x *extractor) queryAll(f *function, off int) {
	x.begin(x.r.commandOff)
	args := make([]*term.Term, len(f.domain))
	for i, s := range f.domain {
		args[i] = x.r.unusedVar("x", s)
		x.r.taken[args[i]] = nil
	}
	x.r.atoms[x.pool.Apply(f.fn, args...)] = off
	x.formula(signed{x.pool.Apply(f.fn, args...), true}, nil)
}

// shape is what the extractor knows of a formula: how predicates occur in it and, if they do, the offset of the first.
type shape struct {
	polarity
	off int
}

// polarity returns how predicates occur in s.
func (x *extractor) polarity(s signed) polarity { return x.shapeOf(s.t).flip(s.neg) }

func (x *extractor) shapeOf(t *term.Term) shape {
	if isAtom(t) {
		return shape{positive, x.r.atomOffset(t, x.off)}
	}
	if !isConnective(t) {
		return shape{}
	}
	if s, ok := x.shapes[t]; ok {
		return s
	}
	x.enter()
	var s shape
	for i, a := range t.Args() {
		c := x.shapeOf(a)
		if c.polarity == 0 {
			continue
		}
		if s.polarity == 0 || c.off < s.off {
			s.off = c.off
		}
		switch {
		case t.Op() == term.Not:
			s.polarity |= c.flip(true)
		case t.Op() == term.Eq, t.Op() == term.Ite && i == 0:
			s.polarity |= positive | negative
		default:
			s.polarity |= c.polarity
		}
	}
	x.depth--
	x.shapes[t] = s
	return s
}

func (x *extractor) enter() {
	if x.depth++; x.depth > maxFormulaDepth {
		x.r.unsupported(x.off, "connectives nested deeper than %d", maxFormulaDepth)
	}
}

// children returns the formulas that s is the conjunction (conj) or the disjunction of; ok is false when s is neither.
// Those of an equivalence or if-then-else are returned by branches.
func children(s signed) (conj bool, out []signed, ok bool) {
	switch s.t.Op() {
	case term.And, term.Or:
		for _, a := range s.t.Args() {
			out = append(out, signed{a, s.neg})
		}
		return (s.t.Op() == term.And) != s.neg, out, true
	case term.Not:
		return true, []signed{{s.t.Arg(0), !s.neg}}, true
	}
	return false, nil, false
}

// branches returns, for an equivalence or if-then-else s, two pairs of formulas: s is the conjunction of the
// disjunctions of the pairs (conj) or the disjunction of the conjunctions. Their order depends on the source alone.
func (x *extractor) branches(s signed, conj bool) (out [2][2]signed) {
	a := s.t.Args()
	if s.t.Op() == term.Ite {
		c, then, els := signed{a[0], conj}, signed{a[1], s.neg}, signed{a[2], s.neg}
		if x.before(els.t, then.t) {
			c, then, els = c.not(), els, then
		}
		return [2][2]signed{{c, then}, {c.not(), els}}
	}
	l, r := signed{a[0], conj}, signed{a[1], s.neg}
	if x.before(r.t, l.t) {
		l.t, r.t = r.t, l.t
	}
	return [2][2]signed{{l, r}, {l.not(), r.not()}}
}

// formula adds the clauses of `s or one of others`.
func (x *extractor) formula(s signed, others []signed) {
	x.enter()
	defer func() { x.depth-- }()
	if x.polarity(s) == 0 {
		x.clause(append(slices.Clip(others), s), nil)
		return
	}
	if isAtom(s.t) {
		if s.neg {
			x.clause(append(slices.Clip(others), s), nil)
		} else {
			x.clause(others, s.t)
		}
		return
	}
	if s.t.IsQuantifier() {
		if (s.t.Op() == term.Forall) == s.neg {
			x.notHorn(s.t, "is under an existential quantifier in a conclusion")
		}
		mark := len(x.freed)
		x.formula(signed{x.free(s.t), s.neg}, others)
		x.release(mark)
		return
	}
	if conj, parts, ok := children(s); ok {
		if conj {
			x.conjunction(parts, others)
		} else {
			x.disjunction(append(slices.Clip(others), parts...))
		}
		return
	}
	for _, b := range x.branches(s, true) {
		x.disjunction(append(slices.Clip(others), b[:]...))
	}
}

// conjunction adds the clauses of `(each of parts) or one of others`. The parts without predicates share one clause.
func (x *extractor) conjunction(parts, others []signed) {
	var free []*term.Term
	for _, p := range x.byPlace(parts) {
		if x.polarity(p) == 0 {
			free = append(free, x.literal(p))
		} else {
			x.disjunction(append(slices.Clip(others), p))
		}
	}
	if free != nil {
		x.disjunction(append(slices.Clip(others), signed{t: x.pool.And(free...)}))
	}
}

// disjunction adds the clauses of `one of ds`. At most one of ds may have a predicate that is not negated: the others
// make up the body.
func (x *extractor) disjunction(ds []signed) {
	head := -1
	for i, d := range ds {
		if x.polarity(d)&positive == 0 {
			continue
		}
		if head >= 0 {
			a, b := x.someAtom(ds[head], positive), x.someAtom(d, positive)
			x.r.fail(x.r.atomOffset(b, x.off), "not a Horn clause: predicates %s and %s would both be heads, since neither is negated",
				term.QuoteSymbol(a.Name()), term.QuoteSymbol(b.Name()))
		}
		head = i
	}
	if head < 0 {
		x.clause(ds, nil)
		return
	}
	others := append(slices.Clip(ds[:head]), ds[head+1:]...)
	if s := ds[head]; isAtom(s.t) && !s.neg {
		x.clause(others, s.t)
	} else {
		x.formula(s, others)
	}
}

// notHorn fails at the first predicate in t.
func (x *extractor) notHorn(t *term.Term, why string) {
	a := x.r.firstAtom(t)
	x.r.fail(x.r.atomOffset(a, x.off), "not a Horn clause: predicate %s %s", term.QuoteSymbol(a.Name()), why)
}

// someAtom returns an atom that occurs in s with the polarity.
func (x *extractor) someAtom(s signed, p polarity) *term.Term {
	t := s.t
	p = p.flip(s.neg)
	for !isAtom(t) {
		for i, a := range t.Args() {
			q, want := x.shapeOf(a).polarity, p
			if t.Op() == term.Not {
				want = p.flip(true)
			}
			if t.Op() == term.Eq && q != 0 || t.Op() == term.Ite && i == 0 && q != 0 {
				want = q & -q // both polarities occur: take one that the argument has
			}
			if q&want != 0 {
				t, p = a, want
				break
			}
		}
	}
	return t
}

// byPlace sorts formulas by where their first predicate was read; those without a predicate follow in their order.
// Terms sort their arguments by what else the pool has seen; the numbers of clauses must not depend on that.
func (x *extractor) byPlace(ss []signed) []signed {
	slices.SortStableFunc(ss, func(a, b signed) int {
		switch {
		case x.before(a.t, b.t):
			return -1
		case x.before(b.t, a.t):
			return 1
		}
		return 0
	})
	return ss
}

// before reports whether the first predicate of t was read before that of u; what has none comes last.
func (x *extractor) before(t, u *term.Term) bool {
	a, b := x.shapeOf(t), x.shapeOf(u)
	return a.polarity != 0 && (b.polarity == 0 || a.off < b.off)
}

// free returns the body of a quantifier whose variables become the clause's, renamed where the clause has a variable of
// that name and sort from elsewhere.
func (x *extractor) free(q *term.Term) *term.Term {
	var m map[*term.Term]*term.Term
	for _, v := range q.Bound() {
		from, taken := x.r.taken[v]
		name := v.Name()
		// Expanding a macro can make fresh variables, whose numbers depend on what the pool has seen before.
		if _, inSource := x.r.ids[name]; !inSource {
			if i := strings.LastIndexByte(name, '!'); i > 0 {
				name, taken, from = name[:i], true, nil
			}
		}
		if (taken && from != q) || x.r.globals[v] {
			if m == nil {
				m = map[*term.Term]*term.Term{}
			}
			m[v] = x.r.unusedVar(name, v.Sort())
			v = m[v]
		}
		if _, taken := x.r.taken[v]; !taken {
			x.freed = append(x.freed, v)
		}
		x.r.taken[v] = q
	}
	if m == nil {
		return q.Arg(0)
	}
	body := x.pool.Substitute(q.Arg(0), m)
	x.moveAtoms(q.Arg(0), body)
	return body
}

// release gives back the names of variables that free took since there were n of them: they belong to other clauses.
func (x *extractor) release(n int) {
	for _, v := range x.freed[n:] {
		delete(x.r.taken, v)
	}
	x.freed = x.freed[:n]
}

// moveAtoms gives the atoms of a renamed formula the place of the original's first.
func (x *extractor) moveAtoms(from, to *term.Term) {
	s := x.shapeOf(from)
	if s.polarity == 0 {
		return
	}
	term.Walk(to, func(t *term.Term) bool {
		if isAtom(t) {
			if _, seen := x.r.atoms[t]; !seen {
				x.r.atoms[t] = s.off
			}
		}
		return isConnective(t)
	})
}

// literal is the term of s.
func (x *extractor) literal(s signed) *term.Term {
	if s.neg {
		return x.pool.Not(s.t)
	}
	return s.t
}
