package mbp

import (
	"fmt"

	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

// kind is a family of random scenes: the number of variables of each sort, what the literals are made of, how many
// there are in a cube, and how many variables are eliminated.
type kind struct {
	name               string
	ints, reals, bools int
	ops                bool
	only               []shape // the literals' shapes; nil for all
	lits, eliminate    int
}

// shape is a kind of arithmetic literal.
type shape uint8

const (
	atMost shape = iota
	atLeast
	less
	equals
	differs
	divides
	dividesNot
)

var (
	intShapes   = []shape{atMost, atLeast, less, equals, differs, divides, dividesNot}
	realShapes  = []shape{atMost, atLeast, less, equals, differs}
	boundShapes = []shape{atMost, atLeast, less}
)

// scene is a random assignment together with terms and literals made to fit it.
type scene struct {
	kind
	t  *rapid.T
	p  *term.Pool
	is []*term.Term // Int variables
	rs []*term.Term // Real variables
	bs []*term.Term // Bool variables
	a  term.MapAssignment
	ev *term.Evaluator
}

func newScene(t *rapid.T, p *term.Pool, k kind) *scene {
	s := &scene{t: t, p: p, a: term.MapAssignment{}, kind: k}
	for i := range k.ints {
		v := s.p.Var(fmt.Sprintf("i%d", i), term.Int)
		s.is = append(s.is, v)
		s.a[v] = term.NumValue(s.num(-9, 9), term.Int)
	}
	for i := range k.reals {
		v := s.p.Var(fmt.Sprintf("r%d", i), term.Real)
		s.rs = append(s.rs, v)
		s.a[v] = term.NumValue(s.fraction(), term.Real)
	}
	for i := range k.bools {
		v := s.p.Var(fmt.Sprintf("b%d", i), term.Bool)
		s.bs = append(s.bs, v)
		s.a[v] = term.BoolValue(s.pick(2) == 0)
	}
	s.ev = term.NewEvaluator(s.p, s.a)
	return s
}

func (s *scene) between(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(s.t, "n") }
func (s *scene) pick(n int) int         { return s.between(0, n-1) }

func (s *scene) num(lo, hi int) term.Num { return term.NewInt(int64(s.between(lo, hi))) }

func (s *scene) fraction() term.Num {
	return term.NewRat(int64(s.between(-12, 12)), int64(s.between(1, 3)))
}

// all are the scene's variables.
func (s *scene) all() []*term.Term {
	return append(append(append([]*term.Term(nil), s.is...), s.rs...), s.bs...)
}

func (s *scene) value(t *term.Term) term.Num {
	v, ok := s.ev.Eval(t)
	if !ok {
		panic("undetermined " + t.String())
	}
	return v.Num()
}

// sum is a random linear term with few summands.
func (s *scene) sum(sort *term.Sort, depth int) *term.Term {
	vars := s.is
	if sort == term.Real {
		vars = s.rs
	}
	var parts []*term.Term
	for range s.between(1, 3) {
		x := vars[s.pick(len(vars))]
		if s.ops && depth > 0 && s.pick(4) == 0 {
			x = s.opaque(sort, depth)
		}
		parts = append(parts, s.p.Scale(s.coefficient(), x))
	}
	parts = append(parts, s.p.Numeral(s.num(-6, 6), sort))
	return s.p.Add(parts...)
}

// coefficient is often a unit.
func (s *scene) coefficient() term.Num {
	if s.pick(2) == 0 {
		return term.NewInt(int64(1 - 2*s.pick(2)))
	}
	return s.num(-4, 4)
}

func (s *scene) opaque(sort *term.Sort, depth int) *term.Term {
	a := s.sum(sort, depth-1)
	if sort == term.Real {
		if s.pick(2) == 0 && len(s.is) > 0 {
			return s.p.ToReal(s.sum(term.Int, depth-1))
		}
		return s.p.Ite(s.literal(sort, depth-1), a, s.sum(sort, depth-1))
	}
	k := s.p.Int(int64(s.between(2, 5)))
	switch s.pick(5) {
	case 0:
		return s.p.Mod(a, k)
	case 1:
		return s.p.IntDiv(a, k)
	case 2:
		return s.p.Abs(a)
	case 3:
		if len(s.rs) > 0 {
			return s.p.ToInt(s.sum(term.Real, depth-1))
		}
		return s.p.Mod(a, k)
	default:
		return s.p.Ite(s.literal(sort, depth-1), a, s.sum(sort, depth-1))
	}
}

// literal is a random arithmetic literal that the assignment makes true.
func (s *scene) literal(sort *term.Sort, depth int) *term.Term {
	l := s.sum(sort, depth)
	v := s.value(l)
	slack := s.num(0, 3)
	if s.pick(3) == 0 {
		slack = term.Num{}
	}
	above, below := s.p.Numeral(v.Add(slack), sort), s.p.Numeral(v.Sub(slack), sort)
	more := s.p.Numeral(v.Add(slack).Add(one), sort)
	shapes := intShapes
	if sort == term.Real {
		shapes = realShapes
	}
	if s.only != nil {
		shapes = s.only
	}
	switch shapes[s.pick(len(shapes))] {
	case atMost:
		return s.p.Le(l, above)
	case atLeast:
		return s.p.Ge(l, below)
	case less:
		if sort == term.Real && s.pick(2) == 0 { // so that strict and other bounds are equally tight now and then
			return s.p.Gt(l, s.p.Real(v.Sub(slack).Sub(one)))
		}
		return s.p.Lt(l, more)
	case equals:
		return s.p.Eq(l, s.p.Numeral(v, sort))
	case differs:
		return s.p.Ne(l, more)
	case divides:
		k := s.num(2, 6)
		_, r := term.EuclidDiv(v, k)
		return s.p.Divides(k, s.p.Sub(l, s.p.IntNum(r)))
	default:
		k := s.num(2, 12)
		_, r := term.EuclidDiv(v.Add(one), k)
		return s.p.Not(s.p.Divides(k, s.p.Sub(l, s.p.IntNum(r))))
	}
}

// cube is a list of true literals over the scene's sorts; with ops, one may be
// another formula and one may define a Boolean variable.
func (s *scene) cube(n int) []*term.Term {
	var out []*term.Term
	for range n {
		out = append(out, s.atom(1))
	}
	if s.ops && s.pick(3) == 0 {
		out[0] = s.formula(1, true)
	}
	if s.ops && len(s.bs) > 0 && s.pick(2) == 0 {
		b := s.bs[s.pick(len(s.bs))]
		out[1] = s.signed(s.p.Iff(b, s.formula(s.pick(2), s.pick(2) == 0)))
	}
	return out
}

// atom is a true literal over any of the scene's sorts.
func (s *scene) atom(depth int) *term.Term {
	var kinds []func() *term.Term
	if len(s.is) > 0 {
		kinds = append(kinds, func() *term.Term { return s.literal(term.Int, depth) })
	}
	if len(s.rs) > 0 {
		kinds = append(kinds, func() *term.Term { return s.literal(term.Real, depth) })
		if s.ops {
			kinds = append(kinds, func() *term.Term { return s.signed(s.p.IsInt(s.sum(term.Real, 0))) })
		}
	}
	if len(s.bs) > 0 {
		kinds = append(kinds, func() *term.Term { return s.signed(s.bs[s.pick(len(s.bs))]) })
	}
	return kinds[s.pick(len(kinds))]()
}

// signed is the formula or its negation, whichever is true.
func (s *scene) signed(f *term.Term) *term.Term {
	if s.ev.True(f) {
		return f
	}
	return s.p.Not(f)
}

// formula is a random formula with the truth value wanted.
func (s *scene) formula(depth int, want bool) *term.Term {
	if depth == 0 {
		f := s.atom(1)
		if !want {
			f = s.p.Not(f)
		}
		return f
	}
	sub := func(want bool) *term.Term { return s.formula(depth-1, want) }
	other := s.pick(2) == 0
	var f *term.Term
	switch s.pick(5) {
	case 0:
		f = s.p.And(sub(want), sub(want || other))
	case 1:
		f = s.p.Or(sub(want), sub(want && other))
	case 2:
		f = s.p.Ite(sub(other), sub(want == other || want), sub(want != other || want))
	case 3:
		f = s.p.Iff(sub(other), sub(other == want))
	default:
		f = s.p.Not(s.formula(depth-1, !want))
	}
	if s.ev.True(f) != want { // the branches above aim at the value but need not hit it
		f = s.p.Not(f)
	}
	return f
}
