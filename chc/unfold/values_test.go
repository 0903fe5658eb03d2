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
	set := func(t *term.Term) valueSet { return newValueSets(p).of(t) }
	of := func(u *term.Term) []*term.Term {
		require.False(t, set(u).open)
		return set(u).values
	}
	require.ElementsMatch(t, []*term.Term{number(0), number(1), number(2)}, of(counter))
	require.ElementsMatch(t, []*term.Term{number(0), number(1)}, of(p.BV(term.BVUrem, x, number(2))))
	require.ElementsMatch(t, []*term.Term{number(5), number(6)}, of(p.BV(term.BVAdd, number(5), p.BV(term.BVAnd, x, number(1)))))
	require.Equal(t, anything, set(x))
	require.Equal(t, anything, set(p.BV(term.BVAdd, x, counter)))
	require.Equal(t, anything, set(p.BV(term.BVUrem, x, number(200))))
	// What is a constant or anything else has values after an operation too.
	some := p.Ite(p.Var("c", term.Bool), number(4), x)
	require.Equal(t, valueSet{values: []*term.Term{number(4)}, open: true}, set(some))
	require.Equal(t, valueSet{values: []*term.Term{number(5)}, open: true}, set(p.BV(term.BVAdd, some, number(1))))
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

// A read at an index that may be something else too reads each element by itself as well, and passes stores by that are at one of the
// constants.
func TestElementsAtOpenIndices(t *testing.T) {
	p := term.NewPool()
	bits := p.BitVec(8)
	number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 8) }
	base, x := p.Var("memory", p.Array(bits, bits)), p.Var("x", bits)
	pointer := p.Ite(p.Var("c", term.Bool), number(4), x)
	array := p.Store(p.Store(base, number(4), p.Var("stored", bits)), number(5), number(7))
	out, ok := readThrough(p, p.Eq(p.Select(array, pointer), number(7)), 1000)
	require.True(t, ok)
	isFour := p.Or(p.Var("c", term.Bool), p.Eq(x, number(4)))
	isFive := p.And(p.Not(p.Var("c", term.Bool)), p.Eq(x, number(5)))
	isSeven := func(t *term.Term) *term.Term { return p.Eq(t, number(7)) }
	require.Equal(t, p.Ite(isFour, isSeven(p.Var("stored", bits)), p.Or(isFive, isSeven(p.Select(base, pointer)))), out)
}

// Where what is read at an index that is none of its constants is arbitrary, it is compared with no store.
func TestRelaxedReads(t *testing.T) {
	p := term.NewPool()
	bits := p.BitVec(8)
	number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 8) }
	pointer := p.Ite(p.Var("c", term.Bool), number(4), p.Var("x", bits))
	array := p.Store(p.Store(p.Var("memory", p.Array(bits, bits)), number(4), number(9)), number(5), number(7))
	u := &Unfolding{written: p.Eq(p.Select(array, pointer), number(7))}
	relaxed := u.Relaxed(p)
	require.NotNil(t, relaxed)
	require.False(t, contains(relaxed, number(5)))
	// At 4 there is 9, and elsewhere whatever the formula needs.
	is := func(b bool) *term.Term {
		return p.Substitute(relaxed, map[*term.Term]*term.Term{p.Var("c", term.Bool): p.Bool(b), p.Var("x", bits): number(5)})
	}
	require.True(t, is(true).IsFalse())
	require.False(t, is(false).IsFalse())
	u = &Unfolding{written: p.Eq(p.Select(array, number(5)), number(7))}
	require.Nil(t, u.Relaxed(p), "nothing is arbitrary")
}

// That a choice between numbers is a certain one is what the choice was made by.
func TestEquality(t *testing.T) {
	p := term.NewPool()
	number := func(n int64) *term.Term { return p.BVNum(term.NewInt(n), 8) }
	b, c := p.Var("b", term.Bool), p.Var("c", term.Bool)
	pointer := p.BV(term.BVAdd, number(8), p.Ite(b, number(1), p.Ite(c, number(2), number(3))))
	v := newValueSets(p)
	require.Equal(t, b, v.equals(pointer, number(9)))
	require.Equal(t, p.And(p.Not(b), c), v.equals(pointer, number(10)))
	require.Equal(t, p.False(), v.equals(pointer, number(12)))
	open := p.Ite(b, number(1), p.Var("x", p.BitVec(8)))
	require.Equal(t, p.And(p.Not(b), p.Eq(p.Var("x", p.BitVec(8)), number(2))), v.equals(open, number(2)))
}
