package term

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const deep = 70_000

// deepTerm nests n operators that do not flatten: or, and, ite, with a comparison at the bottom.
func deepTerm(p *Pool, n int) *Term {
	b, c, x := p.Var("b", Bool), p.Var("c", Bool), p.Var("x", Int)
	t := p.Le(x, p.Int(3))
	for i := range n {
		switch i % 3 {
		case 0:
			t = p.Or(t, b)
		case 1:
			t = p.And(t, c)
		default:
			t = p.Ite(p.Eq(x, p.Int(int64(i%5))), t, b)
		}
	}
	return t
}

func TestDeepTerms(t *testing.T) {
	p := NewPool()
	b, c, x, y := p.Var("b", Bool), p.Var("c", Bool), p.Var("x", Int), p.Var("y", Int)
	d := deepTerm(p, deep)
	require.Greater(t, d.Size(), deep)
	require.ElementsMatch(t, []*Term{b, c, x}, Vars(d))
	require.True(t, Contains(d, x))
	require.False(t, Contains(d, y))
	require.True(t, HasAny(d, map[*Term]bool{c: true}))

	s := p.Substitute(d, map[*Term]*Term{x: y})
	require.NotContains(t, Vars(s), x)
	require.Same(t, d, p.Substitute(s, map[*Term]*Term{y: x}))

	a := MapAssignment{b: BoolValue(false), c: BoolValue(true), x: NumValue(NewInt(2), Int)}
	v, ok := NewEvaluator(p, a).Eval(d)
	require.True(t, ok)
	// b is false and c true, so a term is its inner one where x has the value that its ite asks for, and false elsewhere.
	require.False(t, v.Bool())

	require.NoError(t, Write(io.Discard, d))
	require.Greater(t, len(d.String()), deep)

	q := p.Forall([]*Term{x}, d)
	require.ElementsMatch(t, []*Term{b, c}, Vars(q))
	require.Same(t, q, p.Substitute(q, map[*Term]*Term{x: y}))
	require.True(t, Contains(p.Substitute(q, map[*Term]*Term{b: p.Le(y, p.Int(0))}), y))
}

// A term that is exponential as a tree is handled in the size of its graph.
func TestSharedTerms(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", Int), p.Var("y", Int)
	u := x
	var u2 = y
	for range 100 {
		u, u2 = p.Ite(p.Le(u, u2), p.Mul(u, u2), u), p.Ite(p.Lt(u2, u), u, p.Add(u2, p.Int(1)))
	}
	f := p.Eq(u, u2)
	require.Less(t, f.Size(), 2000)
	require.Less(t, len(Format(f)), 100_000)
	require.Less(t, len(f.String()), 100_000)
	require.Equal(t, []*Term{x, y}, Vars(f))
	g := p.Substitute(f, map[*Term]*Term{x: y, y: x})
	require.NotSame(t, f, g)
	require.Same(t, f, p.Substitute(g, map[*Term]*Term{x: y, y: x}))
	_, ok := NewEvaluator(p, MapAssignment{x: NumValue(NewInt(0), Int), y: NumValue(NewInt(1), Int)}).Eval(f)
	require.True(t, ok)
}

// Equality of constructor terms that share their fields.
func TestSharedConstructors(t *testing.T) {
	p := NewPool()
	ss, err := p.Datatypes(DatatypeDecl{"tree", []ConstructorDecl{{Name: "leaf", Selectors: []SelectorDecl{{"val", Of(Int)}}},
		{Name: "node", Selectors: []SelectorDecl{{"left", Declared(0)}, {"right", Declared(0)}}}}})
	require.NoError(t, err)
	leaf, node := ss[0].Data.Constructors[0], ss[0].Data.Constructors[1]
	x, y := p.Var("x", Int), p.Var("y", Int)
	a, b := p.Construct(leaf, x), p.Construct(leaf, y)
	for range 200 {
		a, b = p.Construct(node, a, a), p.Construct(node, b, b)
	}
	require.Same(t, p.Eq(x, y), p.Eq(a, b))
}

// Long chains of binary conjunctions and of sums stay affordable, and Conjuncts finds all parts.
func TestLongChains(t *testing.T) {
	p := NewPool()
	const n = 4000
	f := p.True()
	for i := range n {
		f = p.And(f, p.Le(p.Var("x", Int), p.Scale(NewInt(int64(i+2)), p.Var("y", Int))))
	}
	require.Len(t, Conjuncts(f), n)
	require.Empty(t, Conjuncts(p.True()))
	require.Empty(t, Disjuncts(p.False()))
	require.Equal(t, []*Term{f}, Disjuncts(f))

	var xs []*Term
	for i := range n {
		xs = append(xs, p.Var("v"+strings.Repeat("'", i%7), Int), p.Int(1))
	}
	require.Len(t, p.Linear(p.Add(xs...)).Monomials, 7)
}
