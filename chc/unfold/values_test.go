package unfold

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// A counter that wraps around has the values that it can reach; a remainder is known of anything, and a variable is not.
func TestValueSets(t *testing.T) {
	p := term.NewPool()
	number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 8) }
	x := p.Var("x", p.BitVec(8))
	next := func(t *term.Term) *term.Term {
		return p.BV(term.BVUrem, p.BV(term.BVAdd, t, number(1)), number(3))
	}
	counter := number(0)
	for _, c := range []string{"a", "b", "c", "d"} {
		counter = p.Ite(p.Var(c, term.Bool), next(counter), counter)
	}
	of := func(t *term.Term) []*term.Term {
		return (&valueSets{pool: p, done: map[*term.Term][]*term.Term{}}).of(t)
	}
	require.ElementsMatch(t, []*term.Term{number(0), number(1), number(2)}, of(counter))
	require.ElementsMatch(t, []*term.Term{number(0), number(1)}, of(p.BV(term.BVUrem, x, number(2))))
	require.ElementsMatch(t, []*term.Term{number(5), number(6)}, of(p.BV(term.BVAdd, number(5), p.BV(term.BVAnd, x, number(1)))))
	require.Nil(t, of(x))
	require.Nil(t, of(p.BV(term.BVAdd, x, counter)))
	require.Nil(t, of(p.BV(term.BVUrem, x, number(200))))
}

// A read at an index with few values compares it with these, not with the indices of the stores.
func TestElementsAreReadOnce(t *testing.T) {
	p := term.NewPool()
	bits := p.BitVec(8)
	number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 8) }
	at := func(name string) *term.Term {
		return p.BV(term.BVUrem, p.Var(name, bits), number(2))
	}
	array := p.Store(p.ConstArray(p.Array(bits, bits), number(0)), at("i"), number(7))
	f := p.Eq(p.Select(array, at("j")), number(7))
	out, ok := readThrough(p, f, 1000)
	require.True(t, ok)
	of := p.Eq(at("i"), at("j"))
	require.False(t, contains(out, of))
	require.True(t, contains(out, p.Eq(at("i"), number(0))))
}

func contains(t, part *term.Term) bool {
	if t == part {
		return true
	}
	for _, a := range t.Args() {
		if contains(a, part) {
			return true
		}
	}
	return false
}
