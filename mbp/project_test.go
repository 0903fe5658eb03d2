package mbp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
)

// texts prints terms, which compare faster and read better than their insides.
func texts(ts ...*term.Term) []string {
	out := []string{}
	for _, t := range ts {
		out = append(out, t.String())
	}
	return out
}

// names are variables and short constructors for the examples below.
type names struct {
	p          *term.Pool
	x, y, z, w *term.Term // Int
	r, u, v    *term.Term // Real
	b, c       *term.Term // Bool
}

func newNames() names {
	p := term.NewPool()
	i := func(n string) *term.Term { return p.Var(n, term.Int) }
	r := func(n string) *term.Term { return p.Var(n, term.Real) }
	b := func(n string) *term.Term { return p.Var(n, term.Bool) }
	return names{p, i("x"), i("y"), i("z"), i("w"), r("r"), r("u"), r("v"), b("b"), b("c")}
}

func (n names) k(c int64, x *term.Term) *term.Term { return n.p.Scale(term.NewInt(c), x) }

func (n names) sum(ts ...any) *term.Term {
	var parts []*term.Term
	sort := term.Int
	for _, t := range ts {
		if t, ok := t.(*term.Term); ok {
			parts = append(parts, t)
			sort = t.Sort()
		}
	}
	for _, t := range ts {
		if c, ok := t.(int); ok {
			parts = append(parts, n.p.Numeral(term.NewInt(int64(c)), sort))
		}
	}
	return n.p.Add(parts...)
}

func ints(vals ...any) term.MapAssignment {
	m := term.MapAssignment{}
	for i := 0; i < len(vals); i += 2 {
		v := vals[i].(*term.Term)
		switch x := vals[i+1].(type) {
		case int:
			m[v] = term.NumValue(term.NewInt(int64(x)), v.Sort())
		case term.Num:
			m[v] = term.NumValue(x, v.Sort())
		case bool:
			m[v] = term.BoolValue(x)
		}
	}
	return m
}

// TestRules: what each rule makes of a small cube.
func TestRules(t *testing.T) {
	n := newNames()
	p, x, y, z, w, r, u, v := n.p, n.x, n.y, n.z, n.w, n.r, n.u, n.v
	real := func(i int) *term.Term { return p.Var(fmt.Sprintf("r%d", i), term.Real) }
	type lits = []*term.Term
	for _, tc := range []struct {
		name      string
		cube      lits
		eliminate lits
		at        term.MapAssignment
		want      lits
		exact     bool
	}{
		{"unit equation", lits{p.Eq(x, n.sum(y, 1)), p.Le(x, z)}, lits{x}, ints(x, 3, y, 2, z, 9),
			lits{p.Le(n.sum(y, 1), z)}, true},
		{"equations chain", lits{p.Eq(x, n.sum(y, 1)), p.Eq(y, n.sum(z, 1)), p.Le(x, w)}, lits{x, y}, ints(x, 3, y, 2, z, 1, w, 5),
			lits{p.Le(n.sum(z, 2), w)}, true},
		{"scaled equation", lits{p.Eq(n.k(2, x), y), p.Le(n.k(3, x), z)}, lits{x}, ints(x, 2, y, 4, z, 9),
			lits{p.Le(n.k(3, y), n.k(2, z)), p.Divides(term.NewInt(2), y)}, true},
		{"no upper bound", lits{p.Le(y, x), p.Le(z, x), p.Le(y, w)}, lits{x}, ints(x, 3, y, 2, z, 1, w, 5),
			lits{p.Le(y, w)}, true},
		{"no upper bound, but divisible", lits{p.Le(y, x), p.Divides(term.NewInt(6), n.sum(n.k(2, x), z))}, lits{x}, ints(x, 3, y, 2, z, 0),
			lits{p.Divides(term.NewInt(2), z)}, true},
		{"all pairs", lits{p.Le(y, x), p.Le(z, x), p.Le(x, w)}, lits{x}, ints(x, 3, y, 2, z, 1, w, 5),
			lits{p.Le(y, w), p.Le(z, w)}, true},
		{"disequality beside no bound", lits{p.Ne(x, y), p.Le(x, z)}, lits{x}, ints(x, 3, y, 2, z, 4), nil, true},
		{"disequality between bounds", lits{p.Ne(x, y), p.Le(x, z), p.Le(w, x)}, lits{x}, ints(x, 3, y, 2, z, 4, w, 0),
			lits{p.Lt(y, z), p.Le(w, z)}, false},
		{"parity", lits{p.Divides(term.NewInt(2), n.sum(x, y)), p.Le(x, z), p.Le(z, x)}, lits{x}, ints(x, 3, y, 1, z, 3),
			lits{p.Divides(term.NewInt(2), n.sum(y, z))}, false},
		{"dark shadow", lits{p.Le(y, n.k(3, x)), p.Le(n.k(2, x), z)}, lits{x}, ints(x, 3, y, 2, z, 7),
			lits{p.Le(n.sum(n.k(2, y), 2), n.k(3, z))}, false},
		{"rounded bound", lits{p.Le(y, n.k(3, x)), p.Le(n.k(3, x), z)}, lits{x}, ints(x, 3, y, 8, z, 9),
			lits{p.Divides(term.NewInt(3), n.sum(y, 1)), p.Le(n.sum(y, 1), z)}, false},
		{"mod of a removed variable", lits{p.Eq(y, p.Mod(x, p.Int(1000)))}, lits{x}, ints(x, 3005, y, 5),
			lits{p.Le(p.Int(0), y), p.Le(y, p.Int(999))}, true},
		{"definition under mod", lits{p.Eq(x, n.sum(y, 1)), p.Le(p.Mod(x, p.Int(5)), z)}, lits{x}, ints(x, 3, y, 2, z, 4),
			lits{p.Le(p.Mod(n.sum(y, 1), p.Int(5)), z)}, true},
		{"rounded other bound", lits{p.Le(y, n.k(5, x)), p.Le(n.k(3, x), w)}, lits{x}, ints(x, 1, y, 5, w, 4),
			lits{p.Divides(term.NewInt(3), n.sum(w, -1)), p.Le(n.sum(n.k(3, y), 5), n.k(5, w))}, false},
		{"not divisible by a large number", lits{p.Not(p.Divides(term.NewInt(10), n.sum(x, y))), p.Eq(x, z)}, lits{x}, ints(x, 3, y, 2, z, 3),
			lits{p.Not(p.Divides(term.NewInt(10), n.sum(z, y)))}, true},
		{"not divisible by a large number, between bounds", lits{p.Not(p.Divides(term.NewInt(10), n.sum(x, y))), p.Le(z, x), p.Le(x, w)},
			lits{x}, ints(x, 3, y, 2, z, 3, w, 5), lits{p.Lt(z, w)}, false},
		{"tightest bound", lits{p.Le(real(0), r), p.Le(real(1), r), p.Lt(real(2), r), p.Le(r, real(3)), p.Lt(r, real(4)), p.Le(r, real(5))},
			lits{r}, ints(real(0), 1, real(1), 2, real(2), 2, r, 3, real(3), 3, real(4), 5, real(5), 6),
			lits{p.Le(real(0), real(2)), p.Le(real(1), real(2)), p.Lt(real(2), real(3)), p.Lt(real(2), real(4)), p.Lt(real(2), real(5))}, false},
		{"dense disequality among many bounds", lits{p.Ne(r, u), p.Le(real(0), r), p.Le(real(1), r), p.Le(real(2), r),
			p.Le(r, real(3)), p.Le(r, real(4)), p.Le(r, real(5))},
			lits{r}, ints(u, 9, real(0), 0, real(1), 1, real(2), 2, r, 2, real(3), 3, real(4), 4, real(5), 5),
			lits{p.Le(real(0), real(2)), p.Le(real(1), real(2)), p.Lt(real(2), real(3)), p.Lt(real(2), real(4)), p.Lt(real(2), real(5))}, false},
		{"strict reals", lits{p.Lt(u, r), p.Le(r, v)}, lits{r}, ints(u, 0, r, 1, v, 1), lits{p.Lt(u, v)}, true},
		{"dense disequality", lits{p.Ne(r, n.p.Real(term.NewInt(5))), p.Lt(u, r), p.Lt(r, v)}, lits{r}, ints(u, 0, r, 1, v, 9),
			lits{p.Lt(u, v)}, true},
		{"integer part", lits{p.Eq(y, p.ToInt(r)), p.Le(r, p.Real(term.NewRat(7, 2)))}, lits{r}, ints(y, 3, r, term.NewRat(10, 3)),
			lits{p.Le(y, p.Int(3))}, true},
		{"Boolean definition", lits{p.Iff(n.b, n.c), p.Not(n.b)}, lits{n.b}, ints(n.b, false, n.c, false), lits{p.Not(n.c)}, true},
		{"parallel bounds", lits{p.Le(y, x), p.Le(x, z), p.Le(n.sum(y, 3), z), p.Le(y, n.sum(z, 7))}, lits{x}, ints(x, 3, y, 2, z, 5),
			lits{p.Le(n.sum(y, 3), z)}, true},
		{"bounds that meet", lits{p.Le(y, x), p.Le(x, z), p.Le(z, y)}, lits{x}, ints(x, 2, y, 2, z, 2), lits{p.Eq(y, z)}, true},
		{"product", lits{p.Le(p.Mul(x, y), z)}, lits{x}, ints(x, 2, y, 2, z, 5), lits{p.Le(n.k(2, y), z)}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pr := New(p, Options{})
			got, exact, err := pr.ProjectExact(tc.cube, tc.eliminate, tc.at)
			require.NoError(t, err)
			require.ElementsMatch(t, texts(tc.want...), texts(got...))
			require.Equal(t, tc.exact, exact)
			require.Zero(t, pr.Stats().Violations)
		})
	}
}

// TestSameValuedTerm: a variable under an array read is replaced by an index of the same value, not by the value.
func TestSameValuedTerm(t *testing.T) {
	n := newNames()
	p := n.p
	a := p.Var("a", p.Array(term.Int, term.Int))
	arr := term.TermValue(p.Store(p.ConstArray(a.Sort(), p.Int(0)), p.Int(4), p.Int(7)))
	at := ints(n.x, 4, n.y, 4, n.z, 9)
	at[a] = arr
	cube := []*term.Term{p.Le(p.Add(p.Select(a, n.x), p.Select(a, n.y)), p.Int(20)), p.Lt(n.x, n.z)}
	pr := New(p, Options{})
	got, err := pr.Project([]*term.Term{p.Le(p.Select(a, n.x), n.z), p.Le(n.x, n.y)}, []*term.Term{n.x}, at)
	require.NoError(t, err)
	require.ElementsMatch(t, texts(p.Le(p.Select(a, n.y), n.z)), texts(got...))
	got, err = pr.Project(cube, []*term.Term{n.x}, at)
	require.NoError(t, err)
	require.ElementsMatch(t, texts(p.Le(p.Select(a, n.y), p.Int(10)), p.Lt(n.y, n.z)), texts(got...))
	require.Equal(t, 2, pr.Stats().Replaced)
	require.Zero(t, pr.Stats().Substituted)
}

// TestProjectErrors: literals that are not true are refused, defaults complete the assignment.
func TestProjectErrors(t *testing.T) {
	n := newNames()
	p := n.p
	pr := New(p, Options{})
	_, err := pr.Project([]*term.Term{p.Le(n.x, p.Int(0))}, []*term.Term{n.x}, ints(n.x, 1))
	require.ErrorIs(t, err, ErrFalse)
	_, err = pr.Project([]*term.Term{p.Le(n.y, p.Int(0))}, []*term.Term{n.x}, ints(n.y, 1))
	require.ErrorIs(t, err, ErrFalse)
	_, err = pr.Project([]*term.Term{p.Le(p.Mod(n.x, n.y), p.Int(3))}, []*term.Term{n.x}, ints(n.x, 1, n.y, 0))
	require.ErrorIs(t, err, ErrUndetermined)
	out, err := pr.Project([]*term.Term{p.Le(n.x, n.y), p.Le(n.z, n.x)}, []*term.Term{n.x}, ints(n.y, 1))
	require.NoError(t, err)
	require.Equal(t, texts(p.Le(n.z, n.y)), texts(out...))
}

// TestLargeCoefficients: beyond MaxBits the values are substituted, and that is counted.
func TestLargeCoefficients(t *testing.T) {
	n := newNames()
	p := n.p
	pr := New(p, Options{MaxBits: 8})
	big, err := term.ParseNum("100000000000000000000000000000000000001")
	require.NoError(t, err)
	cube := []*term.Term{p.Eq(p.Scale(big, n.x), n.sum(n.k(3, n.y))), p.Le(n.k(7, n.y), n.sum(n.k(5, n.x), n.z))}
	out, err := pr.Project(cube, []*term.Term{n.y}, ints(n.x, 0, n.y, 0, n.z, 1))
	require.NoError(t, err)
	require.Equal(t, 1, pr.Stats().Outgrown)
	require.Equal(t, 1, pr.Stats().Substituted)
	require.ElementsMatch(t, texts(p.Eq(n.x, p.Int(0)), p.Le(p.Int(0), n.sum(n.k(5, n.x), n.z))), texts(out...))
}
