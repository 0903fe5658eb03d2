package smt

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
)

func TestModelIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		var m Model
		want := map[*term.Term]int64{}
		var order []*term.Term
		for range rapid.IntRange(0, 20).Draw(t, "sets") {
			v := p.Var(rapid.SampledFrom([]string{"x", "y", "z", "u", "w"}).Draw(t, "name"), term.Int)
			k := rapid.Int64().Draw(t, "value")
			if _, ok := want[v]; !ok {
				order = append(order, v)
			}
			want[v] = k
			m.Set(v, term.NumValue(term.NewInt(k), term.Int))
		}
		c := m.Clone()
		for _, v := range order {
			m.Set(v, term.NumValue(term.NewInt(0), term.Int))
		}
		require.Equal(t, len(want), c.Len())
		var seen []*term.Term
		for v, x := range c.All() {
			seen = append(seen, v)
			got, ok := x.Num().Int64()
			require.True(t, ok)
			require.Equal(t, want[v], got, "a clone shares nothing with its original")
			y, ok := c.Lookup(v)
			require.True(t, ok)
			require.True(t, x.Equal(y))
		}
		require.Equal(t, order, seen)
		_, ok := c.Lookup(p.Var("absent", term.Int))
		require.False(t, ok)
	})
}

func TestNilModelIsEmpty(t *testing.T) {
	var m *Model
	p := term.NewPool()
	_, ok := m.Lookup(p.Var("x", term.Int))
	require.False(t, ok)
	require.Zero(t, m.Len())
	for range m.All() {
		t.Fatal("an empty model yields nothing")
	}
	c := m.Clone()
	c.Set(p.Var("x", term.Int), term.NumValue(term.NewInt(1), term.Int))
	require.Equal(t, 1, c.Len())
}

func TestModelOfFunction(t *testing.T) {
	p := term.NewPool()
	f := p.DeclareFunc("f", []*term.Sort{term.Int}, term.Int)
	m := NewModel(0)
	m.Set(p.Apply(f, p.Int(3)), term.NumValue(term.NewInt(5), term.Int))
	x := p.Var("x", term.Int)
	m.Set(x, term.NumValue(term.NewInt(3), term.Int))
	e := term.NewEvaluator(p, m.Clone())
	require.True(t, e.True(p.Eq(p.Apply(f, x), p.Int(5))))
	_, ok := e.Eval(p.Apply(f, p.Int(4)))
	require.False(t, ok)
	m.SetElsewhere(f, term.NumValue(term.NewInt(7), term.Int))
	e = term.NewEvaluator(p, m.Clone())
	require.True(t, e.True(p.Eq(p.Apply(f, p.Int(4)), p.Int(7))))
	require.True(t, e.True(p.Eq(p.Apply(f, p.Int(3)), p.Int(5))))
}

// An array that is written as a function has that function's values.
func TestFunctionArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := term.NewPool()
		s := p.Array(term.Int, term.Int)
		x := p.Var("x", term.Int)
		body := p.Int(rapid.Int64Range(-3, 3).Draw(t, "else"))
		for range rapid.IntRange(0, 5).Draw(t, "entries") {
			k, v := rapid.Int64Range(-3, 3).Draw(t, "key"), rapid.Int64Range(-3, 3).Draw(t, "value")
			c := p.Eq(x, p.Int(k))
			if rapid.Bool().Draw(t, "negated") {
				body = p.Ite(p.Not(c), body, p.Int(v))
			} else {
				body = p.Ite(p.Or(c, p.Eq(x, p.Int(k+1))), p.Int(v), body)
			}
		}
		a, ok := FunctionArray(p, s, x, body)
		require.True(t, ok)
		require.True(t, a.IsValue())
		for k := range int64(12) {
			require.Same(t, p.Substitute(body, map[*term.Term]*term.Term{x: p.Int(k - 6)}), p.Select(a, p.Int(k-6)))
		}
	})
	p := term.NewPool()
	x := p.Var("x", term.Int)
	_, ok := FunctionArray(p, p.Array(term.Int, term.Int), x, p.Ite(p.Le(x, p.Int(3)), p.Int(0), p.Int(1)))
	require.False(t, ok, "infinitely many entries")
}

// Over an index sort of few values any function is an array value.
func TestFunctionArrayOverFewIndices(t *testing.T) {
	p := term.NewPool()
	bits := p.BitVec(3)
	x := p.Var("x", bits)
	a, ok := FunctionArray(p, p.Array(bits, bits), x, p.BV(term.BVAdd, x, p.BVNum(term.NewInt(1), 3)))
	require.True(t, ok)
	require.True(t, a.IsValue())
	for k := range int64(8) {
		require.Same(t, p.BVNum(term.NewInt(k+1), 3), p.Select(a, p.BVNum(term.NewInt(k), 3)))
	}
	colours, err := p.Datatypes(term.DatatypeDecl{Name: "Colour", Constructors: []term.ConstructorDecl{{Name: "red"}, {Name: "blue"}}})
	require.NoError(t, err)
	y := p.Var("y", colours[0])
	red, blue := colours[0].Data.Constructors[0], colours[0].Data.Constructors[1]
	a, ok = FunctionArray(p, p.Array(colours[0], term.Bool), y, p.Is(blue, y))
	require.True(t, ok)
	require.True(t, p.Select(a, p.Construct(blue)).IsTrue())
	require.True(t, p.Select(a, p.Construct(red)).IsFalse())
}
