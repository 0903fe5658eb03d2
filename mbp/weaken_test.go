package mbp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
)

// weakenable draws equations of every sort that Weaken opens, and now and then a literal that it leaves alone.
type weakenable struct {
	*rapid.T
	p    *term.Pool
	list *term.Sort
}

func (w *weakenable) number(s *term.Sort) *term.Term {
	x, y := w.p.Var("x", s), w.p.Var("y", s)
	c := w.p.Numeral(term.NewInt(int64(rapid.IntRange(-3, 3).Draw(w.T, "number"))), s)
	return rapid.SampledFrom([]*term.Term{x, y, c, w.p.Add(x, w.p.Scale(term.NewInt(2), y), c)}).Draw(w.T, "sum")
}

func (w *weakenable) vector(width, depth int) *term.Term {
	p := w.p
	s := p.BitVec(width)
	switch n := rapid.IntRange(0, 6).Draw(w.T, "vector"); {
	case n >= 4 && depth == 0 || n == 0:
		return p.Var(rapid.SampledFrom([]string{"v", "w"}).Draw(w.T, "name"), s)
	case n < 3:
		return p.BVNum(term.NewInt(int64(rapid.IntRange(-9, 8).Draw(w.T, "bits"))), width)
	case n == 3:
		return p.BV(term.BVAdd, w.vector(width, 0), w.vector(width, 0))
	case width == 1:
		return w.vector(width, 0)
	}
	low := rapid.IntRange(1, width-1).Draw(w.T, "low")
	return rapid.SampledFrom([]*term.Term{
		p.BV(term.BVConcat, w.vector(width-low, depth-1), w.vector(low, depth-1)),
		p.ZeroExtend(width-low, w.vector(low, depth-1)), p.SignExtend(width-low, w.vector(low, depth-1)),
	}).Draw(w.T, "parts")
}

func (w *weakenable) data() *term.Term {
	ctors := w.list.Data.Constructors
	cons, l := ctors[1], w.p.Var("l", w.list)
	return rapid.SampledFrom([]*term.Term{
		l, w.p.Var("k", w.list), w.p.Construct(ctors[0]), w.p.Construct(cons, w.number(term.Int), l), w.p.Field(cons.Selectors[1], l),
	}).Draw(w.T, "data")
}

func (w *weakenable) literal() *term.Term {
	p := w.p
	width := rapid.IntRange(1, 5).Draw(w.T, "width")
	sort := rapid.SampledFrom([]*term.Sort{term.Int, term.Real}).Draw(w.T, "sort")
	switch rapid.IntRange(0, 9).Draw(w.T, "kind") {
	case 0, 1:
		return p.Eq(w.number(sort), w.number(sort))
	case 2, 3:
		return p.Eq(w.data(), w.data())
	case 4:
		return p.Not(p.Eq(w.vector(width, 1), w.vector(width, 1)))
	case 5:
		return p.BV(term.BVUle, w.vector(width, 1), w.vector(width, 1))
	}
	return p.Eq(w.vector(width, 2), w.vector(width, 2))
}

// The parts together are equivalent to the literal, each is weaker, and of the bounds in two orders either pair is
// enough.
func TestWeaken(t *testing.T) {
	opened := map[term.SortKind]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		sorts, err := p.Datatypes(term.DatatypeDecl{Name: "List", Constructors: []term.ConstructorDecl{
			{Name: "nil"}, {Name: "cons", Selectors: []term.SelectorDecl{{Name: "head", Sort: term.Of(term.Int)}, {Name: "tail", Sort: term.Declared(0)}}},
		}})
		require.NoError(t, err)
		w := &weakenable{T: t, p: p, list: sorts[0]}
		lit := w.literal()
		o := newOracle(t, p)
		defer o.close()
		for _, parts := range [][]*term.Term{Weaken(p, lit), WeakenBits(p, lit)} {
			if parts == nil {
				continue
			}
			require.Greater(t, len(parts), 1)
			opened[lit.Arg(0).Sort().Kind]++
			o.implies(t, parts, lit, "%v does not follow from %v", lit, parts)
			for _, part := range parts {
				require.True(t, part.IsLiteral() || part.IsFalse(), "%v", part)
				o.implies(t, []*term.Term{lit}, part, "%v does not imply %v", lit, part)
			}
			if a, _ := parts[0].Atom(); len(parts) == 4 && (a.Op() == term.BVUle || a.Op() == term.BVSle) {
				o.implies(t, parts[:2], lit)
				o.implies(t, parts[2:], lit)
			}
		}
		require.Zero(t, o.undecided)
	})
	require.Positive(t, opened[term.IntKind])
	require.Positive(t, opened[term.RealKind])
	require.Positive(t, opened[term.BitVecKind])
	require.Positive(t, opened[term.DatatypeKind])
}

// The equation x = c of bit-vectors has no bound that is the equation again, and every bit of its own.
func TestWeakenValues(t *testing.T) {
	p := term.NewPool()
	o := newOracle(t, p)
	defer o.close()
	x := p.Var("x", p.BitVec(3))
	for c := range int64(8) {
		lit := p.Eq(x, p.BVNum(term.NewInt(c), 3))
		parts := Weaken(p, lit)
		require.Len(t, parts, map[bool]int{true: 2, false: 4}[c == 0 || c == 7 || c == 3 || c == 4], "%v", parts)
		for _, part := range parts {
			st, _ := o.check(t, part, p.Not(lit))
			require.Equal(t, smt.Sat, st, "%v is equivalent to %v", part, lit)
		}
		require.Len(t, WeakenBits(p, lit), 3)
	}
	b := p.Eq(p.Var("b", p.BitVec(1)), p.BVNum(term.NewInt(1), 1))
	require.Nil(t, Weaken(p, b))
	require.Nil(t, WeakenBits(p, b))
	require.Nil(t, Weaken(p, p.Not(p.Eq(x, p.BVNum(term.NewInt(1), 3)))))
	require.Nil(t, Weaken(p, p.Var("a", term.Bool)))
}
