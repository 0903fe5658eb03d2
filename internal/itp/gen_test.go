package itp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/z3"
)

// oracle decides formulas in a solver context that the code under test does not touch.
type oracle struct {
	pool   *term.Pool
	solver smt.Solver
}

func newOracle(t testing.TB, p *term.Pool) *oracle {
	c, err := z3.Open(p, smt.Config{})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	s, err := c.NewSolver(smt.Params{})
	require.NoError(t, err)
	return &oracle{p, s}
}

func (o *oracle) unsat(t require.TestingT, fs ...*term.Term) bool {
	s := o.solver
	require.NoError(t, s.Push())
	defer func() { require.NoError(t, s.Pop()) }()
	require.NoError(t, s.Assert(fs...))
	status, err := s.Check(context.Background())
	require.NoError(t, err)
	require.NotEqual(t, smt.Unknown, status, "%v", fs)
	return status == smt.Unsat
}

func (o *oracle) implies(t require.TestingT, a, b *term.Term) bool {
	return o.unsat(t, a, o.pool.Not(b))
}

// point returns values for the variables with which f holds, nil when f is unsatisfiable.
func (o *oracle) point(t require.TestingT, f *term.Term, vars []*term.Term) map[*term.Term]*term.Term {
	s := o.solver
	require.NoError(t, s.Push())
	defer func() { require.NoError(t, s.Pop()) }()
	require.NoError(t, s.Assert(f))
	status, err := s.Check(context.Background())
	require.NoError(t, err)
	if status == smt.Unsat {
		return nil
	}
	m, err := s.Model()
	require.NoError(t, err)
	out := make(map[*term.Term]*term.Term)
	complete := term.Complete(o.pool, m)
	for _, v := range vars {
		x, ok := complete.Lookup(v)
		require.True(t, ok)
		out[v] = x.Term(o.pool)
	}
	return out
}

// vocabulary is a set of variables by sort.
type vocabulary struct {
	ints, reals, bools []*term.Term
	// unmixed leaves out to_real of integers.
	unmixed bool
}

func (v vocabulary) all() []*term.Term {
	return append(append(append([]*term.Term{}, v.ints...), v.reals...), v.bools...)
}

func (v vocabulary) and(w vocabulary) vocabulary {
	return vocabulary{
		append(append([]*term.Term{}, v.ints...), w.ints...),
		append(append([]*term.Term{}, v.reals...), w.reals...),
		append(append([]*term.Term{}, v.bools...), w.bools...),
		v.unmixed,
	}
}

func names(p *term.Pool, s *term.Sort, ns ...string) []*term.Term {
	var out []*term.Term
	for _, n := range ns {
		out = append(out, p.Var(n, s))
	}
	return out
}

// inequality draws a linear literal over the vocabulary's numbers.
func inequality(t *rapid.T, p *term.Pool, v vocabulary) *term.Term {
	vars, sort := v.ints, term.Int
	if len(v.ints) == 0 || len(v.reals) > 0 && rapid.Bool().Draw(t, "real") {
		vars, sort = v.reals, term.Real
	}
	var l term.Linear
	mixed := sort == term.Real && len(v.ints) > 0 && !v.unmixed
	for range rapid.IntRange(1, 3).Draw(t, "terms") {
		x := rapid.SampledFrom(vars).Draw(t, "variable")
		if mixed && rapid.IntRange(0, 4).Draw(t, "mixed") == 0 {
			x = p.ToReal(rapid.SampledFrom(v.ints).Draw(t, "int"))
		}
		l = l.AddTerm(term.NewInt(rapid.Int64Range(-3, 3).Draw(t, "coefficient")), x)
	}
	l.Const = term.NewInt(rapid.Int64Range(-6, 6).Draw(t, "constant"))
	rel := rapid.SampledFrom([]term.Rel{term.LE, term.LE, term.LT, term.EQ}).Draw(t, "relation")
	return p.Compare(l, rel, sort)
}

// cube draws a conjunction of inequalities.
func cube(t *rapid.T, p *term.Pool, v vocabulary, least, most int) Cube {
	var c Cube
	for range rapid.IntRange(least, most).Draw(t, "literals") {
		if l := inequality(t, p, v); !l.IsTrue() {
			c = append(c, l)
		}
	}
	return c
}

// formula draws a formula of the given depth.
func formula(t *rapid.T, p *term.Pool, v vocabulary, depth int) *term.Term {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		switch k := rapid.IntRange(0, 9).Draw(t, "atom"); {
		case k < 2 && len(v.bools) > 0:
			return rapid.SampledFrom(v.bools).Draw(t, "boolean")
		case k == 2 && len(v.ints) > 0:
			x := rapid.SampledFrom(v.ints).Draw(t, "divided")
			m := p.Mod(x, p.Int(rapid.Int64Range(2, 3).Draw(t, "modulus")))
			return p.Eq(m, p.Int(rapid.Int64Range(0, 1).Draw(t, "remainder")))
		default:
			return inequality(t, p, v)
		}
	}
	a, b := formula(t, p, v, depth-1), formula(t, p, v, depth-1)
	switch rapid.IntRange(0, 4).Draw(t, "connective") {
	case 0, 1:
		return p.And(a, b)
	case 2, 3:
		return p.Or(a, b)
	default:
		return p.Not(a)
	}
}
