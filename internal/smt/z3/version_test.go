package z3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hornbeam/chc/term"
	"hornbeam/internal/smt"
	"hornbeam/internal/smt/smttest"
)

// The library that is loaded is the one that was compiled for: else the other tests say nothing on that version.
func TestVersionIsTheHeaders(t *testing.T) {
	require.Equal(t, HeaderVersion(), Version())
}

// neededBy says whether a workaround is needed with the library: it must be with the version that it names.
func neededBy(t *testing.T, version string, needed bool) {
	if Version() == version {
		require.True(t, needed, "Z3 %s does not need this workaround", version)
	}
	t.Logf("Z3 %s needs this workaround for %s: %v", Version(), version, needed)
}

func TestNeedForReasonOfResourceLimit(t *testing.T) {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{})
	require.NoError(t, s.Assert(smttest.Pigeons(p, 9)))
	s.SetLimit(smt.Limit{Resources: 1000})
	require.Equal(t, smt.Unknown, check(t, s))
	neededBy(t, "4.13.3", s.z3Reason() == "canceled")
}

// Nobody may believe a model of integers that became bits (smt.Satisfy is for that): Z3 4.13.3 has one of x mod 5 = 0 in which that does not
// hold.
func TestNeedForDoubtOfFiniteModels(t *testing.T) {
	neededBy(t, "4.13.3", finiteModelsAreDoubted(t))
}

func finiteModelsAreDoubted(t *testing.T) bool {
	p := term.NewPool()
	_, s := open(t, p, smt.Config{}, smt.Params{Finite: true})
	vars := []*term.Term{p.Var("x", term.Int), p.Var("y", term.Int), p.Var("z", term.Int)}
	formulas := []*term.Term{p.Eq(p.Mod(vars[0], p.Int(5)), p.Int(0))}
	for _, v := range vars {
		formulas = append(formulas, p.Ge(v, p.Int(0)), p.Le(v, p.Int(3)))
	}
	require.NoError(t, s.Assert(formulas...))
	require.Equal(t, smt.Sat, check(t, s))
	m, err := s.Model()
	require.NoError(t, err)
	return !term.NewEvaluator(p, term.Complete(p, m)).True(p.And(formulas...))
}

// Nobody may believe a model of arrays over a finite index sort (smt.Satisfy and itp.ErrModel are for that): Z3 4.13.3 has one
// of a formula without any.
func TestNeedForDoubtOfArraysOverFiniteSorts(t *testing.T) {
	p := term.NewPool()
	srt := p.Array(term.Bool, term.Int)
	c := p.Var("c", srt)
	_, s := open(t, p, smt.Config{}, smt.Params{})
	// On the left is 1 at true and 2 at false, on the right the same number everywhere.
	require.NoError(t, s.Assert(p.Eq(
		p.Store(p.ConstArray(srt, p.Int(2)), p.True(), p.Int(1)),
		p.ConstArray(srt, p.Add(p.Select(c, p.True()), p.Int(1))))))
	neededBy(t, "4.13.3", check(t, s) == smt.Sat)
}
