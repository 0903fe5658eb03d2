package mbp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// arrayNames are variables for the examples about arrays.
type arrayNames struct {
	names
	a, b, c *term.Term // arrays from Int to Int
	f, g    *term.Term // arrays from Int to Bool
	m, n    *term.Term // arrays from Int to arrays from Int to Int
	s, t    *term.Term // arrays from bit-vectors of width 1 to Int
	us, vs  *term.Term // arrays from Int to an uninterpreted sort
	d       *term.Term // of that sort
}

func newArrayNames() arrayNames {
	n := newNames()
	p := n.p
	row := p.Array(term.Int, term.Int)
	v := func(name string, sort *term.Sort) *term.Term { return p.Var(name, sort) }
	bits, thing := p.Array(p.BitVec(1), term.Int), p.Uninterpreted("U")
	return arrayNames{
		names: n,
		a:     v("a", row), b: v("b'", row), c: v("c'", row),
		f: v("f", p.Array(term.Int, term.Bool)), g: v("g", p.Array(term.Int, term.Bool)),
		m: v("m", p.Array(term.Int, row)), n: v("n", p.Array(term.Int, row)),
		s: v("s", bits), t: v("t", bits),
		us: v("us", p.Array(term.Int, thing)), vs: v("vs", p.Array(term.Int, thing)), d: v("d", thing),
	}
}

// list is an array value: a default element and the elements at 0, 1, ....
func (n arrayNames) list(sort *term.Sort, rest *term.Term, elements ...*term.Term) *term.Term {
	a := n.p.ConstArray(sort, rest)
	for i, e := range elements {
		a = n.p.Store(a, n.p.Int(int64(i)), e)
	}
	return a
}

func (n arrayNames) ints(rest int64, elements ...int64) *term.Term {
	var es []*term.Term
	for _, e := range elements {
		es = append(es, n.p.Int(e))
	}
	return n.list(n.a.Sort(), n.p.Int(rest), es...)
}

// at adds array values to an assignment.
func at(m term.MapAssignment, vals ...*term.Term) term.MapAssignment {
	for i := 0; i < len(vals); i += 2 {
		m[vals[i]] = term.TermValue(vals[i+1])
	}
	return m
}

// TestArrayRules: what each array rule makes of a small cube.
func TestArrayRules(t *testing.T) {
	n := newArrayNames()
	p, x, y, z, w, a, b, c := n.p, n.x, n.y, n.z, n.w, n.a, n.b, n.c
	type lits = []*term.Term
	sel, sto, eq, ne := p.Select, p.Store, p.Eq, p.Ne
	sort := a.Sort()
	e0, e1 := p.Element(n.d.Sort(), 0), p.Element(n.d.Sort(), 1)
	bit := func(i int64) *term.Term { return p.BVNum(term.NewInt(i), 1) }
	for _, tc := range []struct {
		name      string
		cube      lits
		eliminate lits
		at        term.MapAssignment
		want      lits
		exact     bool
	}{
		{"definition", lits{eq(a, sto(b, x, y)), p.Le(sel(a, x), z)}, lits{a},
			at(ints(x, 0, y, 1, z, 5), b, n.ints(0), a, n.ints(0, 1)),
			lits{p.Le(y, z)}, true},
		{"partial equality", lits{eq(sto(a, x, y), b), p.Le(sel(a, x), z)}, lits{a},
			at(ints(x, 0, y, 1, z, 5), a, n.ints(0, 3), b, n.ints(0, 1)),
			lits{eq(sel(b, x), y)}, true},
		{"partial equality read elsewhere", lits{eq(sto(a, x, y), b), p.Le(sel(a, w), z)}, lits{a},
			at(ints(x, 0, y, 1, z, 5, w, 2), a, n.ints(4, 3), b, n.ints(4, 1)),
			lits{eq(sel(b, x), y), ne(x, w), p.Le(sel(b, w), z)}, false},
		{"store at an index again", lits{eq(sto(sto(a, x, y), w, z), b)}, lits{a},
			at(ints(x, 0, y, 1, z, 5, w, 0), a, n.ints(4, 3), b, n.ints(4, 5)),
			lits{eq(x, w), eq(sel(b, w), z)}, false},
		{"stores at two indices", lits{eq(sto(sto(a, x, y), w, z), b)}, lits{a},
			at(ints(x, 1, y, 1, z, 5, w, 0), a, n.ints(4, 3), b, n.ints(4, 5, 1)),
			lits{eq(sel(b, x), y), eq(sel(b, w), z)}, false},
		{"array on both sides", lits{eq(a, sto(a, x, y)), p.Le(sel(a, x), z)}, lits{a},
			at(ints(x, 0, y, 1, z, 5), a, n.ints(0, 1)),
			lits{p.Le(y, z)}, true},
		{"array read in its definition", lits{eq(a, sto(b, x, sel(a, p.Int(7)))), ne(x, p.Int(7))}, lits{a},
			at(ints(x, 0), a, n.ints(3), b, n.ints(3, 1)),
			lits{ne(x, p.Int(7))}, false},
		{"two equations", lits{eq(sto(a, x, y), b), eq(sto(a, x, z), c)}, lits{a},
			at(ints(x, 0, y, 1, z, 2), a, n.ints(0), b, n.ints(0, 1), c, n.ints(0, 2)),
			lits{eq(sel(b, x), y), eq(c, sto(b, x, z))}, true},
		{"reads", lits{p.Le(sel(a, x), z), p.Le(w, sel(a, y))}, lits{a},
			at(ints(x, 0, y, 1, z, 5, w, 3), a, n.ints(4)),
			lits{ne(x, y)}, false},
		{"reads at equal indices", lits{p.Le(sel(a, x), z), p.Le(w, sel(a, y))}, lits{a},
			at(ints(x, 1, y, 1, z, 5, w, 3), a, n.ints(4)),
			lits{eq(x, y), p.Le(w, z)}, false},
		{"one read", lits{p.Le(sel(a, x), z), p.Le(w, sel(a, x))}, lits{a},
			at(ints(x, 1, z, 5, w, 3), a, n.ints(4)),
			lits{p.Le(w, z)}, true},
		{"reads at three indices", lits{p.Le(sel(a, x), p.Int(9)), p.Le(sel(a, y), p.Int(9)), p.Le(sel(a, z), p.Int(9))}, lits{a},
			at(ints(x, 5, y, 1, z, 3), a, n.ints(4)),
			lits{p.Lt(y, z), p.Lt(z, x)}, false},
		{"read at what is read", lits{p.Le(sel(a, sel(a, x)), z)}, lits{a},
			at(ints(x, 1, z, 5), a, n.ints(4, 7, 8)),
			nil, false},
		{"read of Booleans", lits{sel(n.f, x), p.Not(sel(n.f, y))}, lits{n.f},
			at(ints(x, 0, y, 1), n.f, n.list(n.f.Sort(), p.False(), p.True())),
			lits{ne(x, y)}, false},
		{"disequality", lits{ne(a, b), eq(sel(a, x), y)}, lits{a},
			at(ints(x, 0, y, 0), a, n.ints(0), b, n.ints(1)), nil, true},
		{"disequality of stores into one array", lits{ne(sto(a, x, y), sto(a, x, z))}, lits{a},
			at(ints(x, 0, y, 1, z, 2), a, n.ints(0)), lits{ne(y, z)}, false},
		{"disequality over a finite index sort", lits{ne(n.s, n.t), eq(sel(n.s, bit(0)), x), eq(sel(n.s, bit(1)), y)}, lits{n.s},
			at(ints(x, 1, y, 0), n.s, p.Store(p.ConstArray(n.s.Sort(), p.Int(0)), bit(0), p.Int(1)), n.t, p.ConstArray(n.s.Sort(), p.Int(0))),
			lits{ne(sel(n.t, bit(0)), x)}, false},
		{"constant array", lits{eq(p.ConstArray(sort, x), a), p.Le(sel(a, y), z)}, lits{a},
			at(ints(x, 1, y, 2, z, 3), a, n.ints(1)), lits{p.Le(x, z)}, true},
		{"element of a constant array", lits{eq(p.ConstArray(sort, x), a), p.Le(x, z)}, lits{x},
			at(ints(x, 1, z, 3), a, n.ints(1)),
			lits{eq(a, p.ConstArray(sort, sel(a, p.Int(0)))), p.Le(sel(a, p.Int(0)), z)}, true},
		{"element of a constant array below a store", lits{eq(sto(p.ConstArray(sort, x), w, y), a), p.Le(x, z)}, lits{x},
			at(ints(x, 1, z, 3, y, 2, w, 0), a, n.ints(1, 2)),
			lits{eq(sel(a, w), y), ne(w, p.Int(1)), p.Le(sel(a, p.Int(1)), z), eq(a, sto(p.ConstArray(sort, sel(a, p.Int(1))), w, sel(a, w)))}, false},
		{"two constant arrays", lits{eq(sto(p.ConstArray(sort, x), w, y), p.ConstArray(sort, z)), p.Le(x, p.Int(3))}, lits{x},
			at(ints(x, 1, z, 1, y, 1, w, 0)), lits{eq(z, y), p.Le(z, p.Int(3))}, false},
		{"disequality over a sort that may have one element", lits{ne(n.us, n.vs), eq(sel(n.us, x), n.d)}, lits{n.us},
			at(ints(x, 0), n.us, n.list(n.us.Sort(), e0, e1), n.vs, n.list(n.us.Sort(), e0), n.d, e1),
			lits{ne(sel(n.vs, x), n.d)}, false},
		{"row of a matrix", lits{eq(sto(n.m, x, a), n.n), p.Le(sel(a, y), z)}, lits{a},
			at(ints(x, 1, y, 2, z, 3), a, n.ints(1), n.m, p.ConstArray(n.m.Sort(), n.ints(1)), n.n, p.ConstArray(n.m.Sort(), n.ints(1))),
			lits{p.Le(sel(sel(n.n, x), y), z), eq(n.n, sto(n.m, x, sel(n.n, x)))}, true},
		{"matrix", lits{eq(sel(sel(n.m, x), y), z), p.Le(sel(sel(n.m, w), y), z)}, lits{n.m},
			at(ints(x, 1, y, 2, z, 3, w, 1), n.m, p.ConstArray(n.m.Sort(), n.ints(3))),
			lits{eq(x, w)}, false},
		{"index of a store", lits{p.Le(sel(sto(a, x, y), w), z), eq(x, n.sum(z, 1))}, lits{x},
			at(ints(x, 1, y, 2, z, 0, w, 3), a, n.ints(-1)),
			lits{p.Le(sel(sto(a, n.sum(z, 1), y), w), z)}, true},
		{"unsolved index of a store", lits{p.Le(sel(sto(a, x, y), w), z), p.Le(x, z)}, lits{x},
			at(ints(x, 0, y, 2, z, 0, w, 3), a, n.ints(-1)),
			lits{p.Le(sel(a, w), z)}, false},
		{"element in an equation", lits{eq(sto(a, x, y), b), p.Le(y, z)}, lits{y},
			at(ints(x, 0, y, 1, z, 2), a, n.ints(0), b, n.ints(0, 1)),
			lits{p.Le(sel(b, x), z), eq(b, sto(a, x, sel(b, x)))}, true},
		{"element in a disequality", lits{ne(sto(a, x, y), b)}, lits{y},
			at(ints(x, 0, y, 1), a, n.ints(0), b, n.ints(2, 1)),
			lits{ne(a, sto(b, x, sel(a, x)))}, false},
		{"element in a disequality at the index", lits{ne(sto(a, x, y), b)}, lits{y},
			at(ints(x, 0, y, 1), a, n.ints(0), b, n.ints(2, 2)), nil, false},
		{"index from an index", lits{p.Le(sel(a, n.sum(x, 1)), z), p.Le(sel(a, y), w)}, lits{x},
			at(ints(x, 0, y, 1, z, 4, w, 4), a, n.ints(4)),
			lits{p.Le(sel(a, y), z), p.Le(sel(a, y), w)}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pr := New(p, Options{})
			got, exact, err := pr.ProjectExact(tc.cube, tc.eliminate, tc.at)
			require.NoError(t, err)
			require.ElementsMatch(t, texts(tc.want...), texts(got...))
			require.Equal(t, tc.exact, exact)
			require.Zero(t, pr.Stats().Violations)
			require.Zero(t, pr.Stats().Substituted)
		})
	}
}

// TestDifferAnywhere: over two indices, an array that differs from two others, but not at the index that is read, differs
// from both at the other index; of Booleans there are only two, so that the two are equal there.
func TestDifferAnywhere(t *testing.T) {
	p := term.NewPool()
	one := p.BitVec(1)
	sort := p.Array(one, term.Bool)
	s, u, v, i := p.Var("s", sort), p.Var("u", sort), p.Var("v", sort), p.Var("i", one)
	bit := func(i int64) *term.Term { return p.BVNum(term.NewInt(i), 1) }
	none := p.ConstArray(sort, p.False())
	model := at(term.MapAssignment{}, s, p.Store(none, bit(1), p.True()), u, none, v, none, i, bit(0))
	cube := []*term.Term{p.Ne(s, u), p.Ne(s, v), p.Iff(p.Select(s, i), p.Select(u, i)), p.Iff(p.Select(s, i), p.Select(v, i))}
	pr := New(p, Options{})
	out, err := pr.Project(cube, []*term.Term{s}, model)
	require.NoError(t, err)
	require.Equal(t, 2, pr.Stats().Disequalities)
	holds := func(m term.MapAssignment) bool { return term.NewEvaluator(p, m).True(p.And(out...)) }
	require.True(t, holds(model))
	require.False(t, holds(at(term.MapAssignment{}, u, none, v, p.Store(none, bit(1), p.True()), i, bit(0))), "%v", out)
}

// TestSubstituteArrays: with array projection switched off an array variable gets its value, but for an equation that
// defines it.
func TestSubstituteArrays(t *testing.T) {
	n := newArrayNames()
	p := n.p
	cube := []*term.Term{p.Le(p.Select(n.a, n.x), n.z), p.Eq(n.b, p.Store(n.c, n.x, n.y))}
	model := at(ints(n.x, 0, n.z, 5, n.y, 1), n.a, n.ints(4), n.b, n.ints(0, 1), n.c, n.ints(0))
	pr := New(p, Options{SubstituteArrays: true})
	out, err := pr.Project(cube, []*term.Term{n.a, n.b}, model)
	require.NoError(t, err)
	require.Equal(t, texts(p.Le(p.Int(4), n.z)), texts(out...))
	st := pr.Stats()
	require.Equal(t, 1, st.ArraysSubstituted)
	require.Equal(t, 1, st.Defined)
	require.Zero(t, st.ArraysRead)
	pr = New(p, Options{})
	out, err = pr.Project(cube, []*term.Term{n.a, n.b}, model)
	require.NoError(t, err)
	require.Empty(t, out)
	require.Equal(t, 1, pr.Stats().ArraysRead)
}

// TestReduceSelectsExamples: reads of stores and of constant arrays become what the assignment says they are.
func TestReduceSelectsExamples(t *testing.T) {
	n := newArrayNames()
	p, x, y, z := n.p, n.x, n.y, n.z
	at := ints(x, 0, y, 0, z, 3)
	read := func(i *term.Term) *term.Term { return p.Select(p.Store(n.a, x, p.Int(5)), i) }
	plain := p.Le(p.Select(n.a, x), z)
	for _, tc := range []struct {
		in, want []*term.Term
	}{
		{[]*term.Term{p.Le(z, read(y))}, []*term.Term{p.Le(z, p.Int(5)), p.Eq(x, y)}},
		{[]*term.Term{p.Le(x, read(z))}, []*term.Term{p.Le(x, p.Select(n.a, z)), p.Ne(x, z)}},
		{[]*term.Term{plain, p.Le(read(z), z)}, []*term.Term{plain, p.Le(p.Select(n.a, z), z), p.Ne(x, z)}},
		{[]*term.Term{p.Le(z, read(read(y)))}, []*term.Term{p.Le(z, p.Select(n.a, p.Int(5))), p.Eq(x, y), p.Ne(x, p.Int(5))}},
		{[]*term.Term{p.Le(p.Select(p.Store(p.ConstArray(n.a.Sort(), z), x, y), z), z)}, []*term.Term{p.Ne(x, z)}},
		{[]*term.Term{p.Le(read(n.w), z)}, []*term.Term{p.Le(read(n.w), z)}},
	} {
		require.Equal(t, texts(tc.want...), texts(ReduceSelects(p, tc.in, at)...))
	}
}
